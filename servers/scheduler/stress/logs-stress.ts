import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogCluster } from './log-cluster.js';
import { openLogReader, type LogReader } from './log-reader.js';
import type { Metric, Progress } from '../../http/stress/proof.js';

export interface LogsOptions {
  /** Followers of one log. */
  readonly followers: number;
  /** Megabytes that a task writes in a second. */
  readonly rate: number;
  /** How long each part takes. */
  readonly seconds: number;
  /** Null if the machine may be busy with other work. */
  readonly bounds: LogsBounds | null;
  readonly start: (maxFileStreams: number) => Promise<LogCluster>;
  readonly progress: Progress;
}

export interface LogsResult {
  readonly figures: readonly Metric[];
  /** Violated requirements. */
  readonly mistakes: readonly string[];
}

/** Bounds of its cost. Megabytes are memory in excess of idle agents. */
export interface LogsBounds {
  readonly followerKilobytes: number;
  readonly serverMegabytes: number;
  readonly clientMegabytes: number;
  /** Milliseconds, p99. */
  readonly others: number;
}

export const logsBounds: LogsBounds = Object.freeze({
  followerKilobytes: 200,
  serverMegabytes: 250,
  clientMegabytes: 350,
  others: 250,
});

const talking = `let n = 0; setInterval(() => console.log('line ' + n++ + ' ' + Date.now()), 50)`;

/** Writes so many megabytes a second, or as many as are taken. */
function flooding(megabytes: number): string {
  return `const { writeSync } = require('node:fs'); const piece = Buffer.alloc(1e6, 'x'.repeat(99) + '\\n'); let sent = 0; const begin = Date.now();
    (function go() { while (sent < (Date.now() - begin) * ${megabytes} / 1e3) { let at = 0; while (at < piece.length) at += writeSync(1, piece, at); sent += 1; } setTimeout(go, 5); })()`;
}

/** The result of a run. */
interface Report {
  readonly figures: Metric[];
  readonly mistakes: string[];
  readonly bounds: LogsBounds | null;
}

function note({ figures }: Report, name: string, value: number, unit: string): void {
  figures.push({ name, value, unit });
}

/** Records a figure with its bound, if bounds apply. */
function noteBounded(
  report: Report,
  bound: keyof LogsBounds,
  name: string,
  value: number,
  unit: string,
): void {
  note(report, name, value, unit);
  const max = report.bounds?.[bound] ?? Infinity;
  if (!(value <= max)) report.mistakes.push(`${name}: ${value.toFixed(0)} ${unit}, at most ${max}`);
}

/** Runs many followers of one log, and a few of a log that is written faster than they can read. */
export async function stressLogs(options: LogsOptions): Promise<LogsResult> {
  const { bounds, followers, progress, rate, start } = options;
  const report: Report = { figures: [], mistakes: [], bounds };
  const cluster = await start(followers + 10);
  try {
    progress(`${followers} followers of one log`);
    await followTogether(cluster, options, report);
    progress(`a task that writes ${rate} MB a second`);
    await followFlood(cluster, options, report);
  } finally {
    await cluster.close();
  }
  progress('');
  return report;
}

const logOf = ({ origin }: LogCluster, id: string, more = ''): string =>
  `${origin}/v1/client/fs/logs/${id}?task=main&type=stdout&follow=true&plain=true${more}`;

async function followTogether(
  cluster: LogCluster,
  { followers, seconds }: Pick<LogsOptions, 'followers' | 'seconds'>,
  report: Report,
): Promise<void> {
  const { bounds, mistakes } = report;
  const id = await cluster.run('talking', talking);
  const idle = cluster.memory();
  const readers: LogReader[] = [];
  while (readers.length < followers) {
    const some = Array.from({ length: Math.min(100, followers - readers.length) }, () =>
      openLogReader(logOf(cluster, id)),
    );
    readers.push(...(await Promise.all(some)));
  }
  await pause(1_000);
  const begin = readers.map(({ lines }) => lines());
  const others = callOthers(cluster.origin);
  await pause(seconds * 1_000);
  const waits = await others.end();
  const busy = cluster.memory();
  const lags = readers.flatMap((reader, at) => reader.lags.slice(begin[at])).sort((a, b) => a - b);
  const each = (busy.server - idle.server) / followers / 1_024;
  noteBounded(
    report,
    'followerKilobytes',
    `memory of the server for each of ${followers} followers`,
    each,
    'KiB',
  );
  note(report, 'memory of the client more than without them', (busy.client - idle.client) / 1_048_576, 'MiB');
  note(report, 'lines that were read', lags.length, '');
  note(report, 'from the task to the reader, median', at(lags, 0.5), 'ms');
  note(report, 'p99', at(lags, 0.99), 'ms');
  noteOthers(waits, report);
  const missed = readers.filter((reader) => reader.isBroken() || reader.isDone()).length;
  if (missed > 0) mistakes.push(`${missed} followers have missed lines`);
  // A line every 50 milliseconds; some are on their way.
  const fewest = Math.min(...readers.map(({ lines }, index) => lines() - (begin[index] ?? 0)));
  if (bounds !== null && fewest < seconds * 15)
    mistakes.push(`a follower has read ${fewest} lines in ${seconds} seconds`);
  for (const reader of readers) reader.close();
  await cluster.api.delete('/v1/job/talking');
  await pause(1_000);
}

async function followFlood(
  cluster: LogCluster,
  { rate, seconds }: Pick<LogsOptions, 'rate' | 'seconds'>,
  report: Report,
): Promise<void> {
  const { bounds, mistakes } = report;
  const idle = cluster.memory();
  const id = await cluster.run('flood', flooding(rate));
  const quick = await openLogReader(logOf(cluster, id));
  const stalled = await openLogReader(logOf(cluster, id));
  const slow = await openLogReader(logOf(cluster, id));
  stalled.pause();
  const limping = limp(slow);
  const max = { server: 0, client: 0 };
  const sampling = setInterval(() => {
    const { server, client } = cluster.memory();
    max.server = Math.max(max.server, server - idle.server);
    max.client = Math.max(max.client, client - idle.client);
  }, 100);
  const others = callOthers(cluster.origin);
  const [before, began] = [quick.bytes(), performance.now()];
  await pause(seconds * 1_000);
  const read = (quick.bytes() - before) / 1e3 / (performance.now() - began);
  const waits = await others.end();
  clearInterval(sampling);
  clearInterval(limping);
  note(report, 'a follower reads of a flood', read, 'MB/s');
  noteBounded(report, 'serverMegabytes', 'memory of the server, most', max.server / 1_048_576, 'MiB');
  noteBounded(report, 'clientMegabytes', 'memory of the client, most', max.client / 1_048_576, 'MiB');
  noteOthers(waits, report);
  if (bounds !== null && read < 1) mistakes.push('a follower of a flood is held up');
  if (slow.isDone()) mistakes.push('a slow follower was cut off');
  for (const reader of [quick, stalled, slow]) reader.close();
  await cluster.api.delete('/v1/job/flood');
}

/** Lets a reader read a little, twice a second. */
function limp(reader: LogReader): NodeJS.Timeout {
  return setInterval(() => {
    reader.resume();
    setTimeout(() => reader.pause(), 5);
  }, 500);
}

/** Sends a short request repeatedly, on a separate connection. */
function callOthers(origin: string): { end(): Promise<readonly number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: number[] = [];
  let shouldYield = false;
  const pending = (async () => {
    for (let count = 0; !shouldYield; count += 1) {
      const begin = performance.now();
      await new Promise<void>((resolve, reject) => {
        const path = count % 2 === 0 ? '/v1/nodes' : '/v1/allocations';
        get(`${origin}${path}`, { agent }, (response) => void response.resume().on('end', resolve)).on(
          'error',
          reject,
        );
      });
      waits.push(performance.now() - begin);
      await pause(10);
    }
  })();
  return {
    async end() {
      shouldYield = true;
      await pending;
      agent.destroy();
      return waits.sort((a, b) => a - b);
    },
  };
}

function noteOthers(waits: readonly number[], report: Report): void {
  note(report, 'other requests meanwhile, median', at(waits, 0.5), 'ms');
  noteBounded(report, 'others', 'p99 of them', at(waits, 0.99), 'ms');
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
