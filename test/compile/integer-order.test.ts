import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, FilterCheckError, FilterEvaluationError, t } from '../../src/index.js';
import { lint } from '../../src/entries/lint.js';

const large = '99999999999999999999';

describe('an ordering of undeclared integers', () => {
  it.each([
    ['n <= 9223372036854775807', 9223372036854775808n, false],
    ['n > 9223372036854775807', 9223372036854775808n, true],
    ['n < -9223372036854775808', -9223372036854775809n, true],
    [`n < ${large}`, 5n, true],
    [`n < ${large}`, 5, true],
    [`n >= ${large}`, 5n, false],
    [`n > -${large}`, -5n, true],
    [`n < ${large}`, 99999999999999999998n, true],
    [`n <= ${large}`, 100000000000000000000n, false],
    [`n <= ${large}`, 1e20, false],
    ['n < 9007199254740993', 9007199254740992, true],
    [`n < 1${'0'.repeat(400)}`, 1e308, true],
    [`n < 1${'0'.repeat(400)}`, Infinity, false],
    [`n < ${large}`, NaN, false],
    ['n > 4.5', 5n, true],
    [`n in [${large}, 5]`, 5n, true],
    [`n in [${large}]`, 6n, false],
  ])('compares exactly: %s of %s', (filter, n, result) => {
    for (const specialise of [true, false])
      expect(compileFilter(filter, { specialise }).select([{ n }])).toHaveLength(result ? 1 : 0);
  });

  it('leaves the level 0 reading of == unchanged', () => {
    expect(() => compileFilter(`n == ${large}`).test({ n: 5n })).toThrow(FilterEvaluationError);
    expect(compileFilter(`n == ${large}`).test({ n: 100000000000000000000n })).toBe(true);
    expect(() => compileFilter(`${large} in l`).test({ l: [5n] })).toThrow(FilterEvaluationError);
    expect(compileFilter(`${large} in l`).test({ l: [5] })).toBe(false);
  });

  it('refuses a literal that no declared integer reaches', () => {
    const schema = defineSchema({ n: t.int });
    expect(() => compileFilter(`n < ${large}`, { schema })).toThrow(FilterCheckError);
  });
});

describe('lint of integers outside 64 bits', () => {
  it.each([
    [`n == ${large}`, 1],
    [`n != -${large}`, 1],
    [`${large} in l`, 1],
    [`n in [${large}, 1, ${large}0]`, 2],
    [`n < ${large}`, 0],
    ['n == 9223372036854775807', 0],
    [`n == "${large}"`, 0],
  ])('reports %s %i times', (filter, count) => {
    expect(lint(filter).filter(({ code }) => code === 'rounded-integer')).toHaveLength(count);
    expect(
      lint(filter, { level: 1, schema: defineSchema({ n: t.string, l: t.list(t.string) }) }),
    ).not.toContainEqual(expect.objectContaining({ code: 'rounded-integer' }));
  });
});
