import { describe, expect, it } from 'vitest';
import { createDeadlineTimer } from '@tamis/scheduler-placement/workers/deadline-timer.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

const hour = 3_600_000;

function start(): { readonly clock: FakeClock; readonly rings: boolean[]; set(milliseconds: number): void } {
  const clock = createFakeClock();
  const rings: boolean[] = [];
  const timer = createDeadlineTimer(clock, (isSetBack) => rings.push(isSetBack));
  return { clock, rings, set: (milliseconds) => timer.set(clock.now() + milliseconds) };
}

/** Lets the time pass in steps of a second. */
function pass(clock: FakeClock, milliseconds: number): void {
  for (let left = milliseconds; left > 0; left -= 1_000) clock.advance(1_000);
}

describe('a timer for a time of the wall clock', () => {
  it('rings once at its time', () => {
    const { clock, rings, set } = start();
    set(12_000);
    pass(clock, 11_000);
    expect(rings).toEqual([]);
    pass(clock, 10_000);
    expect(rings).toEqual([false]);
    expect(clock.pending).toBe(0);
  });

  it('rings within five seconds when the clock is set forward beyond its time', () => {
    const { clock, rings, set } = start();
    set(hour);
    pass(clock, 60_000);
    clock.step(2 * hour);
    pass(clock, 5_000);
    expect(rings).toEqual([false]);
  });

  it('reports within five seconds that the clock was set back', () => {
    const { clock, rings, set } = start();
    set(hour);
    pass(clock, 60_000);
    clock.step(-2 * hour);
    pass(clock, 5_000);
    clock.advance(0);
    expect(rings).toEqual([true]);
  });

  it('reports that the clock was set back when it is set again before it has noticed', () => {
    const { clock, rings, set } = start();
    set(hour);
    clock.step(-2 * hour);
    set(hour);
    clock.advance(0);
    expect(rings).toEqual([true]);
  });

  it('does not ring for corrections of less than a second', () => {
    const { clock, rings, set } = start();
    set(20_000);
    for (let second = 0; second < 19; second += 1) {
      clock.step(-10);
      clock.advance(1_000);
    }
    expect(rings).toEqual([]);
    pass(clock, 2_000);
    expect(rings).toEqual([false]);
  });
});
