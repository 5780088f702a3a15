import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { askAgent, type KillableAgent } from './killable-agent.js';
import type { Figure, Progress } from './output.js';
import { median } from './request.js';

export interface CrashOptions {
  readonly kills: number;
  /** Clients that write at the same time. */
  readonly writers: number;
  readonly start: () => KillableAgent;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly progress: Progress;
}

export interface CrashResult {
  readonly figures: readonly Figure[];
  /** What must be so whenever the process ends, and was not. */
  readonly mistakes: readonly string[];
}

/** What a job is after a write: the number of the write and its index, or that it is gone. */
interface Written {
  readonly write: number | null;
  /** Null while nobody has acknowledged it. */
  readonly index: number | null;
}

/** A job, as one writer knows it. */
interface Known {
  readonly id: string;
  acknowledged: Written;
  /** The write that was under way when the agent was killed: it may have happened or not. */
  pending: Written | null;
}

/** Milliseconds that an agent lives at most once it has the first client, and at most while it starts. */
const longestLife = 800;
const longestStart = 700;
/** One kill in so many comes before the agent listens. */
const startShare = 6;
const jobsOfWriter = 10;
const purgeShare = 8;

interface Tally {
  acknowledged: number;
  /** Writes that nobody acknowledged and that are there. */
  unacknowledged: number;
  largestIndex: number;
  readonly rates: number[];
  readonly starts: number[];
  readonly mistakes: string[];
}

/**
 * Kills an agent again and again while clients write to it, and looks each time at what it holds when it is started
 * again: every write that was acknowledged, under its index, and nothing else but the one that each client was waiting
 * for.
 */
export async function stressCrashes(options: CrashOptions): Promise<CrashResult> {
  const { kills, writers, random, start, progress } = options;
  const tally: Tally = {
    acknowledged: 0,
    unacknowledged: 0,
    largestIndex: 0,
    rates: [],
    starts: [],
    mistakes: [],
  };
  const known = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: jobsOfWriter }, (_job, at): Known => ({
      id: `job-${writer}-${at}`,
      acknowledged: { write: null, index: 0 },
      pending: null,
    })),
  );
  for (let kill = 1; kill <= kills + 1 && tally.mistakes.length === 0; kill += 1) {
    const agent = start();
    if (kill <= kills && kill % startShare === 0) {
      await pause(random() * longestStart);
    } else {
      await live(agent, known, tally, kill <= kills ? random : null);
    }
    await agent.kill();
    progress(
      `${Math.min(kill, kills)} of ${kills} kills, ${tally.acknowledged} writes acknowledged, none lost`,
    );
  }
  progress('');
  return { figures: figuresOf(kills, tally), mistakes: tally.mistakes };
}

/** One life of the agent: what it holds is looked at, then clients write until it is killed. */
async function live(
  agent: KillableAgent,
  known: readonly (readonly Known[])[],
  tally: Tally,
  random: (() => number) | null,
): Promise<void> {
  const began = performance.now();
  const address = await agent.listening;
  if (address === null) {
    tally.mistakes.push(`the agent does not start: ${agent.errors()}`);
    return;
  }
  tally.starts.push(performance.now() - began);
  const connections = new Agent({ keepAlive: true });
  await compare(connections, address, known.flat(), tally);
  if (random !== null) {
    const since = performance.now();
    const before = tally.acknowledged;
    const life = { isOver: false };
    const writers = known.map((jobs) => write(connections, address, jobs, tally, life, random));
    await pause(random() * longestLife);
    const killed = agent.kill();
    tally.rates.push(((tally.acknowledged - before) * 1_000) / (performance.now() - since));
    await killed;
    life.isOver = true;
    await Promise.all(writers);
  }
  connections.destroy();
}

/** One client: a write after the other, until one is not answered. */
async function write(
  connections: Agent,
  address: string,
  jobs: readonly Known[],
  tally: Tally,
  life: { readonly isOver: boolean },
  random: () => number,
): Promise<void> {
  while (!life.isOver) {
    const job = jobs[Math.floor(random() * jobs.length)];
    if (job === undefined) return;
    const isPurge = job.acknowledged.write !== null && random() * purgeShare < 1;
    const number = isPurge ? null : Math.floor(random() * Number.MAX_SAFE_INTEGER);
    job.pending = { write: number, index: null };
    try {
      const answer =
        number === null
          ? await askAgent(connections, address, 'DELETE', `/v1/job/${job.id}?purge=true`)
          : await askAgent(connections, address, 'PUT', '/v1/jobs', { Job: specOf(job.id, number) });
      if (answer.status !== 200) {
        tally.mistakes.push(`a write of ${job.id} is answered with ${answer.status}: ${String(answer.body)}`);
        return;
      }
      if (answer.index <= (job.acknowledged.index ?? 0)) {
        tally.mistakes.push(`the index of ${job.id} went from ${job.acknowledged.index} to ${answer.index}`);
      }
      job.acknowledged = { write: number, index: answer.index };
      job.pending = null;
      tally.acknowledged += 1;
      tally.largestIndex = Math.max(tally.largestIndex, answer.index);
    } catch {
      return;
    }
  }
}

function specOf(ID: string, write: number): object {
  const task = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/sleep' } };
  return {
    ID,
    Name: ID,
    Datacenters: ['dc1'],
    Meta: { write: String(write) },
    TaskGroups: [{ Name: 'g', Tasks: [task] }],
  };
}

interface Stub {
  readonly ID: string;
  readonly Meta: { readonly write: string };
  readonly JobModifyIndex: number;
}

async function compare(
  connections: Agent,
  address: string,
  known: readonly Known[],
  tally: Tally,
): Promise<void> {
  const { index, body } = await askAgent(connections, address, 'GET', '/v1/jobs?meta=true');
  const stubs = new Map((body as readonly Stub[]).map((stub) => [stub.ID, stub]));
  if (index < tally.largestIndex) {
    tally.mistakes.push(`the index went back from ${tally.largestIndex} to ${index}`);
  }
  tally.largestIndex = Math.max(tally.largestIndex, index);
  for (const job of known) {
    const stub = stubs.get(job.id);
    stubs.delete(job.id);
    const found: Written = {
      write: stub === undefined ? null : Number(stub.Meta.write),
      index: stub?.JobModifyIndex ?? null,
    };
    const mistake = settle(job, found, tally);
    if (mistake !== null) tally.mistakes.push(`${job.id}: ${mistake}`);
  }
  if (stubs.size > 0) tally.mistakes.push(`jobs that nobody wrote: ${[...stubs.keys()].join(', ')}`);
}

/** Compares a job with what its writer knows, and takes over whether the pending write has happened. */
function settle(job: Known, found: Written, tally: Tally): string | null {
  const { acknowledged, pending } = job;
  job.pending = null;
  if (found.write === acknowledged.write) {
    const isSame = found.write === null || found.index === acknowledged.index;
    return isSame ? null : `write ${found.write} is under ${found.index}, not ${acknowledged.index}`;
  }
  if (pending === null || found.write !== pending.write) {
    return `holds write ${found.write}, not the acknowledged ${acknowledged.write} (index ${acknowledged.index})`;
  }
  if (found.index !== null && found.index <= (acknowledged.index ?? 0)) {
    return `the index went from ${acknowledged.index} to ${found.index}`;
  }
  job.acknowledged = { write: found.write, index: found.index ?? acknowledged.index };
  tally.unacknowledged += 1;
  return null;
}

function figuresOf(kills: number, tally: Tally): readonly Figure[] {
  return [
    { name: 'kills', value: kills, unit: '' },
    { name: 'writes acknowledged', value: tally.acknowledged, unit: '' },
    { name: 'lost, changed or out of order', value: tally.mistakes.length, unit: '' },
    { name: 'unacknowledged writes that happened', value: tally.unacknowledged, unit: '' },
    { name: 'writes a second', value: median(tally.rates), unit: '/s' },
    { name: 'start, median', value: median(tally.starts), unit: 'ms' },
    { name: 'start, longest', value: Math.max(...tally.starts), unit: 'ms' },
  ];
}
