import { describe, expect, it } from 'vitest';
import { compileWhole } from '../src/filter/filter.js';
import { compileFilter, defineSchema, t, type FilterOptions } from '../src/index.js';
import { list } from '../src/lists/list/index.js';
import { explain } from '../src/entries/explain.js';
import { eager } from './specialise/eager.js';

const schema = defineSchema({
  at: t.time,
  since: t.time('ns'),
  name: t.string,
  steps: t.list(t.struct({ at: t.time })),
});

const noon = new Date('2026-11-01T12:00:00Z');
const hour = (hours: number): Date => new Date(noon.getTime() + hours * 3_600_000);

/** A clock that advances by an hour at each reading. */
function tickingFrom(start: Date): { readonly now: () => Date; readonly requests: () => number } {
  let requests = 0;
  return {
    now: () => {
      requests += 1;
      return new Date(start.getTime() + (requests - 1) * 3_600_000);
    },
    requests: () => requests,
  };
}

describe('the clock', () => {
  it.each<[text: string, row: object, result: boolean]>([
    ['at < now', { at: '2026-11-01T11:59:59.999999999Z' }, true],
    ['at <= now', { at: '2026-11-01T13:00:00+01:00' }, true],
    ['at > now - 7d', { at: '2026-10-25T12:00:00Z' }, false],
    ['at > now - 7d', { at: '2026-10-25T12:00:00.000000001Z' }, true],
    ['at >= now + 1h30m', { at: '2026-11-01T13:30:00Z' }, true],
    ['since > now - 1ns', { since: noon.getTime() * 1e6 }, true],
    ['at in [now, 2026-11-02]', { at: '2026-11-01T12:00:00Z' }, true],
    ['at == now', { at: 'now' }, true],
    ['name < now', { name: 'mow' }, true],
    ['any steps as s { s.at < now }', { steps: [{ at: '2026-11-01T11:00:00Z' }] }, true],
  ])('%s of %o: %s', (text, row, result) => {
    for (const accelerate of [null, eager]) {
      const { filter } = compileWhole(text, { schema, now: () => noon }, accelerate);
      expect(filter.test(row)).toBe(result);
      expect(filter.select([row])).toEqual(result ? [row] : []);
      expect(filter.explain(row).matches).toBe(result);
      expect(explain(text, row, { schema, now: () => noon }).matches).toBe(result);
    }
  });

  it.each([
    ['at < now', true],
    ['name == x or not (any steps as s { s.at in [now - 1d] })', true],
    ['at == now', false],
    ['name < now', false],
    ['at < "now"', false],
    ['at < 2026-11-01', false],
  ])('%s uses the clock: %s', (text, expected) => {
    expect(compileFilter(text, { schema, check: false }).usesNow).toBe(expected);
  });

  it('is fixed during one query', () => {
    const rows = [0.5, 1.5, 2.5].map((hours) => ({ at: hour(hours).toISOString() }));
    const { now, requests } = tickingFrom(hour(1));
    const filter = compileFilter('at < now', { schema, now });
    expect(filter.select(rows)).toHaveLength(1);
    expect(filter.count(rows)).toBe(2);
    expect(filter.page(rows, 5).items).toHaveLength(3);
    expect(requests()).toBe(3);
    expect(rows.filter(filter.test)).toHaveLength(3);
    expect(filter.scan(rows, [])).toBe(3);
    expect(requests()).toBe(5);
  });

  it('is fixed during one list', () => {
    const rows = [0.5, 1.5, 2.5].map((hours) => ({ at: hour(hours).toISOString() }));
    const order = { text: ({ at }: { at: string }) => at };
    for (const sorted of [true, false]) {
      const { now, requests } = tickingFrom(hour(1));
      const filter = compileFilter<{ at: string }>('at < now', { schema, now });
      expect(list(sorted ? rows.values() : rows, { filter, order, perPage: 2, sorted }).items).toHaveLength(
        1,
      );
      expect(requests()).toBe(1);
    }
  });

  it('is bound to an instant', () => {
    const filter = compileFilter('at < now', { schema, now: () => hour(-1) });
    const row = { at: noon.toISOString() };
    const bound = filter.at(hour(1));
    expect([filter.test(row), bound.test(row), filter.at(hour(-2)).test(row)]).toEqual([false, true, false]);
    expect(bound.explain(row).matches).toBe(true);
    expect([filter.usesNow, bound.usesNow]).toEqual([true, false]);
    expect(filter.at(hour(3))).toBe(filter.at(hour(3)));
  });

  it('makes no difference to filters that do not use it', () => {
    const filter = compileFilter('name == a', { schema });
    expect(filter.at(noon)).toBe(filter);
  });

  it.each<[options: FilterOptions, message: string]>([
    [{ now: 5 as unknown as () => Date }, 'now must be a function that returns a Date, got 5'],
    [{ now: () => new Date(NaN) }, 'now must return a valid Date'],
    [{ now: () => 5 as unknown as Date }, 'now must return a valid Date'],
  ])('refuses %o', (options, message) => {
    expect(() => compileFilter('at < now', { schema, ...options }).test({})).toThrow(message);
  });
});
