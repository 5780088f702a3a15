import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { prefixedStorage } from '../../src/storage/prefixed-storage.js';

it('a part of a store reaches nothing outside of it', async () => {
  const whole = createMemoryStorage();
  const [a, b] = [prefixedStorage(whole, 'a/'), prefixedStorage(whole, 'ab/')];
  await a.write([{ path: 'x', value: Buffer.from('1') }]);
  await b.write([{ path: 'x', value: Buffer.from('2') }]);
  expect(await whole.list('')).toEqual(['a/x', 'ab/x']);
  expect([await a.list(''), await b.list('x'), await a.list('b')]).toEqual([['x'], ['x'], []]);
  await a.write([{ path: 'x', value: null }]);
  expect([await a.get('x'), Buffer.from((await b.get('x'))!).toString()]).toEqual([null, '2']);
  await b.close();
  expect(await whole.list('')).toEqual(['ab/x']);
});
