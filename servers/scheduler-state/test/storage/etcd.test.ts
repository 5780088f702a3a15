import { compactTo } from '@tamis/etcd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../../../etcd/src/protocol/methods.js';
import { prefixRange, putOperation, rangeRequest } from '../../../etcd/src/protocol/requests.js';
import type { Entry, LogEvent } from '@tamis/scheduler-state/storage/storage.js';
import { nextIncarnation } from '@tamis/scheduler-state/storage/etcd/log-state.js';
import { jsonSize } from 'tamis/internal';
import { maxRowSize } from '@tamis/scheduler-state/state/row-size.js';
import { etcdLogs, etcdMissing, startCluster, type Cluster } from '../support/etcd-logs.js';
import { readContents } from '../support/storage-log.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

function entry(id: string, after: string, rows: Readonly<Record<string, object>>): Entry {
  const index = Number(id.slice(1));
  const puts = Object.entries(rows).map(([key, row]) => ({ table: 'things', key, row }));
  return { id, after, term: 1, batch: { index, puts, deletes: [], tableIndexes: { things: index } } };
}

async function nextOf(events: AsyncIterator<LogEvent>): Promise<LogEvent> {
  const { value } = (await events.next()) as { value: LogEvent };
  return value;
}

/** Texts that are as hard to compress as texts can be. */
function noise(length: number): string {
  let text = '';
  for (let seed = 1; text.length < length;) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += String.fromCharCode(0x20 + ((seed >>> 8) % 0xd7e0));
  }
  return text;
}

describe.skipIf(etcdMissing !== undefined)(`a log of the scheduler in etcd${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ quota: 24 << 20 });
  });
  afterAll(() => cluster.stop());

  it('has rows that an operator can read, below names that he knows', async () => {
    const connection = cluster.connect();
    const storage = etcdLogs(connection, '/names/').open();
    await storage.append(entry('e1', '', { 'a/b': { ID: 'x' } }));
    const { kvs } = await connection.call(methods.range, rangeRequest(prefixRange('/names/r/')));
    expect(kvs.map(({ key, value }) => [key.toString(), value.toString()])).toEqual([
      ['/names/r/things/a/b', 'w{"ID":"x"}'],
    ]);
    await storage.close();
  });

  it('takes every row that the state takes', async () => {
    const storage = etcdLogs(cluster.connect(), '/large/').open();
    const rows = [300_000, 349_000, 349_500].map((length) => ({ text: noise(length) }));
    expect(rows.every((row) => jsonSize(row) <= maxRowSize)).toBe(true);
    for (const [at, row] of rows.entries())
      expect(
        await storage.append(entry(`e${at + 1}`, at === 0 ? '' : `e${at}`, { [noise(1_000)]: row })),
      ).toEqual({
        kind: 'committed',
      });
    expect((await readContents(storage)).rows.map(({ row }) => row)).toEqual(rows.slice(-1));
    await storage.close();
  });

  it('refuses a row that cannot be stored, and goes on', async () => {
    const storage = etcdLogs(cluster.connect(), '/refused/').open();
    const refused = expect(storage.append(entry('e1', '', { ['k'.repeat(1_100_000)]: {} }))).rejects;
    await refused.toMatchObject({ code: 'write-failed', reason: 'a row is larger than etcd takes' });
    expect(await storage.append(entry('e2', '', { a: {} }))).toEqual({ kind: 'committed' });
    await storage.close();
  });

  it('gives a server its own rows back as they are, and others their equals with the tables that changed', async () => {
    const connection = cluster.connect();
    const logs = etcdLogs(connection, '/equal/');
    const [own, other] = [logs.open(), logs.open()];
    const [ownEvents, otherEvents] = [own.subscribe(), other.subscribe()];
    await Promise.all([ownEvents.next(), otherEvents.next()]);
    const first = entry('e1', '', { a: { at: 1n } });
    await own.append(first);
    expect(await nextOf(ownEvents)).toMatchObject({ kind: 'batch', id: 'e1' });
    // The first batch begins the history.
    const incarnation = expect.any(Number) as number;
    expect(await nextOf(otherEvents)).toEqual({ kind: 'batch', id: 'e1', batch: first.batch, incarnation });
    const second: Entry = {
      ...entry('e2', 'e1', {}),
      batch: { index: 2, puts: [], deletes: [{ table: 'things', key: 'a' }], tableIndexes: { others: 2 } },
    };
    await own.append(second);
    const mine = await nextOf(ownEvents);
    expect(mine.kind === 'batch' && mine.batch).toBe(second.batch);
    expect(await nextOf(otherEvents)).toMatchObject({
      batch: { deletes: second.batch.deletes, tableIndexes: { others: 2 } },
    });
    expect((await readContents(other)).tableIndexes).toEqual({ things: 1, others: 2 });
    await Promise.all([own.close(), other.close()]);
  });

  it('gives the contents again where batches are gone', async () => {
    const connection = cluster.connect();
    const logs = etcdLogs(connection, '/gone/');
    const [writer, reader] = [logs.open(), logs.open()];
    await writer.append(entry('e1', '', { a: {} }));
    const events = reader.subscribe();
    expect(await nextOf(events)).toMatchObject({ kind: 'reset', contents: { id: 'e1', index: 1 } });
    await writer.append(entry('e2', 'e1', { b: {} }));
    await writer.append(entry('e3', 'e2', { c: {} }));
    const { header } = await connection.call(methods.range, rangeRequest({ key: 'x' }));
    await compactTo(connection, Number(header!.revision));
    const again = await nextOf(events);
    if (again.kind !== 'reset') throw new Error('no reset');
    expect(again.contents).toMatchObject({ id: 'e3', index: 3, tableIndexes: { things: 3 } });
    const keys: string[] = [];
    for await (const { key } of again.contents.rows) keys.push(key);
    expect(keys).toEqual(['a', 'b', 'c']);
    await writer.append(entry('e4', 'e3', {}));
    expect(await nextOf(events)).toMatchObject({ kind: 'batch', id: 'e4' });
    await Promise.all([writer.close(), reader.close()]);
  });

  it.each([
    ['of a later version', '{"format":2,"index":1,"tableIndexes":{}}', 'newer', /start that version/],
    ['of another program', '"hello"', 'foreign', /name another prefix/],
    ['without indexes', '{"format":1,"index":1}', 'foreign', /name another prefix/],
  ])('refuses a head %s', async (what, state, code, message) => {
    const prefix = `/heads/${what}/`;
    const connection = cluster.connect();
    const head = Buffer.from(JSON.stringify({ id: 'x', incarnation: 'y', staged: 0, state }));
    const success = [putOperation(`${prefix}head`, head)];
    await connection.call(methods.txn, { compare: [], failure: [], success });
    const storage = etcdLogs(connection, prefix).open();
    const events = storage.subscribe();
    const failed = expect(events.next()).rejects;
    await failed.toMatchObject({ code });
    await failed.toThrow(message);
    await storage.close();
  });

  it.each([
    ['a row without a table', 'r/lost', Buffer.from('w{}'), /without a table: "lost"/],
    [
      'a row that is no JSON',
      'r/things/a',
      Buffer.from('w{'),
      /row of "things" that cannot be read: it is no JSON/,
    ],
    [
      'a row that was compressed otherwise',
      'r/things/a',
      Buffer.from('z{'),
      /row of "things" that cannot be read/,
    ],
  ])('names %s', async (what, key, value, message) => {
    const prefix = `/rows/${what}/`;
    const connection = cluster.connect();
    await connection.call(methods.txn, {
      compare: [],
      failure: [],
      success: [putOperation(prefix + key, value)],
    });
    const storage = etcdLogs(connection, prefix).open();
    await expect(readContents(storage)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(message) as string,
    });
    await storage.close();
  });

  it('reports that etcd is full, and continues when it is not', async () => {
    const connection = cluster.connect();
    const storage = etcdLogs(connection, '/full/').open();
    let last = '';
    const fill = async (): Promise<void> => {
      for (let at = 1; at <= 200; at += 1) {
        const id = `e${at}`;
        await storage.append(entry(id, last, { [id]: { text: noise(349_000) } }));
        last = id;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'write-failed', reason: 'etcd has no space left' });
    await expect(storage.probe()).rejects.toMatchObject({ reason: 'etcd has no space left' });
    expect((await readContents(storage)).id).toBe(last);
    cluster.control(['del', '--prefix', '/large/']);
    cluster.control(['del', '--prefix', '/full/r/']);
    const { header } = await connection.call(methods.range, rangeRequest({ key: 'x' }));
    await compactTo(connection, Number(header!.revision));
    cluster.control(['defrag']);
    cluster.control(['alarm', 'disarm']);
    await storage.probe();
    expect(await storage.append(entry('e900', last, {}))).toEqual({ kind: 'committed' });
    await storage.close();
  });

  it('reports that etcd cannot be reached, without its address', async () => {
    const nowhere = cluster.connect({ endpoints: ['http://127.0.0.1:1'] });
    const storage = etcdLogs(nowhere, '/nowhere/').open();
    await expect(storage.probe()).rejects.toMatchObject({
      code: 'write-failed',
      reason: 'etcd cannot be reached',
      message: expect.stringContaining('127.0.0.1:1') as string,
    });
    await storage.close();
  });
});

describe('the number of a history', () => {
  it('is that of no other that follows the same one, however late the clock is', () => {
    const before = 5_000_000;
    const numbers = new Set(Array.from({ length: 40 }, () => nextIncarnation(before, 4_000_000)));
    expect(numbers.size).toBeGreaterThan(20);
    for (const number of numbers) expect(number).toBeGreaterThan(before);
    expect(nextIncarnation(before, 9_000_000)).toBe(9_000_000);
  });
});
