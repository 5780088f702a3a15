import { Agent } from 'node:http';
import { crashFigures, killAgainAndAgain, type CrashTally } from '../../http/stress/crash-harness.js';
import { callAgent, type KillableAgent } from './killable-agent.js';
import type { Metric, Progress } from '../../http/stress/proof.js';

export interface CrashOptions {
  readonly kills: number;
  /** Clients that write at the same time. */
  readonly writers: number;
  readonly start: () => Pick<KillableAgent, 'listening' | 'errors' | 'kill'>;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly progress: Progress;
}

export interface CrashResult {
  readonly figures: readonly Metric[];
  /** Violated invariants, which must hold whenever the process ends. */
  readonly mistakes: readonly string[];
}

/** The state of a job after a write: the number of the write and its index, or that it is deleted. */
interface Written {
  readonly write: number | null;
  /** Null until it is acknowledged. */
  readonly index: number | null;
}

/** A job, as one writer knows it. */
interface Known {
  readonly id: string;
  acknowledged: Written;
  /** The write that was under way when the agent was killed: it may have happened or not. */
  pending: Written | null;
}

/** Maximum lifetime of an agent after its first client, and during its start, in ms. */
const maxLifeMs = 800;
const maxStartMs = 700;
const jobsOfWriter = 10;
const purgeShare = 8;

interface Tally extends CrashTally {
  /** Of all that was acknowledged or seen. */
  readonly seen: { maxIndex: number };
}

/**
 * Kills an agent repeatedly while clients write to it, and checks its contents after each restart: every acknowledged write,
 * under its index, and nothing else except the pending write of each client.
 */
export async function stressCrashes(options: CrashOptions): Promise<CrashResult> {
  const { kills, writers, random, start } = options;
  const seen = { maxIndex: 0 };
  const known = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: jobsOfWriter }, (_job, at): Known => ({
      id: `job-${writer}-${at}`,
      acknowledged: { write: null, index: 0 },
      pending: null,
    })),
  );
  interface Client {
    readonly connections: Agent;
    readonly address: string;
  }
  const tally = await killAgainAndAgain<Client>(
    {
      start,
      connect: (address) => ({ connections: new Agent({ keepAlive: true }), address }),
      disconnect: ({ connections }) => connections.destroy(),
      compare: ({ connections, address }, counted) =>
        compare(connections, address, known.flat(), Object.assign(counted, { seen })),
      write: ({ connections, address }, writer, counted) =>
        write(connections, address, known[writer] ?? [], Object.assign(counted, { seen }), random),
    },
    { ...options, maxLifeMs, maxStartMs },
  );
  return { figures: crashFigures(kills, tally), mistakes: tally.mistakes };
}

/** One write of a client. */
async function write(
  connections: Agent,
  address: string,
  jobs: readonly Known[],
  tally: Tally,
  random: () => number,
): Promise<boolean> {
  const job = jobs[Math.floor(random() * jobs.length)];
  if (job === undefined) return false;
  const isPurge = job.acknowledged.write !== null && random() * purgeShare < 1;
  const number = isPurge ? null : Math.floor(random() * Number.MAX_SAFE_INTEGER);
  job.pending = { write: number, index: null };
  const response =
    number === null
      ? await callAgent(connections, address, 'DELETE', `/v1/job/${job.id}?purge=true`)
      : await callAgent(connections, address, 'PUT', '/v1/jobs', { Job: specOf(job.id, number) });
  if (response.status !== 200) {
    tally.mistakes.push(`a write of ${job.id} returns ${response.status}: ${String(response.body)}`);
    return false;
  }
  if (response.index <= (job.acknowledged.index ?? 0)) {
    tally.mistakes.push(`the index of ${job.id} went from ${job.acknowledged.index} to ${response.index}`);
  }
  job.acknowledged = { write: number, index: response.index };
  job.pending = null;
  tally.acknowledged += 1;
  tally.seen.maxIndex = Math.max(tally.seen.maxIndex, response.index);
  return true;
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
  const { index, body } = await callAgent(connections, address, 'GET', '/v1/jobs?meta=true');
  const stubs = new Map((body as readonly Stub[]).map((stub) => [stub.ID, stub]));
  if (index < tally.seen.maxIndex) {
    tally.mistakes.push(`the index went back from ${tally.seen.maxIndex} to ${index}`);
  }
  tally.seen.maxIndex = Math.max(tally.seen.maxIndex, index);
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

/** Compares a job with its writer's knowledge, and records whether the pending write has happened. */
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
