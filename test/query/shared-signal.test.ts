import { expect, it } from 'vitest';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

it('adds a bounded number of listeners to a signal that many watches share, and ends all of them', async () => {
  const table = createTable(defineSchema({ ID: t.string, N: t.int }), { key: 'ID' });
  table.put({ ID: 'a', N: 1 });
  const list = createList(table);
  const ending = new AbortController();
  const { signal } = ending;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  };
  const watches = Array.from({ length: 50 }, async () => {
    let seen = 0;
    try {
      for await (const _ of list.watch({ filter: 'N > 0' }, signal)) seen += 1;
    } catch {
      // A watch may end with the reason of the signal.
    }
    return seen;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  ending.abort();
  await Promise.all(watches);
  expect(listeners).toBeLessThanOrEqual(4);
});
