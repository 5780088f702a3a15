import { expect, it } from 'vitest';
import { createProgress } from '../../src/commands/progress.js';

async function* numbers(count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve(String(at));
}

async function watch(count: number, done: () => number | null): Promise<{ lines: number; shown: string[] }> {
  const shown: string[] = [];
  const progress = createProgress((text) => void shown.push(text), done);
  let lines = 0;
  for await (const line of progress.watch(numbers(count))) lines += line === '' ? 0 : 1;
  progress.end();
  progress.end();
  return { lines, shown: shown.map((text) => text.replaceAll('\r\u001b[K', '<')) };
}

it('counts long inputs on a terminal and takes the count off again', async () => {
  expect(await watch(12_000, () => 0.456)).toEqual({
    lines: 12_000,
    shown: ['<read 5,000 lines, 45 %', '<read 10,000 lines, 45 %', '<writing what 12,000 lines hold', '<'],
  });
  expect((await watch(5_000, () => null)).shown).toEqual([
    '<read 5,000 lines',
    '<writing what 5,000 lines hold',
    '<',
  ]);
  expect((await watch(4_999, () => null)).shown).toEqual([]);
});

it('is silent where there is no terminal', () => {
  const lines = numbers(1);
  const progress = createProgress(null, () => null);
  expect(progress.watch(lines)).toBe(lines);
  expect(() => progress.end()).not.toThrow();
});
