import { describe, expect, it } from 'vitest';
import {
  defineSchema,
  fieldIndex,
  FilterCheckError,
  FilterEvaluationError,
  FilterLimitError,
  planFilter,
  print,
  t,
  type FilterOptions,
} from '../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Version: t.uint,
  Stop: t.bool,
  Load: t.float64,
  Datacenters: t.list(t.string),
  Ports: t.list(t.int),
  Meta: t.map(t.string),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  Update: t.struct({ Stagger: t.int }),
  Groups: t.list(t.struct({ Name: t.string, Meta: t.map(t.string) })),
  Owner: t.nullable(t.string),
  Extra: t.any,
  Secret: t.hidden(t.string),
});

const indexes = ['Status', 'Priority', 'Version', 'Stop', 'Datacenters', 'Ports'].map((field) =>
  fieldIndex(schema, field),
);

function plan(text: string, options: Partial<FilterOptions> = {}): ReturnType<typeof planFilter> {
  return planFilter(text, { ...options, schema, indexes });
}

/** Each look-up as `field keys | what is left`. */
function lookupsOf(text: string, options: Partial<FilterOptions> = {}): string[] {
  return plan(text, options).lookups.map(({ clause, index, keys, residual }) => {
    const rest = residual === null ? '' : ` | ${print(residual.ast)}`;
    return `${clause} ${index.field} ${keys.join()}${rest}`;
  });
}

describe('planFilter', () => {
  it.each<[text: string, lookups: string[]]>([
    ['Status == running', ['0 Status running']],
    ['Status == ""', ['0 Status ']],
    ['dc1 in Datacenters', ['0 Datacenters dc1']],
    ['Datacenters contains "dc1"', ['0 Datacenters dc1']],
    ['Priority == "0x46"', ['0 Priority 70']],
    ['Version == 18446744073709551615', ['0 Version 18446744073709551615']],
    ['Stop == T', ['0 Stop true']],
    ['Ports contains "0b11"', ['0 Ports 3']],
    ['"/Status" == running', ['0 Status running']],
    ['Status == "\\xff"', ['0 Status ']],
    ['Status == a or Status == b or Status == a', ['0 Status a,b']],
    ['dc1 in Datacenters or dc2 in Datacenters', ['0 Datacenters dc1,dc2']],
    ['Status == a and Priority == 5', ['0 Status a | Priority == 5', '1 Priority 5 | Status == "a"']],
    ['(ID == x and Status == a) and Meta.k == y', ['1 Status a | ID == "x" and Meta.k == "y"']],
    ['Status == a and (Status == b or Stop == true)', ['0 Status a | Status == "b" or Stop == "true"']],
    // Nothing that an index serves.
    ['Status != running', []],
    ['not Status == running', []],
    ['Status == a or Priority == 5', []],
    ['run in Status', []],
    ['ID == x', []],
    ['dc1 not in Datacenters', []],
    ['any Groups as Status { Status.Name == a }', []],
    // If a clause may fail, it must be evaluated for later rows too.
    ['Periodic.Enabled == true and Status == a', []],
    ['Status == a and Groups.0.Name == b', ['0 Status a | Groups.0.Name == "b"']],
    ['Groups.0.Name == b and Status == a', []],
    ['Periodic is nil and Status == a', ['1 Status a | Periodic is nil']],
    ['any Groups as g { g.Name == x } and Stop == true', ['1 Stop true | any Groups as g { g.Name == "x" }']],
    // What a row may cost does not matter.
    ['run in ID and Status == a', ['1 Status a | "run" in ID']],
    [
      'any Groups as g { any g.Meta as k { k == x } } and Stop == true',
      ['1 Stop true | any Groups as g { any g.Meta as k { k == "x" } }'],
    ],
  ])('%s', (text, lookups) => expect(lookupsOf(text)).toEqual(lookups));

  it.each<[text: string, mayFail: boolean]>([
    ['Status == a or Priority == 5 and not Load == 0.5', false],
    ['Meta.k == a', false],
    ['k in Meta', false],
    ['Update.Stagger == 5', false],
    ['Owner is nil or Periodic is nil', false],
    ['Meta is nil and Periodic is not nil', false],
    ['Owner == a', true],
    ['Periodic.Enabled == true', true],
    ['Extra == 5', true],
    ['Datacenters.0 == dc1', true],
    // A row that is large enough exceeds the limits.
    ['Meta is empty', true],
    ['Status matches "^a"', true],
    ['Datacenters is not nil', true],
    ['any Groups as g { any g.Meta as m { m == x } }', true],
  ])('knows whether %s may fail: %s', (text, mayFail) => expect(plan(text).mayFail).toBe(mayFail));

  it.each<[text: string, mayFail: boolean]>([
    ['Status matches "^a" and dc1 in Datacenters', false],
    ['any Groups as i, g { g.Name == x and i == 1 and g.Meta.k == y }', false],
    ['all Meta as k, v { v == k }', false],
    ['any Groups as g { any g.Meta as m { m == x } }', false],
    ['any Groups as g { g.Name == x and Owner == y }', true],
  ])('knows whether %s may fail without limits: %s', (text, mayFail) => {
    const limits = { maxSteps: Infinity, maxSearchedText: Infinity };
    expect(plan(text, { limits }).mayFail).toBe(mayFail);
  });

  it('passes over rows that are too large for the limits, as it documents', () => {
    const limits = { maxSearchedText: 5_000 };
    const { filter, lookups } = plan('zz in ID and Status == a and zz in Extra', { limits });
    const large = { ID: 'x'.repeat(6_000), Status: 'b', Extra: '' };
    expect(() => filter.test(large)).toThrow(FilterLimitError);
    expect(lookups.map(({ keys }) => keys)).toEqual([['a']]);
    const served = plan('Status == a and zz in ID and zz in Extra', { limits });
    const row = { ID: `${'x'.repeat(3_000)}zz`, Status: 'a', Extra: `${'x'.repeat(3_000)}zz` };
    expect(() => served.lookups[0]?.residual?.test(row)).toThrow(FilterLimitError);
    const lists = plan('dc1 in Datacenters and 5 in Ports', { limits: { maxSteps: 100 } });
    const listed = {
      Datacenters: [...Array<string>(300).fill('x'), 'dc1'],
      Ports: [...Array<number>(300).fill(1), 5],
    };
    expect(() => lists.filter.test(listed)).toThrow(FilterLimitError);
    expect(lists.lookups[0]?.residual?.test(listed)).toBe(true);
  });

  it('takes a clause apart from its place, but points into the whole', () => {
    const { clauses, filter } = plan('Status == a and Owner == b');
    expect(clauses.map(({ ast }) => print(ast))).toEqual(['Status == "a"', 'Owner == "b"']);
    const row = { Status: 'a', Owner: null };
    const frame = (test: (row: unknown) => boolean): string => {
      try {
        return String(test(row));
      } catch (error) {
        return error instanceof FilterEvaluationError ? String(error) : 'another error';
      }
    };
    expect(frame(filter.test)).toContain('1 | Status == a and Owner == b');
    expect(frame(clauses[1]?.test ?? (() => false))).toBe(frame(filter.test));
    const single = plan('ID == x');
    expect(single.clauses[0]).toBe(single.filter);
  });

  it('leaves everything to the scan where unknown names have a value', () => {
    expect(lookupsOf('Status == a', { unknownValue: 'a' })).toEqual([]);
    expect(plan('Status == a', { unknownValue: 'a' }).mayFail).toBe(true);
  });

  it('checks first, for any options', () => {
    expect(() => plan('Stauts == a', { check: false })).toThrow(FilterCheckError);
    expect(() => plan('Status == a and Secret == b')).toThrow(FilterCheckError);
  });

  it('compiles only what is used', () => {
    const many = Array.from({ length: 1_900 }, (_, at) => `Status == "s${at}"`).join(' and ');
    const { lookups } = plan(many);
    expect(lookups).toHaveLength(1_900);
    expect(lookups[7]?.keys).toEqual(['s7']);
    expect(lookups[7]?.residual?.test({ Status: 's7' })).toBe(false);
  });

  it('takes only indexes on its own schema', () => {
    const other = defineSchema({ Status: t.string });
    const foreign = fieldIndex(other, 'Status');
    expect(() => planFilter('Status == a', { schema, indexes: [foreign] })).toThrow(/another schema/);
    const made = { field: 'Status', isMultiple: false, keysOf: () => [] };
    expect(() => planFilter('Status == a', { schema, indexes: [made] })).toThrow(/must come from fieldIndex/);
    expect(() => planFilter('Status == a', { schema, indexes: 'Status' as never })).toThrow(TypeError);
  });
});

describe('fieldIndex', () => {
  it.each<[field: string, row: unknown, keys: readonly string[] | null]>([
    ['Status', { Status: 'a' }, ['a']],
    ['Status', {}, ['']],
    ['Status', null, ['']],
    ['Status', { Status: 5 }, null],
    ['Status', 'a row?', null],
    ['Priority', { Priority: 70 }, ['70']],
    ['Priority', { Priority: 70n }, ['70']],
    ['Priority', { Priority: -0 }, ['0']],
    ['Priority', { Priority: null }, ['0']],
    ['Priority', { Priority: 0.5 }, null],
    ['Priority', { Priority: 2 ** 53 }, null],
    ['Version', { Version: 2n ** 64n - 1n }, ['18446744073709551615']],
    ['Stop', { Stop: true }, ['true']],
    ['Stop', {}, ['false']],
    ['Stop', { Stop: 'true' }, null],
    ['Datacenters', { Datacenters: ['b', 'a', 'b'] }, ['b', 'a']],
    ['Datacenters', { Datacenters: null }, []],
    ['Datacenters', { Datacenters: ['a', undefined, null] }, ['a', '']],
    ['Datacenters', { Datacenters: ['a', 5] }, null],
    ['Datacenters', { Datacenters: { 0: 'a' } }, null],
    ['Ports', { Ports: [80, 443n, 80n] }, ['80', '443']],
  ])('of %s finds the keys of row %#', (field, row, keys) => {
    expect(fieldIndex(schema, field).keysOf(row)).toEqual(keys);
  });

  it.each(['Load', 'Meta', 'Periodic', 'Update', 'Groups', 'Extra', 'Secret', 'nosuch', 'toString'])(
    'refuses %s',
    (field) => expect(() => fieldIndex(schema, field)).toThrow(TypeError),
  );
});
