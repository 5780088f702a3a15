import { expect, it } from 'vitest';
import { createProgress } from '../../src/commands/progress.js';

async function* numbers(count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve(String(at));
}

async function watch(count: number, done: () => number | null): Promise<{ lines: number; shown: string[] }> {
  const shown: string[] = [];
  const progress = createProgress('read', (text) => void shown.push(text), done);
  let lines = 0;
  for await (const line of progress.watch(numbers(count))) lines += line === '' ? 0 : 1;
  return { lines, shown };
}

it('counts long inputs on a terminal and takes the count off again', async () => {
  expect(await watch(12_000, () => 0.456)).toEqual({
    lines: 12_000,
    shown: ['\rread 5,000 lines, 45 %', '\rread 10,000 lines, 45 %', '\r\u001b[K'],
  });
  expect((await watch(5_000, () => null)).shown).toEqual(['\rread 5,000 lines', '\r\u001b[K']);
  expect((await watch(4_999, () => null)).shown).toEqual([]);
});

it('is silent where there is no terminal', () => {
  const lines = numbers(1);
  expect(createProgress('read', null, () => null).watch(lines)).toBe(lines);
});
