import { expect, it } from 'vitest';
import { createAllocationFeed } from '@tamis/scheduler-node/allocation-feed.js';
import type { AllocationLine } from '@tamis/scheduler-node/server-link.js';

it.each([
  ['an older answer of the same history', { incarnation: 5, index: 6 }, false],
  ['the same answer of another server', { incarnation: 5, index: 7 }, true],
  ['a newer one', { incarnation: 5, index: 8 }, true],
  ['one of another history', { incarnation: 9, index: 2 }, true],
])('%s: a client that has heard of index 7 in history 5', async (_name, age, isTaken) => {
  const left: number[] = [];
  let next = { incarnation: 5, index: 7 };
  const feed = createAllocationFeed({
    nodeId: 'n1',
    link: {
      async *allocations(): AsyncGenerator<AllocationLine> {
        yield { kind: 'begin', history: `of ${next.index}`, isWhole: true, ...next };
        yield { kind: 'end', count: 0 };
      },
    },
    listener: { changed: () => undefined, left: () => void left.push(next.index) },
  });
  const pull = (): Promise<void> => feed.pull(new AbortController().signal);
  await pull();
  next = age;
  if (isTaken) await pull();
  else await expect(pull()).rejects.toThrow('it is older than what was heard before');
  expect(left).toEqual(isTaken ? [7, age.index] : [7]);
  // All servers have caught up before they respond: if one stays older, its state was restored.
  while (left.length < 2) await pull().catch(() => undefined);
  expect(left).toEqual([7, age.index]);
});
