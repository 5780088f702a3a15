import { describe, expect, it } from 'vitest';
import {
  defineSchema,
  FilterCheckError,
  fieldIndex,
  orderedIndex,
  planFilter,
  print,
  t,
  type FilterPlan,
  type IndexKey,
  type KeyRange,
} from '../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Load: t.float64,
  Ratio: t.float32,
  Submitted: t.time('s'),
  Created: t.time,
  Wait: t.duration,
  Memory: t.bytes('MiB'),
  Address: t.ip,
  Listen: t.ip({ port: true }),
  Version: t.version,
  Stop: t.bool,
  Tags: t.list(t.string),
  Owner: t.nullable(t.string),
  Extra: t.any,
  Secret: t.hidden(t.string),
});

const fields = [
  'ID',
  'Priority',
  'Load',
  'Ratio',
  'Submitted',
  'Created',
  'Wait',
  'Memory',
  'Address',
  'Version',
] as const;
const indexes = [fieldIndex(schema, 'Status'), ...fields.map((field) => orderedIndex(schema, field))];
const instant = new Date('2026-11-08T00:00:00.500Z');

function plan(text: string): FilterPlan {
  return planFilter(text, { schema, indexes });
}

function write({ from, to, fromInclusive, toInclusive }: KeyRange): string {
  const key = (value: IndexKey): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (from !== null && to !== null && from === to && fromInclusive && toInclusive) return key(from);
  const begin = from === null ? '(' : `${fromInclusive ? '[' : '('}${key(from)}`;
  return `${begin}..${to === null ? ')' : `${key(to)}${toInclusive ? ']' : ')'}`}`;
}

/** Each range as `clauses field ranges | what is left`. */
function rangesOf(text: string): string[] {
  return plan(text)
    .at(instant)
    .ranges.map(({ clauses, index, ranges, residual }) => {
      const rest = residual === null ? '' : ` | ${print(residual.ast)}`;
      return `${clauses.join()} ${index.field} ${ranges.map(write).join(' ')}${rest}`;
    });
}

describe('planFilter with ordered indexes', () => {
  it.each<[text: string, ranges: string[]]>([
    ['Priority >= 90', ['0 Priority [90..)']],
    ['Priority > 90', ['0 Priority (90..)']],
    ['Priority < "0x10"', ['0 Priority (..16)']],
    ['Priority <= 90', ['0 Priority (..90]']],
    ['Priority == 90', ['0 Priority 90']],
    ['Priority in [7, 3, 7, 5]', ['0 Priority 3 5 7']],
    ['Priority in []', ['0 Priority ']],
    ['ID starts with "web-"', ['0 ID [web-..web.)']],
    ['ID starts with ""', ['0 ID [..)']],
    ['ID starts with "a\ud7ff"', ['0 ID [a\ud7ff..a\ue000)']],
    ['ID starts with "\uffff"', ['0 ID [\uffff..\ud800)']],
    ['ID > a', ['0 ID (a..)']],
    ['ID > "\\xff"', ['0 ID ']],
    ['Load > 0.5', ['0 Load (0.5..)']],
    ['Load > NaN', ['0 Load ']],
    // The nearest float32, as in rows.
    ['Ratio > 0.5', ['0 Ratio (0.5..)']],
    ['Ratio == 0.1', [`0 Ratio ${Math.fround(0.1)}`]],
    ['Ratio in [16777217, -0.5]', ['0 Ratio -0.5 16777216']],
    // Literals between two keys.
    ['Submitted > 2026-11-01T00:00:00.5Z', ['0 Submitted (1793491200..)']],
    ['Submitted >= 2026-11-01T00:00:00.5Z', ['0 Submitted (1793491200..)']],
    ['Submitted < 2026-11-01T00:00:00.5Z', ['0 Submitted (..1793491200]']],
    ['Submitted == 2026-11-01T00:00:00.5Z', ['0 Submitted ']],
    ['Submitted == 5', ['0 Submitted 5']],
    ['Memory >= 1GiB and Memory < 1536MiB', ['0,1 Memory [1024..1536)']],
    // Instances.
    ['Created >= 1970-01-02', ['0 Created [86400000..)']],
    ['Created == 1970-01-02', ['0 Created 86400000']],
    ['Created == yesterday', []],
    ['Wait > 1h', ['0 Wait (3600000000000..)']],
    ['Address == 0.0.0.1', ['0 Address 65537']],
    ['Address in [10.0.0.0/8]', []],
    ['Version < 2.0.0', ['0 Version (..{"major":2,"minor":0,"patch":0,"preRelease":""})']],
    ['Version starts with "1."', []],
    // The clock.
    ['Created > now - 1d', ['0 Created (1794009600500..)']],
    ['Submitted > now', ['0 Submitted (1794096000..)']],
    // Clauses about one field are served together.
    ['Priority >= 5 and Status == a and Priority < 9', ['0,2 Priority [5..9) | Status == "a"']],
    ['Priority > 5 and Priority < 3', ['0,1 Priority ']],
    ['Priority > 5 and Priority in [3, 5, 7, 9] and Priority != 7', ['0,1 Priority 7 9 | Priority != 7']],
    ['Priority > 5 or Priority == 3 or Priority >= 4', ['0 Priority 3 [4..)']],
    ['Priority < 5 or Priority >= 5', ['0 Priority (..)']],
    ['Priority == 1 or Priority > 5 and Priority <= 7', ['0 Priority 1 (5..7]']],
    ['Priority > 5 and ID > a', ['1 ID (a..) | Priority > 5', '0 Priority (5..) | ID > "a"']],
    // A text may be no time: so the other index has to wait, but not the one that has read it.
    [
      'Created > 1970-01-02 and Created < 1970-01-03 and Priority > 5',
      ['0,1 Created (86400000..172800000) | Priority > 5'],
    ],
    ['Extra == 5 and Priority > 5', []],
    // Nothing that an index serves.
    ['not Priority > 5', []],
    ['Priority != 5', []],
    ['Priority not in [5]', []],
    ['ID not starts with a', []],
    ['ID starts with "a"i', []],
    ['ID in ["a"i]', []],
    ['ID > @Status', []],
    ['len(ID) > 5', []],
    ['ID ends with a', []],
    ['Priority > 5 or ID == a', []],
  ])('%s', (text, ranges) => expect(rangesOf(text)).toEqual(ranges));

  it('finds several keys of an index that is not ordered', () => {
    const { lookups } = plan('Status in [b, a, b] and Priority > 5');
    expect(lookups.map(({ keys }) => keys)).toEqual([['b', 'a']]);
    expect(plan('Status in ["a"i]').lookups).toEqual([]);
    expect(plan('Status in []').lookups[0]?.keys).toEqual([]);
  });

  it('has a range of the clock for each instant, and none before', () => {
    const unbound = plan('Priority > 5 and Created > now and Status == a');
    expect(unbound.usesNow).toBe(true);
    expect(unbound.ranges.map(({ clauses }) => clauses)).toEqual([[0]]);
    const bound = unbound.at(instant);
    expect(bound.usesNow).toBe(false);
    expect(bound.filter.usesNow).toBe(false);
    expect(bound.at(new Date(0))).toBe(bound);
    expect(bound.ranges.map(({ index }) => index.field)).toEqual(['Priority', 'Created']);
    const row = { Priority: 6, Created: '2026-11-08T00:00:00.501Z', Status: 'a' };
    expect(bound.filter.test(row)).toBe(true);
    expect(bound.ranges[0]?.residual?.test(row)).toBe(true);
    expect(unbound.at(new Date('2026-11-09')).ranges[0]?.residual?.test(row)).toBe(false);
    expect(() => unbound.at(new Date(NaN))).toThrow(TypeError);
    const still = plan('Priority > 5');
    expect(still.at(instant)).toBe(still);
  });

  it('takes the clock of the options', () => {
    const made = planFilter('Created > now', { schema, indexes, now: () => instant });
    expect(made.at().ranges[0]?.ranges[0]?.from).toBe(instant.getTime());
  });

  it('serves many clauses about one field at once, and many ranges', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `Priority > ${at}`).join(' and ');
    expect(plan(many).ranges[0]?.ranges.map(write)).toEqual(['(999..)']);
    const apart = Array.from({ length: 1_000 }, (_, at) => `Priority == ${999 - at}`).join(' or ');
    expect(plan(apart).ranges[0]?.ranges).toHaveLength(1_000);
  });

  it('checks first', () => expect(() => plan('Priority > high')).toThrow(FilterCheckError));
});

describe('orderedIndex', () => {
  const instance = (field: (typeof fields)[number], row: unknown): unknown =>
    orderedIndex(schema, field).keysOf(row);

  it.each<[field: (typeof fields)[number], row: unknown, keys: readonly unknown[] | null]>([
    ['ID', { ID: 'a' }, ['a']],
    ['ID', {}, ['']],
    ['ID', { ID: 5 }, null],
    ['ID', 'a row?', null],
    ['Priority', { Priority: -0 }, [0]],
    ['Priority', { Priority: 5n }, [5n]],
    ['Priority', { Priority: 2 ** 60 }, [2 ** 60]],
    ['Priority', { Priority: 0.5 }, null],
    ['Priority', { Priority: -(2n ** 64n) }, null],
    ['Priority', null, [0]],
    ['Load', { Load: 0.5 }, [0.5]],
    ['Load', { Load: NaN }, []],
    ['Load', { Load: 2n ** 53n }, [2n ** 53n]],
    // `==` rounds it and orderings do not, so no key represents it.
    ['Load', { Load: 2n ** 53n + 1n }, null],
    ['Load', { Load: -(2n ** 53n) - 1n }, null],
    ['Load', { Load: 2n ** 60n }, [2n ** 60n]],
    ['Load', { Load: 2n ** 1024n }, null],
    ['Ratio', { Ratio: 0.1 }, [Math.fround(0.1)]],
    ['Ratio', { Ratio: 2n ** 24n + 1n }, [2 ** 24]],
    ['Ratio', { Ratio: 1e300 }, [Infinity]],
    ['Ratio', { Ratio: NaN }, []],
    ['Ratio', { Ratio: null }, [0]],
    ['Ratio', { Ratio: '0.1' }, null],
    ['Submitted', { Submitted: 5 }, [5]],
    ['Submitted', { Submitted: '5' }, null],
    ['Created', { Created: '1970-01-02T00:00:00Z' }, [86_400_000]],
    ['Created', { Created: new Date(5) }, [5]],
    ['Created', { Created: 'yesterday' }, null],
    ['Wait', {}, [0]],
    ['Address', {}, []],
    ['Address', { Address: '0.0.0.1' }, [65_537]],
    ['Address', { Address: 'localhost' }, null],
    ['Version', { Version: null }, []],
    ['Version', { Version: '1.2' }, null],
  ])('of %s finds the key of row %#', (field, row, keys) => expect(instance(field, row)).toEqual(keys));

  it.each(['Stop', 'Tags', 'Extra', 'Secret', 'Listen', 'nosuch', 'toString', 5 as never])(
    'refuses %s',
    (field) => expect(() => orderedIndex(schema, field)).toThrow(TypeError),
  );

  it('sorts texts by their bytes and versions by precedence', () => {
    const texts = orderedIndex(schema, 'ID');
    expect(['\u{1f600}', '\uff01', 'a'].sort(texts.compare)).toEqual(['a', '\uff01', '\u{1f600}']);
    const versions = orderedIndex<{ Version: string }>(schema, 'Version');
    const keyOf = (Version: string): IndexKey => versions.keysOf({ Version })?.[0] ?? '';
    expect(versions.compare(keyOf('1.10.0'), keyOf('1.9.0'))).toBeGreaterThan(0);
    expect(versions.compare(keyOf('1.0.0-rc.1'), keyOf('1.0.0'))).toBeLessThan(0);
  });
});
