import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, parse, t } from '../../src/index.js';
import {
  ago,
  createWhere,
  field,
  filter,
  fromNow,
  ignoringCase,
  now,
  where,
  type Condition,
} from '../../src/entries/builder.js';

const noon = new Date('2026-11-22T12:00:00Z');

describe('where', () => {
  it.each<[Condition, string]>([
    [where('N').below(5), 'N < 5'],
    [where('N').atMost(-0.5), 'N <= -0.5'],
    [where('N').above(1e-7), 'N > 0.0000001'],
    [where('N').atLeast(2n ** 63n), 'N >= 9223372036854775808'],
    [where('Name').below('5'), 'Name < "5"'],
    [where('Name').above('now'), 'Name > "now"'],
    [where('Wait').above('1h30m'), 'Wait > "1h30m"'],
    [where('At').below(noon), 'At < "2026-11-22T12:00:00.000Z"'],
    [where('At').atLeast(now), 'At >= now'],
    [where('At').atLeast(ago('7d')), 'At >= now - 7d'],
    [where('At').below(fromNow('1h30m')), 'At < now + 1h30m'],
    [where('N').oneOf([5, 'a', 7n]), 'N in [5, "a", 7]'],
    [where('N').noneOf([]), 'N not in []'],
    [where('At').oneOf([noon, now]), 'At in ["2026-11-22T12:00:00.000Z", now]'],
    [where('Name').oneOf([ignoringCase('a'), 'b']), 'Name in ["a"i, "b"]'],
    [where('Name').is(ignoringCase('Web "x"')), 'Name == "Web \\x22x\\x22"i'],
    [where('Name').contains(ignoringCase('a')), '"a"i in Name'],
    [where('Name').matches(ignoringCase('^a')), 'Name matches "^a"i'],
    [where('Name').startsWith('web-'), 'Name starts with "web-"'],
    [where('Name').notEndsWith(ignoringCase('x')), 'Name not ends with "x"i'],
    [where('Name').like('a*'), 'Name like "a*"'],
    [where('Name').notLike('a*'), 'Name not like "a*"'],
    [where('A').is(field('B')), 'A == @B'],
    [where('A').below(field('M', 'a b')), 'A < @M["a b"]'],
    [where('A').contains(where('B', 0)), '@B.0 in A'],
    [where('A').startsWith(field('B')), 'A starts with @B'],
    [where('L').any((x) => x.at('N').above(x.at('M'))), 'any L as _, x { x.N > @x.M }'],
    [where('L').any((e) => e.below(field('x'))), 'any L as _, x_ { x_ < @x }'],
    [where('Tags').length.above(3), 'len(Tags) > 3'],
    [where('Tags').length.isNot(0), 'len(Tags) != 0'],
    [where('Tags').length.oneOf([1, 2]), 'len(Tags) in [1, 2]'],
    [where('Tags').length.below(field('Max')), 'len(Tags) < @Max'],
    [where('N').below(5).not().and(where('M').above(1)), 'not N < 5 and M > 1'],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
    expect(condition.ast).toEqual(parse(text).ast);
  });

  it('suggests names, from the rows of a schema', () => {
    const schema = defineSchema({
      At: t.time,
      Created: t.time('ns'),
      Wait: t.duration('s'),
      Size: t.bytes('MiB'),
      Tags: t.list(t.string),
    });
    const of = createWhere(schema);
    const condition = of('At')
      .above(ago('1d'))
      .and(
        of('Created').atMost(noon),
        of('Wait').is('2m'),
        of('Size').below('1GiB'),
        of('Tags').length.above(1),
      );
    const { test } = compileFilter(condition, { schema, now: () => noon });
    const row = {
      At: '2026-11-22T00:00:00Z',
      Created: BigInt(noon.getTime()) * 1_000_000n,
      Wait: 120,
      Size: 512,
      Tags: ['a', 'b'],
    };
    expect(test(row)).toBe(true);
    expect(test({ ...row, At: '2026-11-20T00:00:00Z' })).toBe(false);
    expect(test({ ...row, Tags: ['a'] })).toBe(false);
  });

  it.each<[string, () => unknown, string]>([
    ['a Date behind ==', () => where('At').is(noon as never), 'where("At").is: a Date has many string forms'],
    ['an invalid Date', () => where('At').below(new Date(NaN)), 'where("At").below: the Date is invalid'],
    [
      'a year of five digits',
      () => where('At').below(new Date(1e15)),
      'where("At").below: a Date has many string forms',
    ],
    [
      'the clock behind ==',
      () => where('At').is(now as never),
      'now is valid only after an ordering or in a list',
    ],
    [
      'case behind <',
      () => where('A').below(ignoringCase('a') as never),
      'strings cannot be ordered without case',
    ],
    ['a field as a pattern', () => where('A').matches(field('B') as never), 'a field is not valid here'],
    [
      'a list behind ==',
      () => where('A').is(['a'] as never),
      'use oneOf(list) to match one of several values',
    ],
    ['no list behind in', () => where('A').oneOf('a' as never), 'expected an array of values'],
    ['a list in a list', () => where('A').oneOf([['a']] as never), 'where("A").oneOf[0]: '],
    ['what is no length of time', () => ago('1 day'), 'ago: expected a duration such as 90s'],
    ['a text that ends the clock', () => ago('7d or 1 == 1'), 'ago: expected a duration'],
    ['a length below zero', () => fromNow('-7d'), 'fromNow: expected a duration'],
    ['half a character', () => ignoringCase('\ud83d'), 'ignoringCase: the string has an unpaired surrogate'],
    [
      'an object that looks like a clock',
      () => where('At').below({ kind: 'clock', text: 'now or 1 == 1' } as never),
      'expected a string',
    ],
  ])('refuses %s', (_, make, message) => expect(make).toThrow(message));
});

describe('the template', () => {
  it.each<[Condition, string]>([
    [filter`A in ${['a', 5, '" or ""']}`, 'A in ["a", 5, "\\x22 or \\x22\\x22"]'],
    [filter`A not in ${[]}`, 'A not in []'],
    [filter`A in [${'a'}, ${5}]`, 'A in ["a", 5]'],
    [
      filter`A in ${[ignoringCase('x'), noon, now, ago('1d')]}`,
      'A in ["x"i, "2026-11-22T12:00:00.000Z", now, now - 1d]',
    ],
    [filter`A < ${noon} and A > ${ago('7d')}`, 'A < "2026-11-22T12:00:00.000Z" and A > now - 7d'],
    [filter`A >= ${5} and A < ${'5'}`, 'A >= 5 and A < "5"'],
    [filter`A == ${ignoringCase('x')} or ${ignoringCase('y')} in B`, 'A == "x"i or "y"i in B'],
    [filter`A == @${field('B', 'c d')}`, 'A == @B["c d"]'],
    [filter`${field('A')} like ${'a*'} and len(${field('B')}) > ${3}`, 'A like "a*" and len(B) > 3'],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
  });

  it.each<[string, () => unknown, string]>([
    ['an array in brackets', () => filter`A in [${['a']}]`, 'an array must be alone after "in"'],
    ['an array behind ==', () => filter`A == ${['a']}`, 'an array must be alone after "in"'],
    ['an array in front of in', () => filter`${['a']} in A`, 'an array must be alone after "in"'],
    ['a Date behind ==', () => filter`A == ${noon}`, 'a Date has many string forms'],
    ['the clock behind ==', () => filter`A == ${now}`, 'must be alone after <'],
    ['the clock in quotes', () => filter`A < "${now}"`, 'must be alone after <'],
    ['a distance that goes on', () => filter`A < ${now} - 7d`, 'must be alone after <'],
    ['a field without @', () => filter`A == ${field('B')}`, 'Name == @${field(...)}'],
    [
      'an array of objects',
      () => filter`A in ${[{}] as never}`,
      'value 1 (behind "A in ")[0]: expected a string',
    ],
  ])('refuses %s', (_, make, message) => expect(make).toThrow(message));
});
