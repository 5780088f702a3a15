import { t, type StructType, type Type } from 'tamis';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocationShape } from '@tamis/scheduler-model/allocation.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { jobShape } from '@tamis/scheduler-model/job.js';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { createRowFormat, RowFormatError } from '@tamis/scheduler-state/storage/row-format.js';
import {
  base64,
  instant,
  interned,
  isBase64,
  mebibytes,
  nanosecondTime,
} from '@tamis/scheduler-model/row-type.js';

/** Every kind of field, alone and inside the others. */
const everything = t.struct({
  string: t.string,
  label: interned,
  bool: t.bool,
  int: t.int,
  uint: t.uint,
  float: t.float64,
  time: instant,
  bytes: base64,
  stamp: nanosecondTime,
  size: mebibytes,
  any: t.any,
  secret: t.hidden(t.string),
  struct: t.struct({ a: t.int, b: t.struct({ c: interned }) }),
  maybe: t.nullable(t.struct({ a: t.int, on: t.nullable(t.bool) })),
  maybeZero: t.nullable(t.int),
  list: t.list(t.struct({ a: t.int, b: t.nullable(t.string) })),
  names: t.list(interned),
  maybes: t.list(t.nullable(t.bool)),
  map: t.map(t.struct({ a: t.uint })),
  meta: t.map(t.string),
  anys: t.map(t.any),
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\0', '\x001', '\0=', '__proto__', '"\\u0000'),
);
const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.constant(0),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
);
const json = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.array(fc.dictionary(text, fc.bigInt())));

/** Rows as they are after they have been completed. */
function given(shape: Type): fc.Arbitrary<unknown> {
  return shape.nullDepth > 0 ? fc.option(present(shape)) : present(shape);
}

function present(shape: Type): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'string':
      return isBase64(shape) ? fc.constantFrom('AAEC', null) : text;
    case 'bool':
      return fc.boolean();
    case 'int':
    case 'uint':
    case 'bytes':
      return integer;
    case 'float64':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'time':
      return shape.unit === undefined ? fc.constant('2024-01-02T03:04:05Z') : integer;
    case 'any':
      return json;
    case 'list':
      return fc.option(fc.array(given(shape.of), { maxLength: 3 }));
    case 'map':
      return fc.option(fc.dictionary(text, given(shape.of), { maxKeys: 3 }));
    case 'struct':
      return fc.record(
        Object.fromEntries(
          [...shape.properties.values()].map(({ property, type }) => [property, given(type)]),
        ),
      );
    default:
      throw new TypeError(shape.kind);
  }
}

/** JSON has one zero only. */
function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutNegativeZero(item)]));
}

const complete = (shape: StructType, row: object): object => completeObject(shape, row);

describe('rows of a known shape', () => {
  const format = createRowFormat(new Map([['things', everything]]));

  it('come back as they were', () => {
    fc.assert(
      fc.property(given(everything), (value) => {
        const row = complete(everything, withoutNegativeZero(value) as object);
        expect(format.reader()('things', format.write('things', row))).toEqual(row);
      }),
      { numRuns: 300 },
    );
  });

  it('cost nothing for what they do not hold', () => {
    expect(format.write('things', complete(everything, {}))).toBe('p{}');
    const row = complete(everything, {
      maybe: {},
      list: [{}, null],
      map: {},
      maybes: [null, false],
      int: 5n,
    });
    expect(format.write('things', row)).toBe(
      String.raw`p{"int":"\u00005","maybe":{},"list":[{},{}],"maybes":[null,false],"map":{}}`,
    );
  });

  it('have the fields of rows that were just written, in the same order, when others are missing', () => {
    const row = format.reader()('things', 'p{"uint":7,"string":"x","unknown":1}');
    expect(Object.keys(row)).toEqual([...everything.properties.keys()]);
    expect(row).toMatchObject({
      uint: 7,
      string: 'x',
      bool: false,
      struct: { a: 0, b: { c: '' } },
      list: null,
    });
  });

  it.each<[string, StructType, object]>([
    [
      'jobs',
      jobShape,
      { ID: 'a', SubmitTime: 1645230445788556000n, TaskGroups: [{ Name: 'g', Tasks: [{}] }] },
    ],
    ['nodes', nodeShape, { ID: 'n', SecretID: 'kept', Drivers: { exec: null, raw: { Detected: true } } }],
  ])('hold all of %s', (name, shape, fields) => {
    const real = createRowFormat(new Map([[name, shape]]));
    const row = complete(shape, fields);
    const written = real.write(name, row);
    expect(real.reader()(name, written)).toEqual(row);
    expect(written.length).toBeLessThan(250);
  });

  it('may have been written whole before the table had a shape', () => {
    const before = createRowFormat(new Map());
    const row = complete(everything, { string: 'x', int: 2n ** 60n });
    expect(format.reader()('things', before.write('things', row))).toEqual(row);
  });

  it.each([
    ['', 'form that this version does not know'],
    ['z{}', 'form that this version does not know'],
    ['p{', 'no JSON'],
    ['p', 'no JSON'],
    ['w1', 'no object'],
    ['wnull', 'no object'],
    [String.raw`w{"a":"\u0000"}`, 'an integer without digits'],
    [String.raw`w{"a":"\u0000 1"}`, 'an integer without digits'],
  ])('are refused when they are %j', (written, problem) => {
    expect(() => format.reader()('things', written)).toThrow(RowFormatError);
    expect(() => format.reader()('things', written)).toThrow(problem);
  });

  it('need their shape', () => {
    expect(() => format.reader()('others', 'p{}')).toThrow('no shape');
  });
});

describe('rows inside of rows', () => {
  const format = createRowFormat(
    new Map<string, StructType>([
      ['allocations', allocationShape],
      ['job_versions', jobShape],
      ['jobs', jobShape],
    ]),
  );
  const job = complete(jobShape, { ID: 'a', SubmitTime: 1645230445788556000n, Meta: { text: '"\0' } });
  const allocation = (ID: string, Job: object | null): object =>
    complete(allocationShape, { ID, CreateTime: 1n, ...(Job === null ? {} : { Job }) });

  it('come back as they were, and as one', () => {
    const read = format.reader();
    const [first, second, none] = [allocation('1', job), allocation('2', job), allocation('3', null)].map(
      (row) => {
        const back = read('allocations', format.write('allocations', row)) as { readonly Job: object | null };
        expect(back).toEqual(row);
        expect(Object.keys(back)).toEqual(Object.keys(row));
        return back;
      },
    );
    expect(second?.Job).toBe(first?.Job);
    expect(none?.Job).toBeNull();
    const version = read('job_versions', format.write('job_versions', job));
    expect(version).toEqual(job);
    expect(version).toBe(first?.Job);
    expect(read('jobs', format.write('jobs', job))).toBe(version);
    const other = complete(jobShape, { ...job, Stop: true });
    expect(read('jobs', format.write('jobs', other))).toEqual(other);
    // Nothing is kept for the next time.
    expect(format.reader()('jobs', format.write('jobs', job))).not.toBe(version);
  });
});
