import { expect, it } from 'vitest';
import { createListeners } from '../src/index.js';

it('returns the callers in order, with repeats, up to the maximum', () => {
  const { subscribe, notify } = createListeners<[number]>();
  const notified: string[] = [];
  const first = (value: number): void => void notified.push(`first ${value}`);
  const ends = [
    subscribe(first),
    subscribe(first),
    subscribe((value) => void notified.push(`second ${value}`)),
  ];
  notify(1);
  ends[0]!();
  ends[0]!();
  notify(2);
  expect(notified).toEqual(['first 1', 'first 1', 'second 1', 'first 2', 'second 2']);
});

it('also calls listeners removed meanwhile, but not those added', () => {
  const { subscribe, notify } = createListeners();
  const notified: string[] = [];
  let end = (): void => undefined;
  subscribe(() => {
    end();
    subscribe(() => void notified.push('late'));
  });
  end = subscribe(() => void notified.push('early'));
  notify();
  expect(notified).toEqual(['early']);
});
