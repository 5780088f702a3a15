import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  FilterCheckError,
  FilterEvaluationError,
  parse,
  parseSchema,
} from '../../src/index.js';
import { interpret } from '../support/interpreter.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';

const text: OracleType = { kind: 'string' };
const shape: OracleSchema = {
  root: 'Row',
  structs: {
    Row: {
      fields: {
        s: text,
        s2: text,
        ns: { kind: 'string', nullable: true },
        n: { kind: 'int' },
        u: { kind: 'uint' },
        f: { kind: 'float64' },
        g: { kind: 'float32' },
        b: { kind: 'bool' },
        l: { kind: 'list', of: text },
        ln: { kind: 'list', of: { kind: 'int' } },
        m: { kind: 'map', of: text },
        T: { kind: 'time' },
        Tn: { kind: 'time', unit: 'ns' },
        Ts: { kind: 'time', unit: 's' },
        D: { kind: 'duration' },
        Dn: { kind: 'duration', unit: 'ns' },
        B: { kind: 'bytes', unit: 'MiB' },
        A: { kind: 'ip' },
        P: { kind: 'ip', port: true },
        V: { kind: 'version' },
        nA: { kind: 'ip', nullable: true },
        any: { kind: 'any' },
      },
    },
  },
};
const schema = parseSchema(shape);
const now = new Date('2026-11-08T00:00:00Z');

type Outcome = boolean | 'refused' | 'fails';

function outcomeOf(text: string, row: object): Outcome {
  try {
    return compileFilter(text, { schema, now: () => now }).test(row);
  } catch (error) {
    if (error instanceof FilterCheckError) return 'refused';
    if (error instanceof FilterEvaluationError) return 'fails';
    throw error;
  }
}

const cases: readonly (readonly [filter: string, row: object, outcome: Outcome])[] = [
  // Numbers: exact, mixed, NaN in no order.
  ['n < 5', { n: 4 }, true],
  ['n < 5', { n: 4n }, true],
  ['n < 5', { n: 5 }, false],
  ['n >= "0x10"', { n: 16 }, true],
  ['n > 9007199254740992', { n: 9007199254740993n }, true],
  ['n > 1.5', { n: 2 }, 'refused'],
  ['n < "5"i', { n: 2 }, 'refused'],
  ['n < 5x', { n: 2 }, 'refused'],
  ['n < 1e1', { n: 2 }, 'refused'],
  ['n < now', { n: 2 }, 'refused'],
  ['u < "-1"', { u: 2 }, 'refused'],
  ['f < 0.5', { f: NaN }, false],
  ['f >= 0.5', { f: NaN }, false],
  ['f < nan', { f: 1 }, false],
  ['f <= "-0"', { f: 0 }, true],
  ['g <= 0.1', { g: Math.fround(0.1) }, true],
  ['n < 5', {}, true],
  ['n < 5', { n: 'x' }, 'fails'],
  // Text: bytes of UTF-8.
  ['s < "\uff01"', { s: '\u{1f600}' }, false],
  ['s > 10', { s: '9' }, true],
  ['s < b', { s: 'a' }, true],
  ['s <= a', { s: 'a' }, true],
  ['s < now', { s: 'nov' }, true],
  ['s < a', {}, true],
  ['ns < a', { ns: null }, false],
  ['not ns < a', { ns: null }, true],
  ['ns not in ["a"]', { ns: null }, true],
  ['m.k < "z"', { m: {} }, false],
  ['m.k not starts with "z"', { m: {} }, true],
  ['b < true', { b: false }, 'refused'],
  ['l < a', { l: [] }, 'refused'],
  ['m > a', { m: {} }, 'refused'],
  // Lists.
  ['s in ["a", b, 5]', { s: '5' }, true],
  ['s not in ["a", b,]', { s: 'c' }, true],
  ['s in []', { s: '' }, false],
  ['s not in []', { s: '' }, true],
  ['n in [1, "0x2"]', { n: 2 }, true],
  ['n in [1, x]', { n: 1 }, 'refused'],
  ['s in ["WEB"i, "x"]', { s: 'web' }, true],
  ['s in ["WEB"i, "X"]', { s: 'x' }, false],
  ['b in [true]', { b: true }, 'refused'],
  ['l in ["a"]', { l: ['a'] }, 'refused'],
  ['"/s" in ["a"]', { s: 'a' }, true],
  // Affixes and globs.
  ['s starts with web', { s: 'web-1' }, true],
  ['s ends with "-1"', { s: 'web-1' }, true],
  ['s not ends with "-1"', { s: 'web-2' }, true],
  ['s starts with "WEB"i', { s: 'web-1' }, true],
  ['n starts with 1', { n: 1 }, 'refused'],
  ['s like "w*-?"', { s: 'web-1' }, true],
  ['s like "w*"', { s: 'aweb' }, false],
  ['s like "?"', { s: '\u{1f600}' }, true],
  ['s like `\\*`', { s: '*' }, true],
  ['s like `\\*`', { s: 'x' }, false],
  ['s like `x\\`', { s: 'x' }, 'refused'],
  ['s like "*"', { s: 'a\nb' }, true],
  ['s like "K?"i', { s: '\u212ax' }, true],
  // Case.
  ['s == "K"i', { s: '\u212a' }, true],
  ['s == "s"i', { s: '\u017f' }, true],
  ['s == "ss"i', { s: 'ß' }, false],
  ['s != "WEB"i', { s: 'web' }, false],
  ['s contains "EB"i', { s: 'web' }, true],
  ['l contains "WEB"i', { l: ['a', 'web'] }, true],
  ['"k"i in m', { m: { k: 'a' } }, 'refused'],
  ['s matches "^WEB$"i', { s: 'web' }, true],
  ['n == "5"i', { n: 5 }, 'refused'],
  ['ln contains "5"i', { ln: [5] }, 'refused'],
  // Other fields.
  ['s == @s2', { s: 'a', s2: 'a' }, true],
  ['s == s2', { s: 'a', s2: 'a' }, false],
  ['n < @f', { n: 1, f: 1.5 }, true],
  ['n == @f', { n: 9007199254740993n, f: 9007199254740992 }, false],
  ['n == @s', { n: 1, s: '1' }, 'refused'],
  ['l contains @s', { l: ['a'], s: 'a' }, true],
  ['@s in l', { l: ['a'], s: 'b' }, false],
  ['@s in m', { m: { k: 'a' }, s: 'k' }, true],
  ['s starts with @s2', { s: 'web-1', s2: 'web' }, true],
  ['s != @m.k', { s: 'a', m: {} }, true],
  ['s == @m.k', { s: 'a', m: {} }, false],
  ['s < @ns', { s: 'a', ns: null }, false],
  ['any l as x { x == @s }', { l: ['a', 'b'], s: 'b' }, true],
  ['any l as x { s starts with @x }', { l: ['a', 'b'], s: 'bc' }, true],
  ['T == @s', { s: '' }, 'refused'],
  ['b < @b', { b: true }, 'refused'],
  // Lengths.
  ['len(l) > 1', { l: ['a', 'b'] }, true],
  ['len(l) == 0', {}, true],
  ['len(m) != 1', { m: { k: 'a' } }, false],
  ['len(s) == 1', { s: '\u{1f600}' }, true],
  ['len(s) in [1, 2]', { s: 'ab' }, true],
  ['len(l) < @n', { l: [], n: 1 }, true],
  ['len(n) == 1', { n: 1 }, 'refused'],
  ['len(l) > 1.5', { l: [] }, 'refused'],
  ['len(ns) < 5', { ns: null }, false],
  // Times.
  ['T < "2024-02-01"', { T: '2024-01-31T23:59:59.999999999Z' }, true],
  ['T < 2024-02-01', { T: '2024-02-01T01:00:00+01:00' }, false],
  ['T == 2024-02-01', { T: '2024-02-01T01:00:00+01:00' }, true],
  ['T == "2024-02-01T00:00:00.000Z"', { T: new Date('2024-02-01T00:00:00Z') }, true],
  ['T in [2024-02-01, now]', { T: '2026-11-08T00:00:00Z' }, true],
  ['T > now - 7d', { T: '2026-11-01T00:00:01Z' }, true],
  ['T > now - 7d', { T: '2026-11-01T00:00:00Z' }, false],
  ['T <= now + 1h30m', { T: '2026-11-08T01:30:00Z' }, true],
  ['T < "now"', { T: '2026-11-01T00:00:00Z' }, 'refused'],
  ['T == now', { T: 'now' }, true],
  ['T < 5', { T: '2026-11-01T00:00:00Z' }, 'refused'],
  ['T < 2026-11-01', { T: 'yesterday' }, 'fails'],
  ['T == yesterday', { T: 'yesterday' }, true],
  ['T matches "^2026"', { T: '2026-11-01T00:00:00Z' }, true],
  ['T starts with "2026-11"', { T: '2026-11-01T00:00:00Z' }, true],
  ['T < 2026-11-01', {}, true],
  ['T == "0001-01-01T00:00:00Z"', {}, true],
  ['Tn < 2026-11-01', { Tn: 1793491199999999999n }, true],
  ['Tn == 1793491200000000000', { Tn: 1793491200000000000n }, true],
  ['Tn == 2026-11-01', { Tn: 1793491200000000000n }, true],
  ['Ts > 1793491199', { Ts: 1793491200 }, true],
  ['Ts > now', {}, false],
  ['Ts == 1970-01-01', {}, true],
  ['Ts > 7d', { Ts: 1 }, 'refused'],
  // Lengths of time, sizes.
  ['D > 1h', { D: '60m1s' }, true],
  ['D == 1d', { D: '24h0m0s' }, true],
  ['D == "1h"', { D: '60m' }, true],
  ['D > 5', { D: '1h' }, 'refused'],
  ['D > 1h', { D: '7d' }, 'fails'],
  ['Dn >= 1w', { Dn: 604800000000000 }, true],
  ['Dn == 5', { Dn: 5 }, true],
  ['Dn < 1h', {}, true],
  ['B >= 1.5GiB', { B: 1536 }, true],
  ['B > 1GB', { B: 953 }, false],
  ['B > 1GB', { B: 954 }, true],
  ['B == 512MiB', { B: 512 }, true],
  ['B == 512', { B: 512 }, true],
  ['B < 1kB', { B: 0 }, true],
  ['B < 7d', { B: 0 }, 'refused'],
  // Addresses.
  ['A == 10.0.0.1', { A: '::ffff:10.0.0.1' }, true],
  ['A == "::1"', { A: '0:0:0:0:0:0:0:1' }, true],
  ['A < 10.0.0.10', { A: '10.0.0.9' }, true],
  ['A > 255.255.255.255', { A: '::' }, true],
  ['A in [10.0.0.0/8]', { A: '10.9.8.7' }, true],
  ['A in ["::ffff:10.0.0.0/104"]', { A: '10.9.8.7' }, true],
  ['A in ["::/0"]', { A: '10.9.8.7' }, false],
  ['A in ["fe80::/10"]', { A: 'fe80::1%eth0' }, false],
  ['A in ["fe80::/10"]', { A: 'fe80::1' }, true],
  ['A < 10.0.0.0/8', { A: '10.0.0.1' }, 'refused'],
  ['A == web', { A: 'web' }, true],
  ['A == 10.0.0.1', { A: 'web' }, 'fails'],
  ['A != 10.0.0.1', {}, true],
  ['A < 10.0.0.1', {}, false],
  ['nA in [10.0.0.1]', { nA: null }, false],
  ['P == 10.0.0.1', { P: '10.0.0.1:80' }, true],
  ['P == 10.0.0.1:80', { P: '10.0.0.1:81' }, false],
  ['P == 10.0.0.1:80', { P: '10.0.0.1' }, false],
  ['P == "[::1]:80"', { P: '[::1]:80' }, true],
  ['P in [10.0.0.0/24]', { P: '10.0.0.1:80' }, true],
  ['A == 10.0.0.1:80', { A: '10.0.0.1' }, 'refused'],
  // Versions.
  ['V < 1.12.3', { V: 'v1.12.3-rc.1' }, true],
  ['V < 1.12.3', { V: '1.9.0' }, true],
  ['V == 1.12.3', { V: '1.12.3+build' }, true],
  ['V < 1.0.0-rc.10', { V: '1.0.0-rc.9' }, true],
  ['V > 1.12', { V: '1.12.0' }, 'refused'],
  ['V > 1.0.0', {}, false],
  // Of no declared kind.
  ['any < 5', { any: 4 }, true],
  ['any < 5', { any: 4n }, true],
  ['any < 5', { any: 'a' }, 'fails'],
  ['any < "5"', { any: 4 }, 'fails'],
  ['any < b', { any: 'a' }, true],
  ['any < 5', { any: null }, false],
  ['any < 5', { any: [] }, 'fails'],
  ['any < 7d', { any: 'a' }, 'refused'],
  ['any < now', { any: 'a' }, 'refused'],
  ['any == now', { any: 'now' }, true],
  ['any < @n', { any: 4, n: 5n }, true],
  ['any < @Ts', { any: 4, Ts: 5 }, 'fails'],
  ['Ts > @any', { any: 4, Ts: 5 }, 'fails'],
  ['any == @B', { any: 5, B: 5 }, 'fails'],
  ['any == @V', { any: '1.2.3', V: '1.2.3' }, 'fails'],
  ['any != @V', { any: 5 }, true],
  ['@m.k in any', { any: 5, m: {} }, false],
];

describe('level 1, as its page has it', () => {
  it.each(cases)('%s on %o: %s', (filter, row, outcome) => {
    expect(outcomeOf(filter, row)).toBe(outcome);
    if (outcome === 'refused') return;
    const options = { schema: shape, now: BigInt(now.getTime()) * 1_000_000n };
    const answer = interpret(parse(filter).ast, row, options);
    expect(typeof answer === 'string' ? 'fails' : answer).toBe(outcome);
  });
});
