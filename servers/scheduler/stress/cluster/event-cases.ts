import { setTimeout as pause } from 'node:timers/promises';
import { send, type Addressed } from './client.js';
import { waitingJob, writeJob } from './job.js';
import { warmUp } from './leader-cases.js';
import type { Region } from './region.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';

const clients = 6;
const writesPerClient = 15;

/** Milliseconds within which the events of acknowledged writes must arrive. */
const eventTimeoutMs = 10_000;

/** The part of an event that the cases read. Its own index is that of its commit, which several writes may share. */
interface JobEvent {
  readonly Payload: { readonly Job: { readonly JobModifyIndex: number } };
}

/** The registrations of one job that a stream reports, by JobModifyIndex, and whether it reported a gap. */
interface EventStream {
  readonly indexes: ReadonlySet<number>;
  readonly hasGap: () => boolean;
  close(): Promise<void>;
}

async function openStream({ address }: Addressed, job: string): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${address}/v1/event/stream?topic=Job:${job}`, { signal: abort.signal });
  const indexes = new Set<number>();
  let hasGap = false;
  const reading = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.trim() !== '')) {
        const frame = JSON.parse(line) as { readonly Events?: readonly JobEvent[] };
        hasGap ||= 'Gap' in frame;
        for (const { Payload } of frame.Events ?? []) indexes.add(Payload.Job.JobModifyIndex);
      }
    }
  })().catch(() => undefined);
  return {
    indexes,
    hasGap: () => hasGap,
    async close() {
      abort.abort();
      await reading;
    },
  };
}

/** Several clients register one job at the same time: each acknowledged write is an event, or lies in a reported gap. */
async function reportEveryWrite(stage: Stage, region: Region): Promise<void> {
  for (const server of region.servers) {
    const id = `events-${server.name}`;
    const stream = await openStream(server, id);
    await pause(warmUp);
    const written: number[] = [];
    const register = async (client: number): Promise<void> => {
      for (let round = 0; round < writesPerClient; round += 1) {
        const body = { Job: waitingJob(id, `${client}-${round}`) };
        const { status, text } = await send(server, '/v1/jobs', { method: 'PUT', body });
        stage.check(status === 200, `a write on ${server.name} returned ${status}: ${text}`);
        if (status === 200)
          written.push((JSON.parse(text) as { readonly JobModifyIndex: number }).JobModifyIndex);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => register(client)));
    const missing = (): number[] => written.filter((index) => !stream.indexes.has(index));
    const end = performance.now() + eventTimeoutMs;
    while (missing().length > 0 && !stream.hasGap() && performance.now() < end) await pause(20);
    stage.check(
      stream.hasGap() || missing().length === 0,
      `${missing().length} of ${written.length} writes on ${server.name} are neither an event nor in a gap`,
    );
    stage.figure({
      name: `events of ${written.length} writes on ${server.name}`,
      value: stream.indexes.size,
      unit: '',
    });
    await stream.close();
  }
}

/** Seconds between writes of a slow client: about the time after which servers closed idle connections before. */
const slowSeconds = [5.8, 6, 6.2];

/** A client that writes through a follower every few seconds has each write acknowledged. */
async function writeSlowly(stage: Stage, region: Region): Promise<void> {
  const [follower] = await region.followers();
  if (follower === undefined) return;
  for (const [round, seconds] of slowSeconds.entries()) {
    await pause(seconds * 1_000);
    const { problem } = await writeJob(follower, `slow-${round}`, 'x', 0);
    stage.check(problem === '', `a write after ${seconds} s without any returned ${problem}`);
  }
}

/** The same under load, while the leader is killed: what was acknowledged is an event on the server that stays. */
async function reportThroughKill(stage: Stage, region: Region): Promise<void> {
  await underLoad(stage, region, async () => {
    const [follower] = await region.followers();
    if (follower === undefined) return;
    const id = 'events-through-kill';
    const stream = await openStream(follower, id);
    await pause(warmUp);
    const leader = await region.leader();
    const written: number[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let round = 0; !isOver; round += 1) {
        const response = await send(follower, '/v1/jobs', {
          method: 'PUT',
          body: { Job: waitingJob(id, String(round)) },
        }).catch(() => null);
        if (response?.status === 200)
          written.push((JSON.parse(response.text) as { readonly JobModifyIndex: number }).JobModifyIndex);
        else await pause(50);
      }
    })();
    await pause(warmUp);
    await leader.kill();
    await pause(6 * warmUp);
    isOver = true;
    await writing;
    const missing = (): number[] => written.filter((index) => !stream.indexes.has(index));
    const end = performance.now() + eventTimeoutMs;
    while (missing().length > 0 && !stream.hasGap() && performance.now() < end) await pause(20);
    stage.check(
      stream.hasGap() || missing().length === 0,
      `${missing().length} of ${written.length} writes through the kill are neither an event nor in a gap`,
    );
    await stream.close();
    await leader.start();
  });
}

export const eventCases: readonly ClusterCase[] = [
  {
    number: 30,
    name: 'every acknowledged write is an event or lies in a gap',
    needs: {},
    play: reportEveryWrite,
  },
  { number: 31, name: 'a slow client writes through a follower', needs: {}, play: writeSlowly },
  { number: 32, name: 'the leader is killed while events are read', needs: {}, play: reportThroughKill },
];
