import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Processes } from '@tamis/http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { openStore } from '../support/open-store.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-owner-'));
});
afterEach(() => rm(directory, { recursive: true }));

const at = (): number => Date.UTC(2030, 0, 2, 3, 4, 5);
/** A machine on which these processes run, by number. */
const machine = (self: number, births: Readonly<Record<number, string>>): Processes => ({
  self,
  isRunning: (pid) => Object.hasOwn(births, pid),
  birth: (pid) => births[pid] ?? '',
});

it('a store belongs to one process, which a second one is told', async () => {
  const first = await openLmdbStorage(directory, machine(7, { 7: 'monday' }), at);
  await first.write([{ path: 'a', value: Buffer.of(1) }]);
  const second = openLmdbStorage(directory, machine(8, { 7: 'monday', 8: 'tuesday' }), at);
  await expect(second).rejects.toThrow(
    'is in use by process 7 since 2030-01-02T03:04:05.000Z: stop it first',
  );
  expect(await first.list('')).toEqual(['a']);
  await first.close();
  const third = await openLmdbStorage(directory, machine(8, { 7: 'monday', 8: 'tuesday' }), at);
  expect(await third.get('a')).not.toBeNull();
  await third.close();
});

it.each([
  ['is gone', { 8: 'tuesday' }],
  ['has left its number to another', { 7: 'wednesday', 8: 'tuesday' }],
])('a store whose process %s is free', async (_, births) => {
  const killed = await openLmdbStorage(directory, machine(7, { 7: 'monday' }), at);
  await killed.write([{ path: 'a', value: Buffer.of(1) }]);
  const next = await openLmdbStorage(directory, machine(8, births), at);
  expect(await next.list('')).toEqual(['a']);
  await next.close();
  await killed.close();
});

it('a store that was closed is free for the same process', async () => {
  for (let round = 0; round < 3; round += 1) await (await openStore(directory)).close();
  const held = await openStore(directory);
  await expect(openStore(directory)).rejects.toThrow(`is in use by process ${process.pid} since `);
  await held.close();
});
