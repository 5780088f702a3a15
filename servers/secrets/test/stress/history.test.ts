import { describe, expect, it } from 'vitest';
import { findViolations, type Operation } from '../../stress/cluster/history.js';

type Outcome = 'done' | 'refused' | 'unknown';

const write = (value: number, started: number, ended: number, outcome: Outcome = 'done'): Operation => ({
  ...{ kind: 'write', key: 'k', value, startedAt: started, ended, outcome },
});
const read = (value: number, started: number, ended: number): Operation => ({
  ...{ kind: 'read', key: 'k', value, startedAt: started, ended },
});
const use = (started: number, outcome: Outcome = 'done', max = 2): Operation => ({
  ...{ kind: 'use', key: 't', startedAt: started, ended: started + 1, outcome, max },
});

describe('the checker of histories', () => {
  it.each<[string, Operation[]]>([
    ['nothing', []],
    ['a write and reads behind it', [write(1, 0, 1), read(1, 2, 3), read(1, 4, 5)]],
    ['a read during a write, old or new', [write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)]],
    ['a write without a response that happened', [write(1, 0, 5, 'unknown'), read(0, 6, 7), read(1, 8, 9)]],
    ['a write without a response that did not', [write(1, 0, 5, 'unknown'), read(0, 6, 7)]],
    ['concurrent reads', [write(1, 0, 9), read(1, 1, 6), read(0, 2, 7)]],
    ['all uses', [use(0), use(2), use(4, 'refused')]],
    ['uses that nobody knows of', [use(0), use(2, 'unknown'), use(4, 'refused')]],
    ['a use that was refused during others', [use(0), use(4, 'refused'), use(4)]],
  ])('takes %s', (_, history) => {
    expect(findViolations(history)).toEqual([]);
  });

  it.each<[string, Operation[]]>([
    ['an acknowledged write that is lost', [write(1, 0, 1), read(0, 2, 3)]],
    ['an old value after a new one was acknowledged', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    ['a value that nobody wrote', [write(1, 0, 1), read(7, 2, 3)]],
    ['a value that was refused', [write(1, 0, 1, 'refused'), read(1, 2, 3)]],
    ['a value before its write', [read(1, 0, 1), write(1, 2, 3)]],
    ['a value that goes back to nothing', [write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
    ['a value that goes back', [write(1, 0, 1), write(2, 2, 99), read(2, 3, 4), read(1, 5, 6)]],
    ['an unknown write that was seen and is gone', [write(1, 0, 1, 'unknown'), read(1, 2, 3), read(0, 4, 5)]],
    ['a revoked token that lives', [write(1, 0, 1), write(2, 2, 3), read(2, 4, 5), read(1, 6, 7)]],
    ['a revoked token that lives at one server', [write(1, 0, 1), write(2, 2, 3), read(1, 3.5, 9)]],
    ['a token that was never there', [write(1, 0, 1), read(0, 1.5, 2)]],
    ['one use too many', [use(0), use(2), use(4)]],
    ['one use too few', [use(0), use(2, 'refused')]],
    ['a use after a refusal', [use(0), use(2, 'refused'), use(4)]],
    ['many uses too many, some unknown', [use(0), use(1), use(2), use(3, 'unknown')]],
    ['a write that was refused and seen late', [write(1, 0, 1), write(2, 2, 3, 'refused'), read(2, 9, 10)]],
  ])('refuses %s', (_, history) => {
    expect(findViolations(history)).not.toEqual([]);
  });
});
