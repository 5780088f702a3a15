// npm run figures -w servers/etcd: measures the kit with three members on this machine, with the noise of the machine.
import { watchRange } from '../src/watch/watch.js';
import { loadRange } from '../src/log/load.js';
import { monotonicClock, type Connection } from '../src/index.js';
import { methods } from '../src/protocol/methods.js';
import { prefixRange, putOperation, rangeRequest } from '../src/protocol/requests.js';
import { startCluster } from '../test/support/etcd-cluster.js';

const seconds = 3;
const rowCount = 200_000;
const row = Buffer.alloc(1_024, 'x');

async function put(connection: Connection, key: string, value: Buffer): Promise<number> {
  const request = { compare: [], success: [putOperation(key, value)], failure: [] };
  const { header } = await connection.call(methods.txn, request);
  return Number(header?.revision ?? 0);
}

/** Calls per second at a given concurrency; minimum and maximum of the measured seconds. */
async function rate(name: string, lanes: number, call: (lane: number) => Promise<unknown>): Promise<void> {
  const counts = Array<number>(seconds).fill(0);
  const begin = performance.now();
  const run = async (lane: number): Promise<void> => {
    for (;;) {
      await call(lane);
      const second = Math.floor((performance.now() - begin) / 1_000);
      if (second >= seconds) return;
      counts[second] = (counts[second] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  console.log(`${name}, ${lanes} at a time: ${Math.min(...counts)} to ${Math.max(...counts)} a second`);
}

/** Milliseconds from the acknowledgement of a put on one connection to its event on another. */
async function watchLag(writer: Connection, watcher: Connection): Promise<void> {
  const stop = new AbortController();
  const seen = new Map<number, number>();
  const watching = (async () => {
    for await (const { revision } of watchRange(watcher, prefixRange('lag/'), 1, stop.signal))
      seen.set(revision, performance.now());
  })();
  const lags: number[] = [];
  for (let n = 0; n < 500; n += 1) {
    const revision = await put(writer, `lag/${n % 10}`, row);
    const acknowledged = performance.now();
    while (!seen.has(revision)) await new Promise((resolve) => setImmediate(resolve));
    lags.push(Math.max((seen.get(revision) ?? 0) - acknowledged, 0));
  }
  stop.abort();
  await watching;
  lags.sort((a, b) => a - b);
  console.log(`watch lag: p50 ${(lags[250] ?? 0).toFixed(1)} ms, p99 ${(lags[495] ?? 0).toFixed(1)} ms`);
}

async function load(connection: Connection): Promise<void> {
  for (let at = 0; at < rowCount; at += 100) {
    const success = Array.from({ length: 100 }, (_, n) =>
      putOperation(`load/${((at + n) * 7_919) % rowCount}`.padEnd(20, '.'), row),
    );
    await connection.call(methods.txn, { compare: [], success, failure: [] });
  }
  const { header } = await connection.call(methods.range, rangeRequest({ key: 'load/' }));
  for (let time = 0; time < 3; time += 1) {
    const begin = performance.now();
    let count = 0;
    const dependencies = {
      transport: connection,
      clock: monotonicClock,
      signal: new AbortController().signal,
    };
    for await (const page of loadRange(dependencies, prefixRange('load/'), Number(header?.revision ?? 0)))
      count += page.length;
    if (count !== rowCount) throw new Error(`${count} rows were loaded`);
    console.log(`load of ${rowCount} rows of 1 KiB: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  }
}

const cluster = await startCluster({ members: 3 });
try {
  const [one, two] = [cluster.connect(), cluster.connect()];
  for (const lanes of [1, 100]) await rate('puts', lanes, (lane) => put(one, `rate/${lane}`, row));
  for (const lanes of [1, 100])
    await rate('linearizable reads', lanes, () => one.call(methods.range, rangeRequest({ key: 'rate/0' })));
  await watchLag(one, two);
  await load(one);
} finally {
  await cluster.stop();
}
