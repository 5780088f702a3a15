import { setTimeout as pause } from 'node:timers/promises';
import { openEventReader, type EventReader } from './event-reader.js';
import type { MeasuredAgent } from './measured-agent.js';
import type { Metric, Progress } from '../../http/stress/proof.js';

export interface StreamsOptions {
  /** Streams that are read. */
  readonly count: number;
  /** Writes a second, and for how many seconds. */
  readonly rate: number;
  readonly seconds: number;
  readonly start: (jobs: number, maxWaiters: number) => Promise<MeasuredAgent>;
  readonly progress: Progress;
}

export interface StreamsResult {
  readonly figures: readonly Metric[];
  /** Violated requirements, which must hold on any machine. */
  readonly mistakes: readonly string[];
}

/** Streams that receive everything, and as many that receive everything but are not read for a while. */
const greedy = 10;
const stalled = 5;

const path = (query: string): string => `/v1/event/stream?${query}`;
const everything = path('topic=Job&namespace=*');

/** Half of the others have a job each by its key, half by a filter of its own. */
function queryOf(at: number): string {
  const id = `job-${String(at).padStart(8, '0')}`;
  if (at % 2 === 0) return path(`topic=Job:${id}&topic=Node`);
  return path(`topic=Job&filter=${encodeURIComponent(`Name == "${id}" and Priority > 1`)}`);
}

/** Lets many streams read while there are writes, each of which concerns a few of them. */
export async function stressStreams(options: StreamsOptions): Promise<StreamsResult> {
  const { count, rate, seconds, start, progress } = options;
  const figures: Metric[] = [];
  const mistakes: string[] = [];
  const own = count - greedy;
  progress(`an agent with ${own} jobs`);
  const agent = await start(own, count + stalled);
  const note = (name: string, value: number, unit: string): void => void figures.push({ name, value, unit });
  try {
    const before = await agent.memory();
    progress(`${count} streams: connecting`);
    const all = await openAll(
      agent.origin,
      Array.from({ length: greedy }, () => everything),
    );
    const each = await openAll(
      agent.origin,
      Array.from({ length: own }, (_, at) => queryOf(at)),
    );
    const idle = await agent.memory();
    note('memory for each stream', (idle.rss - before.rss) / count / 1_024, 'KiB');
    const stopped = await openAll(
      agent.origin,
      Array.from({ length: stalled }, () => everything),
    );
    for (const reader of stopped) reader.pause();
    progress(`${rate} writes a second for ${seconds} seconds`);
    await agent.observe();
    const writes = await agent.writeSteadily({ perSecond: rate, milliseconds: seconds * 1_000 });
    const busy = await agent.report();
    const expected = each.map((_, at) => Math.floor(writes / own) + (at < writes % own ? 1 : 0));
    await allReported(
      [
        ...all.map((reader) => [reader, writes] as const),
        ...each.map((reader, at) => [reader, expected[at] ?? 0] as const),
      ],
      mistakes,
    );
    const after = await agent.memory();
    note('writes', writes, '');
    noteLags([...all, ...each], note);
    note('processor of the agent', busy.cpu / (seconds * 10), '%');
    note('delay of the event loop, p99', busy.p99, 'ms');
    note('memory more than before the writes', (after.rss - idle.rss) / 1_048_576, 'MiB');
    progress('those that did not read go on');
    for (const reader of stopped) reader.resume();
    await allReported(
      stopped.map((reader) => [reader, writes] as const),
      mistakes,
    );
    for (const reader of [...all, ...each, ...stopped]) reader.close();
  } finally {
    await agent.close();
  }
  progress('');
  return { figures, mistakes };
}

function noteLags(
  readers: readonly EventReader[],
  note: (name: string, value: number, unit: string) => void,
): void {
  const lags = readers.flatMap((reader) => reader.lags).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? NaN;
  note('events', lags.length, '');
  note('from the write to the reader, median', at(0.5), 'ms');
  note('p99', at(0.99), 'ms');
  note('longest', at(1), 'ms');
}

/** Streams that are opened at a time: a server accepts a few hundred before it gets to them. */
const openedAtOnce = 100;

async function openAll(origin: string, paths: readonly string[]): Promise<readonly EventReader[]> {
  const readers: EventReader[] = [];
  for (let at = 0; at < paths.length; at += openedAtOnce) {
    const opening = paths.slice(at, at + openedAtOnce).map((each) => openEventReader(origin, each));
    readers.push(...(await Promise.all(opening)));
  }
  return readers;
}

/** Milliseconds after which a missing event counts as lost. */
const timeoutMs = 20_000;

/** Waits until each has received the expected number of events, without duplicates and gaps. */
async function allReported(
  readers: readonly (readonly [EventReader, number])[],
  mistakes: string[],
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end && readers.some(([reader, count]) => reader.events() < count))
    await pause(20);
  for (const [at, [reader, count]] of readers.entries()) {
    if (reader.events() !== count)
      mistakes.push(`reader ${at} is told of ${reader.events()} events and not ${count}`);
    if (reader.hasGap()) mistakes.push(`reader ${at} is told of a gap`);
  }
}
