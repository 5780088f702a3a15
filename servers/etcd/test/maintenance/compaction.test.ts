import { afterEach, beforeEach, expect, it } from 'vitest';
import { compactRegularly } from '../../src/index.js';
import { methods } from '../../src/protocol/methods.js';
import { putOperation } from '../../src/protocol/requests.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { createModelEtcd, type ModelEtcd } from '../support/model-etcd.js';
import { createModelStore } from '../support/model-store.js';

const minute = 60_000;
let clock: FakeClock;
let etcd: ModelEtcd;
let isDue: boolean;
let failures: string[];
let stop: () => Promise<void>;

/** Puts once a minute, so that the newest revision after n minutes is n + 1. */
async function pass(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n += 1) {
    etcd.store.txn({ compare: [], success: [putOperation('x', Buffer.of())], failure: [] });
    await clock.advance(minute);
  }
}

beforeEach(() => {
  clock = createFakeClock();
  etcd = createModelEtcd(createModelStore(), clock);
  isDue = true;
  failures = [];
  const stopping = new AbortController();
  const running = compactRegularly({
    ...{ transport: etcd, clock, isDue: () => isDue, signal: stopping.signal },
    onFailure: ({ code }) => failures.push(code),
  });
  stop = () => {
    stopping.abort();
    return running;
  };
});

afterEach(() => stop());

it('compacts every five minutes to the revision of ten minutes before', async () => {
  await pass(9);
  expect(etcd.store.compacted()).toBe(0n);
  await pass(2);
  expect(etcd.store.compacted()).toBe(1n);
  await pass(5);
  expect(etcd.store.compacted()).toBe(6n);
  await pass(60);
  expect(etcd.store.compacted()).toBe(66n);
});

it('leaves it to others until it is due, and has noted revisions by then', async () => {
  isDue = false;
  await pass(21);
  expect(etcd.store.compacted()).toBe(0n);
  isDue = true;
  await pass(5);
  expect(etcd.store.compacted()).toBe(16n);
});

it('reports a failed compaction, and catches up', async () => {
  await pass(11);
  etcd.fault = (method) => (method === methods.compact.path ? 'lost' : 'none');
  await pass(10);
  expect(failures).toEqual(['unknown', 'unknown']);
  expect(etcd.store.compacted()).toBe(1n);
  etcd.fault = () => 'none';
  await pass(5);
  expect(etcd.store.compacted()).toBe(16n);
});
