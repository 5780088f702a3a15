import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TamperedEntryError } from '../../src/seal/encrypted-storage.js';
import { deriveNameKeys, hideNames } from '../../src/seal/hidden-names.js';
import { createSeal } from '../../src/seal/seal.js';
import { createSortedNames } from '../../src/seal/sorted-names.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage, StoredEntry } from '../../src/storage/storage.js';

async function entriesOf({ entries }: RootStorage): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entry of entries()) found.push(entry);
  return found;
}

const text = (value: Uint8Array | null): string | null =>
  value === null ? null : Buffer.from(value).toString();

it('hides every path below, and finds what was written after it is opened again', async () => {
  const below = createMemoryStorage();
  const key = randomBytes(32);
  const first = await hideNames(below, deriveNameKeys(Buffer.from(key)), randomBytes);
  await first.write([
    { path: 'auth/cloud/role/dev', value: Buffer.from('1') },
    { path: 'auth/cloud/role/prod', value: Buffer.from('2') },
    { path: 'sys/policy/all', value: Buffer.from('') },
  ]);
  await first.write([{ path: 'auth/cloud/role/prod', value: null }]);
  const raw = (await entriesOf(below)).map(
    ([path, value]) => `${path} ${Buffer.from(value).toString('latin1')}`,
  );
  expect(raw).toHaveLength(2);
  expect(raw.join().match(/auth|cloud|role|dev|policy/)).toBeNull();
  const second = await hideNames(below, deriveNameKeys(Buffer.from(key)), randomBytes);
  expect(await second.list('')).toEqual(['auth/cloud/role/dev', 'sys/policy/all']);
  expect(await second.list('auth/cloud/role/d')).toEqual(['auth/cloud/role/dev']);
  expect(text(await second.get('auth/cloud/role/dev'))).toBe('1');
  expect(text(await second.get('sys/policy/all'))).toBe('');
  expect(await second.get('auth/cloud/role/prod')).toBeNull();
});

it('notices another key, and rows that were exchanged', async () => {
  const below = createMemoryStorage();
  const key = randomBytes(32);
  const storage = await hideNames(below, deriveNameKeys(Buffer.from(key)), randomBytes);
  await storage.write(['a', 'b'].map((path) => ({ path, value: Buffer.from(path) })));
  await expect(hideNames(below, deriveNameKeys(randomBytes(32)), randomBytes)).rejects.toThrow(
    TamperedEntryError,
  );
  const [[one, value], [other, otherValue]] = (await entriesOf(below)) as [
    [string, Uint8Array],
    [string, Uint8Array],
  ];
  await below.write([
    { path: one, value: otherValue },
    { path: other, value },
  ]);
  await expect(hideNames(below, deriveNameKeys(Buffer.from(key)), randomBytes)).rejects.toThrow(
    TamperedEntryError,
  );
});

it('opens a store that hides its names under every key that it has had', async () => {
  const below = createMemoryStorage();
  const seal = createSeal(below, randomBytes, () => 0, true);
  const unsealKey = await seal.initialize((draft) =>
    draft.write([{ path: 'sys/policy/one', value: Buffer.from('1') }]),
  );
  let opened = await seal.open(unsealKey);
  await opened.keyring.rotate();
  opened = await opened.again();
  expect(text(await opened.storage.get('sys/policy/one'))).toBe('1');
  const next = await opened.makeNextKey();
  const standby = await seal.open(unsealKey);
  await opened.confirmNextKey(next);
  await expect(standby.again()).rejects.toThrow(TamperedEntryError);
  expect(text(await (await opened.again()).storage.get('sys/policy/one'))).toBe('1');
  expect(text(await (await seal.open(next)).storage.get('sys/policy/one'))).toBe('1');
  expect(
    (await entriesOf(below)).map(([path]) => path).filter((path) => !/^(?:core|x)\//.test(path)),
  ).toEqual([]);
});

it('refuses a store whose names are readable where they must not be', async () => {
  const below = createMemoryStorage();
  const key = await createSeal(below, randomBytes, () => 0).initialize(async () => undefined);
  await expect(createSeal(below, randomBytes, () => 0, true).open(key)).rejects.toMatchObject({
    code: 'conflict',
  });
});

it('sorts names by their bytes, as a list that is sorted each time does', () => {
  const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('a/', 'a/b', 'a', ''));
  const step = fc.record({ name, isAdded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(name), fc.array(step, { maxLength: 60 }), name, (given, steps, prefix) => {
      const clean = (texts: readonly string[]): string[] => texts.map((each) => Buffer.from(each).toString());
      const names = createSortedNames(clean(given));
      const model = new Set(clean(given));
      for (const { name: text, isAdded } of steps) {
        const [each] = clean([text]) as [string];
        if (isAdded) names.add(each);
        else names.remove(each);
        if (isAdded) model.add(each);
        else model.delete(each);
      }
      const bytes = Buffer.from(prefix);
      const expected = [...model]
        .map((each) => Buffer.from(each))
        .filter((each) => each.subarray(0, bytes.length).equals(bytes))
        .sort((a, b) => Buffer.compare(a, b))
        .map((each) => each.toString());
      expect(names.startingWith(Buffer.from(prefix).toString())).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

it('keeps thousands of names in order', () => {
  const all = Array.from({ length: 5_000 }, (_, at) => `n/${String((at * 7_919) % 5_000).padStart(4, '0')}`);
  const names = createSortedNames(all.slice(0, 1_000));
  for (const each of all) names.add(each);
  expect(names.startingWith('n/')).toEqual([...all].sort());
  for (const each of all) names.remove(each);
  expect(names.startingWith('')).toEqual([]);
});
