import { describe, expect, it } from 'vitest';
import { createClocks, type ClockReport, type Clocks } from '../src/base/clocks.js';

const report = (name: string, ahead: number | null): ClockReport => ({ address: name, ahead });
const hour = 3_600_000;

/** A standby that has queried the active server, whose time is 0, and has a response about others. */
function standby(ahead: number, others: readonly ClockReport[] = [], taken = 0): Clocks {
  const clocks = createClocks('own', { now: () => ahead, elapsed: () => 0 });
  clocks.learn('active', { time: 0, others }, ahead - taken, ahead);
  return clocks;
}

describe('the clocks of servers that share a store', () => {
  it('are compared with that of the active one, halfway through the request', () => {
    expect(standby(500, [], 1_000).ahead()).toBe(0);
    expect(standby(hour).ahead()).toBe(hour);
    expect(standby(-20_000).ahead()).toBe(-20_000);
  });

  it.each([
    ['took too long', 1_001],
    ['was answered before it was asked', -1],
  ])('are not compared if the request %s', (_, taken) => {
    expect(standby(hour, [], taken).ahead()).toBeNull();
  });

  it.each<[string, Clocks, boolean]>([
    ['one of two, though it is far', standby(hour), false],
    ['one of three that is far', standby(hour, [report('other', 0)]), true],
    ['one of three that is as far behind', standby(-hour, [report('other', 5)]), true],
    ['one of three that is near', standby(9_000, [report('other', 0)]), false],
    ['one of three, where another one is far', standby(0, [report('other', hour)]), false],
    ['one of three, where the active one is far', standby(hour, [report('other', hour + 1)]), false],
    ['its own report next to it', standby(hour, [report('own', hour)]), false],
    ['one of four, where one is far', standby(3, [report('a', hour), report('b', 2)]), false],
  ])('are judged by the one in the middle: %s', (_, clocks, isApart) => {
    expect(clocks.isApart()).toBe(isApart);
    expect(clocks.warnings().some((text) => text.includes('not a candidate'))).toBe(isApart);
  });

  it('are compared by the active server, too, which reports all known clocks', () => {
    const clocks = createClocks('own', { now: () => 7, elapsed: () => 0 });
    let reported = 0;
    clocks.subscribe(() => (reported += 1));
    expect(clocks.respond(report('a', null))).toEqual({ time: 7, others: [] });
    expect(clocks.respond(report('a', -hour)).others).toEqual([report('a', -hour)]);
    expect(clocks.isApart()).toBe(false);
    expect(clocks.respond(report('b', -hour)).others).toHaveLength(2);
    expect(clocks.isApart()).toBe(true);
    expect(clocks.warnings()).toEqual([
      'the clock of the server at a is 3600 seconds behind that of this server',
      'the clock of the server at b is 3600 seconds behind that of this server',
      'this server is not a candidate for election: its clock differs from those of most servers',
    ]);
    clocks.respond(report('a', 0));
    expect([clocks.isApart(), reported]).toEqual([false, 2]);
  });

  it('stay as they were judged until three are known again', () => {
    const clocks = standby(hour, [report('other', 0)]);
    clocks.learn('active', { time: hour, others: [] }, hour, hour);
    expect(clocks.isApart()).toBe(true);
    clocks.learn('active', { time: hour, others: [report('other', 0)] }, hour, hour);
    expect(clocks.isApart()).toBe(false);
  });

  it('are forgotten when they are no longer reported, and when another server is active', () => {
    let now = 0;
    const clocks = createClocks('own', { now: () => now, elapsed: () => now });
    clocks.respond(report('a', hour));
    now = 31_000;
    expect(clocks.respond(report('b', null)).others).toEqual([]);
    clocks.learn('active', { time: 0, others: [] }, now, now);
    expect([clocks.report('active').ahead, clocks.report('another').ahead]).toEqual([31_000, null]);
    now += 31_000;
    expect(clocks.ahead()).toBeNull();
  });
});

describe('a clock that is set', () => {
  it('is noticed at once, whichever server it belongs to, for as long as others may report theirs', () => {
    let [now, elapsed] = [0, 0];
    const clocks = createClocks('own', { now: () => now, elapsed: () => elapsed });
    const pass = (milliseconds: number): void => {
      now += milliseconds;
      elapsed += milliseconds;
    };
    for (let round = 0; round < 100; round += 1) {
      pass(60_000);
      // A clock that is slewed does not jump.
      now += 30;
      expect(clocks.hasJumped()).toBe(false);
    }
    for (const jump of [3 * hour, -3 * hour, 11_000]) {
      now += jump;
      expect(clocks.hasJumped()).toBe(true);
      pass(2_999);
      expect(clocks.hasJumped()).toBe(true);
      pass(1);
      expect(clocks.hasJumped()).toBe(false);
    }
    clocks.learn('active', { time: now, others: [] }, now, now);
    clocks.learn('active', { time: now + 3 * hour, others: [] }, now, now);
    expect(clocks.hasJumped()).toBe(true);
    pass(3_000);
    clocks.learn('other', { time: now, others: [] }, now, now);
    expect(clocks.hasJumped()).toBe(false);
  });
});
