import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTaskQueue } from '../../src/entries/internal.js';

/** Time that passes only where work says so, and turns that come when they are called. */
function createWorld(budget = 5) {
  let time = 0;
  let later: (() => void)[] = [];
  let inTurn = 0;
  const log: string[] = [];
  /** Milliseconds of pieces in each turn. */
  const turns: number[] = [];
  const wholes = createTaskQueue({ now: () => time, defer: (action) => void later.push(action) }, budget);
  const present = new AbortController().signal;
  return {
    wholes,
    log,
    turns,
    run: (name: string, milliseconds: number, signal = present): Promise<string> =>
      wholes.run(() => {
        time += milliseconds;
        inTurn += milliseconds;
        log.push(name);
        return name;
      }, signal),
    turn() {
      turns.push(inTurn);
      inTurn = 0;
      const actions = later;
      later = [];
      for (const action of actions) action();
      return actions.length > 0;
    },
  };
}

describe('work that cannot be sliced', () => {
  it('is done at once while its turn has time left, and then when the others have had theirs', async () => {
    const { run, turn, log, wholes } = createWorld();
    expect(await Promise.all([run('a', 2), run('b', 2), run('c', 60)])).toEqual(['a', 'b', 'c']);
    const late = run('d', 1);
    let rested = 0;
    for (; log.length === 3; rested += 1) turn();
    expect(rested).toBe(8);
    expect([await late, wholes.waiting]).toEqual(['d', 0]);
    while (turn());
  });

  it('is refused by its own error, and not begun for who has left', async () => {
    const { run, wholes, turn, log } = createWorld();
    await run('long', 10);
    const leaving = new AbortController();
    const left = run('left', 1, leaving.signal);
    const failing = wholes.run(() => {
      throw new RangeError('wrong');
    }, new AbortController().signal);
    const outcomes = Promise.allSettled([left, failing]);
    leaving.abort(new Error('gone'));
    while (turn());
    expect((await outcomes).map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
      'Error: gone',
      'RangeError: wrong',
    ]);
    expect(log).toEqual(['long']);
  });

  it('takes no more of a turn than its share and one piece, in the order it came, whatever comes when', () => {
    const piece = fc.nat({ max: 12 });
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.constant('turn' as const)), { maxLength: 60 }), (steps) => {
        const { run, turn, turns, log } = createWorld();
        const expected: string[] = [];
        for (const [at, step] of steps.entries()) {
          if (step === 'turn') turn();
          else {
            expected.push(`${at}`);
            void run(`${at}`, step);
          }
        }
        while (turn());
        expect(log).toEqual(expected);
        for (const [at, spent] of turns.entries()) {
          expect(spent).toBeLessThan(5 + 12);
          // A task that has used up its share leaves the next turns to the others.
          if (spent >= 5) expect(turns.slice(at + 1, at + 8).every((next) => next === 0)).toBe(true);
        }
      }),
    );
  });
});
