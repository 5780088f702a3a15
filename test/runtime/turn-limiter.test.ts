import { describe, expect, it } from 'vitest';
import { createTurnLimiter, type ScheduleTask } from '../../src/entries/internal.js';

/** Time that passes only where an action says so, and turns that come when they are called. */
function createWorld(): {
  admit: ScheduleTask;
  /** An action of that many milliseconds, which notes its name. */
  action: (name: string, milliseconds: number) => () => void;
  pass: (milliseconds: number) => void;
  turn: () => number;
  log: string[];
} {
  let time = 0;
  let later: (() => void)[] = [];
  const log: string[] = [];
  return {
    admit: createTurnLimiter({ now: () => time, defer: (each) => void later.push(each) }, 5),
    log,
    action: (name, milliseconds) => () => {
      log.push(name);
      time += milliseconds;
    },
    pass: (milliseconds) => void (time += milliseconds),
    turn() {
      const actions = later;
      later = [];
      const before = log.length;
      for (const each of actions) each();
      return log.length - before;
    },
  };
}

describe('admission', () => {
  it('is at once while the turn has time', () => {
    const { admit, action, log } = createWorld();
    for (const name of ['a', 'b', 'c']) admit(action(name, 2));
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('counts all time since the first of a turn, whatever has used it', () => {
    const { admit, action, pass, turn, log } = createWorld();
    admit(action('a', 1));
    pass(4);
    admit(action('b', 1));
    expect(log).toEqual(['a']);
    expect(turn()).toBe(1);
    expect(log).toEqual(['a', 'b']);
  });

  it('lets a crowd in turn by turn, in the order they came', () => {
    const { admit, action, turn, log } = createWorld();
    const names = Array.from({ length: 40 }, (_, at) => `${at}`);
    for (const name of names) admit(action(name, 1));
    expect(log).toHaveLength(5);
    const turns: number[] = [];
    while (log.length < names.length) turns.push(turn());
    expect(Math.max(...turns)).toBe(5);
    expect(turns.length).toBeLessThan(10);
    expect(log).toEqual(names);
  });

  it('never lets a new caller overtake waiting ones', () => {
    const { admit, action, turn, log } = createWorld();
    admit(action('a', 5));
    admit(action('b', 1));
    turn();
    admit(action('c', 5));
    admit(action('d', 1));
    admit(action('e', 1));
    while (turn() > 0);
    expect(log).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('lets one in each turn even if each takes longer than a turn', () => {
    const { admit, action, turn, log } = createWorld();
    for (const name of ['a', 'b', 'c']) admit(action(name, 50));
    expect([log.length, turn(), turn()]).toEqual([1, 1, 1]);
  });

  it('does nothing without callers', () => {
    const { admit, action, turn, log } = createWorld();
    admit(action('a', 9));
    expect([turn(), turn(), log]).toEqual([0, 0, ['a']]);
  });
});
