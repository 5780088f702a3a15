import { expect, it } from 'vitest';
import { createListeners } from '../src/index.js';

it('tells who has asked, in order and as often as it has asked, until it is enough', () => {
  const { subscribe, tell } = createListeners<[number]>();
  const told: string[] = [];
  const first = (value: number): void => void told.push(`first ${value}`);
  const ends = [subscribe(first), subscribe(first), subscribe((value) => void told.push(`second ${value}`))];
  tell(1);
  ends[0]!();
  ends[0]!();
  tell(2);
  expect(told).toEqual(['first 1', 'first 1', 'second 1', 'first 2', 'second 2']);
});

it('tells also those whom another one takes away meanwhile, and not those who come', () => {
  const { subscribe, tell } = createListeners();
  const told: string[] = [];
  let end = (): void => undefined;
  subscribe(() => {
    end();
    subscribe(() => void told.push('late'));
  });
  end = subscribe(() => void told.push('early'));
  tell();
  expect(told).toEqual(['early']);
});
