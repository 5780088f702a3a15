import { describe, expect, it } from 'vitest';
import { createTimeSlicer, type TimeSlicer, type WorkStep } from '../../src/entries/internal.js';

/** Time that passes only where the work says so, and turns that come when they are called. */
function createWorld(budget = 5): {
  slices: TimeSlicer;
  /** Work of that many milliseconds, done one by one; notes each under its name. */
  work: (name: string, milliseconds: number) => WorkStep;
  /** One step of that many milliseconds. */
  step: (name: string, milliseconds: number) => WorkStep;
  turn: () => boolean;
  log: string[];
} {
  let time = 0;
  let later: (() => void)[] = [];
  const log: string[] = [];
  const slices = createTimeSlicer({ now: () => time, defer: (action) => void later.push(action) }, budget);
  return {
    slices,
    log,
    work(name, milliseconds) {
      let left = milliseconds;
      return (shouldYield) => {
        while (left > 0) {
          if (shouldYield()) return false;
          log.push(name);
          time += 1;
          left -= 1;
        }
        return true;
      };
    },
    step: (name, milliseconds) => () => {
      log.push(name);
      time += milliseconds;
      return true;
    },
    turn() {
      const actions = later;
      later = [];
      for (const action of actions) action();
      return actions.length > 0;
    },
  };
}

/** The signal of a client that stays. */
const present = (): AbortSignal => new AbortController().signal;

describe('slices', () => {
  it('do short work at once', () => {
    const { slices, work, log } = createWorld();
    expect(slices.run(work('a', 4), present())).toBeNull();
    expect(log).toEqual(['a', 'a', 'a', 'a']);
    expect(slices.waiting).toBe(0);
  });

  it('let no turn take longer than its share, for beginnings and for the rest', async () => {
    const { slices, work, turn, log } = createWorld();
    const long = slices.run(work('a', 12), present());
    expect(log).toHaveLength(5);
    // What has gone into beginnings is gone for this turn.
    const late = slices.run(work('b', 1), present());
    expect(log).toHaveLength(5);
    turn();
    expect(log.join('')).toBe('aaaaa' + 'aaaba');
    await late;
    turn();
    expect(log.join('')).toBe('aaaaa' + 'aaaba' + 'aaa');
    await long;
    turn();
    expect(turn()).toBe(false);
  });

  it('leave some turns to the others after a step that took as long as three', async () => {
    const { slices, turn, log, step } = createWorld();
    const first = slices.run(step('a', 60), present());
    expect(log).toEqual(['a']);
    expect(first).toBeNull();
    const others = ['b', 'c'].map((name) => slices.run(step(name, 20), present()));
    const turnsUntil = (done: number): number => {
      let turns = 0;
      while (log.length < done && turns < 100) {
        turn();
        turns += 1;
      }
      return turns;
    };
    expect(turnsUntil(2)).toBe(8);
    expect(turnsUntil(3)).toBe(8);
    for (const other of others) await other;
    slices.stop(new Error('the end'));
    expect(slices.run(step('d', 1), present())).toBeNull();
    while (turn());
    expect(slices.waiting).toBe(0);
  });

  it('share a turn between all, and begin the next with who has waited', () => {
    const { slices, work, turn, log } = createWorld(6);
    for (const name of ['a', 'b', 'c']) void slices.run(work(name, 20), present());
    log.length = 0;
    turn();
    expect(log.join('')).toBe('aabbcc');
    for (const name of ['d', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
      void slices.run(work(name, 20), present());
    log.length = 0;
    turn();
    turn();
    // Half of each turn is for those who are new, the rest for those who have had one.
    expect(log.join('')).toBe('defabc' + 'ghidef');
  });

  it('stop when all waiters are gone', async () => {
    const { slices, work, turn, log } = createWorld();
    const gone = new AbortController();
    const left = slices.run(work('a', 100), gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(slices.waiting).toBe(0);
    turn();
    expect(log).toHaveLength(5);
    await expect(slices.run(work('b', 1), gone.signal)).rejects.toThrow('gone');
    expect(log).not.toContain('b');
  });

  it('report what a step throws, at once or later, and continue with the others', async () => {
    const { slices, work, turn } = createWorld();
    const broken = slices.run(() => {
      throw new Error('at once');
    }, present());
    await expect(broken).rejects.toThrow('at once');
    const first = slices.run(work('a', 8), present());
    const second = slices.run(() => {
      throw new Error('later');
    }, present());
    const refused = expect(second).rejects.toThrow('later');
    turn();
    await refused;
    turn();
    await first;
  });

  it('end with the reason to stop; short work is done all the same', async () => {
    const { slices, work } = createWorld();
    const long = slices.run(work('a', 100), present());
    slices.stop(new Error('stopping'));
    await expect(long).rejects.toThrow('stopping');
    await expect(slices.run(work('b', 100), present())).rejects.toThrow('stopping');
    expect(createWorld().slices.run(work('c', 1), present())).toBeNull();
  });
});
