import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { defineSchema, FilterEvaluationError, t, type FilterOptions } from '../../src/index.js';
import { choosePair } from '../../src/filter/compile/operators/choose-pair.js';
import { integerPair, samplePair } from '../../src/filter/compile/quick/pair-check.js';
import { eager } from '../specialise/eager.js';

it('compares two fields of one kind and unit as the integers that they are', () => {
  const types = [t.duration('ms'), t.duration('ms'), t.duration('s'), t.duration] as const;
  const chosen = types
    .slice(1)
    .map((of) => choosePair({ operator: '<', aspect: 'value' }, types[0], of, false)?.template);
  expect(chosen).toEqual([integerPair['<'], samplePair, samplePair]);
});

const schema = defineSchema({
  s: t.string,
  n: t.int,
  f: t.float64,
  f32: t.float32,
  b: t.bool,
  k: t.nullable(t.string),
  l: t.list(t.string),
  ns: t.list(t.int),
  three: t.array(t.string, 3),
  m: t.map(t.string),
  any: t.any,
  other: t.string,
  max: t.float64,
  at: t.time,
  since: t.time('ns'),
  seconds: t.time('s'),
  took: t.duration,
  limit: t.duration('ms'),
  size: t.bytes('MiB'),
  ip: t.ip,
  peer: t.ip({ port: true }),
  v: t.version,
  groups: t.list(t.struct({ n: t.int, max: t.int, s: t.string })),
});

/** True and false are results, a string is the code of an error. */
type Result = boolean | string;
type Line = readonly [text: string, row: object, result: Result];

const ways = [
  ['closures', null, {}],
  ['code', eager, {}],
] as const;

/** Returns the result of one row in every entry point: all must agree. */
function resultsOf(text: string, row: unknown, options: FilterOptions): Result {
  const found = new Set<Result>();
  for (const [, accelerate, more] of ways) {
    const { filter } = compileWhole(text, { ...options, ...more, check: false }, accelerate);
    for (const evaluate of [() => filter.test(row), () => filter.select([row, row]).length === 2]) {
      found.add(resultOf(evaluate));
    }
    const { matches } = filter.explain(row);
    if (matches !== null) found.add(matches);
  }
  return found.size === 1 ? ([...found][0] ?? 'none') : `differs: ${[...found].join(', ')}`;
}

function resultOf(evaluate: () => boolean): Result {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error.code;
    throw error;
  }
}

describe('with a schema', () => {
  it.each<Line>([
    // Orderings of numbers are exact.
    ['n < 5', { n: 4 }, true],
    ['n < 5', { n: 5n }, false],
    ['n <= 5', { n: 5n }, true],
    ['n >= 9007199254740993', { n: 9007199254740992 }, false],
    ['n >= 9007199254740993', { n: 9007199254740993n }, true],
    ['n > 9007199254740991', { n: 9007199254740992n }, true],
    ['n < 5', {}, true],
    ['n < 5', { n: '4' }, 'kind-mismatch'],
    ['n < 0x10', { n: 4 }, 'bad-literal'],
    ['n < "0x10"', { n: 15 }, true],
    ['f < 0.1', { f: NaN }, false],
    ['f >= 0.1', { f: NaN }, false],
    ['f <= "nan"', { f: 1 }, false],
    ['f32 >= 0.1', { f32: 0.1 }, true],
    ['f32 > 0.1', { f32: 0.1 }, false],
    // Texts are in the order of their bytes.
    ['s < b', { s: 'a' }, true],
    ['s < B', { s: 'a' }, false],
    ['s <= "é"', { s: 'é' }, true],
    ['s < "\u{1f600}"', { s: '\uff01' }, true],
    ['s < "\uff01"', { s: '\u{1f600}' }, false],
    ['s < a', {}, true],
    ['k < a', { k: null }, false],
    ['not (k < a)', { k: null }, true],
    ['m.x < a', { m: {} }, false],
    ['b < true', { b: true }, 'no-ordering'],
    ['l < a', { l: [] }, 'no-ordering'],
    ['s < "a"i', { s: 'a' }, 'no-ignore-case'],
    ['s < "\\xff"', { s: 'a' }, false],
    // Lists of values.
    ['s in [a, b]', { s: 'b' }, true],
    ['s not in [a, b]', { s: 'b' }, false],
    ['s in [a, "B"i]', { s: 'b' }, true],
    ['s in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]', { s: '10' }, true],
    ['n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]', { n: 10n }, true],
    ['n in [9007199254740993]', { n: 9007199254740992 }, false],
    ['n in [9007199254740993]', { n: 9007199254740993n }, true],
    ['f in ["nan", 1]', { f: NaN }, false],
    ['f in [0]', { f: -0 }, true],
    ['f in [9007199254740993]', { f: 9007199254740993n }, true],
    ['f == 9007199254740993', { f: 9007199254740993n }, true],
    ['f not in [9007199254740992]', { f: 9007199254740993n }, false],
    ['n in [1]', { n: 'x' }, 'kind-mismatch'],
    ['k in [a]', { k: null }, false],
    ['k not in [a]', { k: null }, true],
    ['s in []', { s: 5 }, false],
    ['s not in []', { s: 5 }, true],
    // Affixes and globs.
    ['s starts with we', { s: 'web' }, true],
    ['s starts with ""', { s: '' }, true],
    ['s not starts with we', {}, true],
    ['s ends with "EB"i', { s: 'web' }, true],
    ['s ends with "\u212a"i', { s: 'look' }, true],
    ['s ends with web', { s: 'eb' }, false],
    ['s starts with we', { s: 5 }, 'kind-mismatch'],
    ['n starts with 1', { n: 1 }, 'no-affix'],
    ['s like "w*b"', { s: 'web' }, true],
    ['s like "w*b"', { s: 'w' }, false],
    ['s like "W?B"i', { s: 'web' }, true],
    ['s like "*e*"', { s: 'web' }, true],
    ['s not like "*"', {}, false],
    ['s like "a\\\\"', { s: 'a' }, 'bad-glob'],
    ['k like "*"', { k: null }, false],
    // Case.
    ['s == "WEB"i', { s: 'web' }, true],
    ['s != "straSSe"i', { s: 'straße' }, true],
    ['s contains "WEB"i', { s: 'a web b' }, true],
    ['"WEB"i in l', { l: ['x', 'Web'] }, true],
    ['s matches "^W.B$"i', { s: 'web' }, true],
    ['n == "5"i', { n: 5 }, 'no-ignore-case'],
    ['k == "a"i', { k: null }, false],
    // Lengths.
    ['len(s) == 2', { s: '\u{1f600}a' }, true],
    ['len(s) < 3', { s: 'web' }, false],
    ['len(l) >= 2', { l: ['a', 'b'] }, true],
    ['len(l) == 0', {}, true],
    ['len(three) == 3', { three: [] }, true],
    ['len(m) == 1', { m: { a: 'x', b: undefined } }, true],
    ['len(m) in [1, 2]', { m: { a: 'x', b: 'y' } }, true],
    ['len(ip) < 2', {}, false],
    ['len(ip) != 0', { ip: null }, true],
    ['len(ip) not in [0]', {}, true],
    ['len(ip) == @n', { n: 0 }, false],
    ['len(ip) != @n', { n: 0 }, true],
    ['len(v) >= 0', {}, false],
    ['len(v) <= @n', { v: null, n: 0 }, false],
    ['len(k) != 3', { k: null }, true],
    ['len(n) == 1', { n: 1 }, 'no-length'],
    ['len(s) == "2"', { s: 'ab' }, true],
    ['len(s) < @n', { s: 'ab', n: 3 }, true],
    // References.
    ['n < @max', { n: 1, max: 1.5 }, true],
    ['n == @max', { n: 2n ** 53n + 1n, max: 2 ** 53 }, false],
    ['f32 == @max', { f32: 0.1, max: 0.1 }, false],
    ['s == @other', { s: 'a', other: 'a' }, true],
    ['s != @k', { s: '', k: null }, true],
    ['s == @k', { s: '', k: null }, false],
    ['s == @m.x', { s: '', m: {} }, false],
    ['s contains @other', { s: 'web', other: 'e' }, true],
    ['s starts with @other', { s: 'web', other: 'we' }, true],
    ['@s in l', { s: 'b', l: ['a', 'b'] }, true],
    ['@n in ns', { n: 2, ns: [1, 2n] }, true],
    ['@s in m', { s: 'x', m: { x: '' } }, true],
    ['n < @s', { n: 1, s: 'a' }, 'no-reference'],
    ['n < @max', { n: 1, max: 'x' }, 'kind-mismatch'],
    [
      'any groups as g { g.n > @g.max }',
      {
        groups: [
          { n: 1, max: 1 },
          { n: 2, max: 1 },
        ],
      },
      true,
    ],
    ['any groups as g { g.s == @s }', { s: 'x', groups: [{ s: 'x' }] }, true],
    // Kinds.
    ['at < 2026-11-01', { at: '2026-10-31T23:59:59.999999999Z' }, true],
    ['at == 2026-11-01T08:00:00Z', { at: '2026-11-01T09:00:00+01:00' }, true],
    ['at == "2026-11-01T08:00:00Z"', { at: '2026-11-01T09:00:00+01:00' }, true],
    ['at == yesterday', { at: 'yesterday' }, true],
    ['at < 2026-11-01', { at: 'yesterday' }, 'not-an-instance'],
    ['at < 2026-11-01', { at: new Date(0) }, true],
    ['at < 2026-11-01', {}, true],
    ['at < 0001-01-01T00:00:01Z', { at: null }, true],
    ['at contains "-11-"', { at: '2026-11-01T09:00:00+01:00' }, true],
    ['at in [2026-11-01, 2026-11-02]', { at: '2026-11-02T00:00:00Z' }, true],
    ['since >= 2026-11-01', { since: 1_793_491_200_000_000_000 }, true],
    ['since > 2026-11-01', { since: 1_793_491_200_000_000_000n }, false],
    ['since == 2026-11-01', { since: 1_793_491_200_000_000_000n }, true],
    ['since < 5', { since: 4 }, true],
    ['since < 2026-11-01', { since: 1.5 }, 'not-an-instance'],
    ['since < 2026-11-01', { since: 'x' }, 'kind-mismatch'],
    ['seconds < 2026-11-01T00:00:00.5Z', { seconds: 1_793_491_200 }, true],
    ['seconds >= 2026-11-01T00:00:00.5Z', { seconds: 1_793_491_200 }, false],
    ['seconds == 2026-11-01T00:00:00.5Z', { seconds: 1_793_491_200 }, false],
    ['seconds in [2026-11-01]', { seconds: 1_793_491_200 }, true],
    ['seconds == @since', { seconds: 1, since: 1_000_000_000 }, true],
    ['took > 90m', { took: '1h30m1s' }, true],
    ['took == 90m', { took: '1h30m' }, true],
    ['took > 90m', { took: 'long' }, 'not-an-instance'],
    ['limit <= 1.5s', { limit: 1500 }, true],
    ['limit < 1500', { limit: 1499 }, true],
    ['size >= 1GiB', { size: 1024 }, true],
    ['size < 1.5', { size: 1 }, true],
    ['ip < 10.0.0.10', { ip: '10.0.0.9' }, true],
    ['ip in [10.0.0.0/8, 192.168.0.1]', { ip: '::ffff:10.1.2.3' }, true],
    ['ip in [10.0.0.0/8, 192.168.0.1]', { ip: '192.168.0.1' }, true],
    ['ip == 10.0.0.1', {}, false],
    ['ip starts with ""', {}, false],
    ['ip starts with "10."', { ip: '10.0.0.1' }, true],
    ['peer == 10.0.0.1', { peer: '10.0.0.1:80' }, true],
    ['peer == "10.0.0.1:81"', { peer: '10.0.0.1:80' }, false],
    ['peer in [10.0.0.1, "10.0.0.2:80", "10.0.0.1:70"]', { peer: '10.0.0.1:90' }, true],
    ['peer in ["10.0.0.1:70", "10.0.0.2:80"]', { peer: '10.0.0.2:80' }, true],
    ['v >= 1.10.0', { v: 'v1.9.0' }, false],
    ['v < 2.0.0', { v: '2.0.0-rc.1' }, true],
    ['v == 1.2.3', { v: '1.2.3+build' }, true],
    ['s < 7d', { s: '6d' }, 'bad-literal'],
    ['s == 7d', { s: '7d' }, 'bad-literal'],
    ['b in [true]', { b: true }, 'no-membership'],
  ])('%s of %o: %s', (text, row, result) => {
    expect(resultsOf(text, row, { schema })).toBe(result);
  });

  it.each<Line>([
    ['at < 2026-11-01', { at: 'yesterday' }, false],
    ['not (at < 2026-11-01)', { at: 'yesterday' }, true],
    ['ip not in [10.0.0.0/8]', { ip: 'localhost' }, true],
    ['n < @max', { n: 1, max: 'x' }, false],
    ['s != @other', { s: 'a', other: 5 }, true],
    ['s starts with a', { s: 5 }, false],
    ['len(s) > 1', { s: 5 }, false],
  ])('what does not fit is absent: %s of %o: %s', (text, row, result) => {
    expect(resultsOf(text, row, { schema, unresolved: 'absent' })).toBe(result);
  });

  it('names the field and the kind of what is no instance, and never the value', () => {
    const { filter } = compileWhole('peer < 10.0.0.1', { schema }, eager);
    expect(() => filter.test({ peer: 'secret-value' })).toThrow(
      expect.objectContaining({ code: 'not-an-instance', selector: 'peer', actualKind: 'string' }),
    );
    try {
      filter.test({ peer: 'secret-value' });
    } catch (error) {
      expect(String(error)).toContain('peer');
      expect(String(error)).toContain('ip');
      expect(String(error)).not.toContain('secret-value');
    }
  });
});

describe('without a schema', () => {
  it.each<Line>([
    ['x < 5', { x: 4 }, true],
    ['x < 1.5', { x: 1n }, true],
    ['x < 5', { x: '4' }, 'no-ordering'],
    ['x < "5"', { x: '4' }, true],
    ['x < a', { x: 4 }, 'no-ordering'],
    ['x < a', { x: null }, false],
    ['x < 7d', { x: '6d' }, 'bad-literal'],
    ['x < now', { x: 'mow' }, true],
    ['x in [1, "a"]', { x: 1 }, 'no-membership'],
    ['x in ["a", "b"]', { x: 'a' }, true],
    ['x in ["a", 1]', { x: 'b' }, 'no-membership'],
    ['x starts with a', { x: 'ab' }, true],
    ['x starts with 1', { x: '12' }, true],
    ['x like "a*"', { x: 5 }, 'no-glob'],
    ['x == "A"i', { x: 'a' }, true],
    ['x == "5"i', { x: 5 }, 'no-ignore-case'],
    ['len(x) == 2', { x: [1, 2] }, true],
    ['len(x) == 2', { x: 'ab' }, true],
    ['len(x) == 2', { x: { a: 1, b: 2 } }, true],
    ['len(x) == 2', { x: 2 }, 'no-length'],
    ['x < @y', { x: 1, y: 2n }, true],
    ['x == @y', { x: 'a', y: 'a' }, true],
    ['x == @y', { x: true, y: true }, true],
    ['x < @y', { x: true, y: true }, 'no-reference'],
    ['x == @y', { x: 'a', y: 1 }, 'no-reference'],
    ['x != @y', { x: 'a', y: null }, true],
    ['@y in x', { x: [1, 'a'], y: 'a' }, true],
  ])('%s of %o: %s', (text, row, result) => {
    expect(resultsOf(text, row, {})).toBe(result);
  });
});

describe('what grows with a value pays', () => {
  const long = 'a'.repeat(600_000);
  const many = Array.from({ length: 250 }, () => long);
  it.each([
    ['all l as x { x not contains "B"i }', 'too-much-text'],
    ['all l as x { x like "*b?*" or x != "" }', 'too-much-text'],
    ['all l as x { len(x) > 5 }', 'too-much-text'],
    [`all l as x { x starts with "${'a'.repeat(40_000)}" }`, 'too-much-text'],
    ['all l as x { x != @s }', 'too-much-text'],
    [
      `all l as x { all l as y { y not in [${Array.from({ length: 400 }, (_, at) => at).join(', ')}] } }`,
      'too-many-steps',
    ],
  ])('%s', (text, code) => {
    const { filter } = compileWhole(text, { schema, check: false }, eager);
    const row = { l: many, s: `${long.slice(1)}b` };
    expect(() => filter.test(row)).toThrow(expect.objectContaining({ code }));
  });
});
