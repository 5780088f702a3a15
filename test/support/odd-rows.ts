import fc from 'fast-check';

/** Creates a row again. */
export type MakeRow = () => unknown;

/** Names of fields, some of which other kinds of objects have as well. */
const names = [
  's',
  'n',
  'f',
  'tags',
  'meta',
  'inner',
  'groups',
  'name',
  'size',
  'length',
  'source',
  'k',
] as const;
export const fieldName = fc.constantFrom<string>(...names, 'byteLength', 'constructor', 'index');

/** An object's constructor property may be read to determine its kind: that is data, not a getter. */
const getterName = fieldName.filter((name) => name !== 'constructor');

const texts = [
  '',
  'a',
  'web',
  '5',
  'true',
  'x'.repeat(255),
  'a'.repeat(1_024),
  'a'.repeat(1_025),
  'ab'.repeat(2_000),
];

const scalar = fc.constantFrom<unknown>(
  ...texts,
  ...[undefined, null, true, false, 0, -0, 5, NaN, 1.5, 5n, 2n ** 70n],
);

const thunk = (make: MakeRow): MakeRow => make;

function listOf(element: fc.Arbitrary<MakeRow>): fc.Arbitrary<MakeRow> {
  const long = fc
    .tuple(fc.constantFrom(254, 255, 256, 300), fc.constantFrom<unknown>('b', 5, null), fc.nat(300), element)
    .map(([length, filler, position, odd]) =>
      thunk(() => {
        const list: unknown[] = new Array<unknown>(length).fill(filler);
        list[position % length] = odd();
        return list;
      }),
    );
  const sparse = fc.tuple(fc.nat(5), element).map(([at, one]) =>
    thunk(() => {
      const list: unknown[] = [];
      list[at] = one();
      list.length = at + 2;
      return list;
    }),
  );
  const short = fc.array(element, { maxLength: 3 }).map((all) => thunk(() => all.map((make) => make())));
  return fc.oneof(
    { weight: 6, arbitrary: short },
    { weight: 1, arbitrary: long },
    { weight: 1, arbitrary: sparse },
  );
}

type Entries = readonly (readonly [name: string, value: MakeRow])[];

function objectOf(entries: Entries): Record<string, unknown> {
  return Object.fromEntries(entries.map(([name, value]) => [name, value()]));
}

class Own {
  get k(): string {
    return 'a';
  }
}
class OwnMap extends Map<unknown, unknown> {
  get name(): string {
    return 'a';
  }
}
class OwnList extends Array<unknown> {
  get k(): string {
    return 'a';
  }
}

/** Objects that are no plain ones: each gets own properties on top. */
const hosts: readonly (() => object)[] = [
  () => Object.create(null) as object,
  () => Object.create({ k: 'a', s: 'web' }) as object,
  () => new Own(),
  () => new OwnMap([['s', 'a']]),
  () => OwnList.from(['a']),
  () => () => 1,
  () =>
    class Named {
      k = 'a';
    },
  () => ['a', 'web'],
  () =>
    new Map<unknown, unknown>([
      ['s', 'a'],
      ['name', 'web'],
      ['size', 5],
      [0, 'a'],
    ]),
  () => new Set(['a', 'web']),
  () => new Date(0),
  () => new Date(NaN),
  () => /a/,
  () => new Uint8Array([1, 2]),
  () => new ArrayBuffer(2),
  () => new DataView(new ArrayBuffer(2)),
  () => new String('web') as object,
  () => new Number(5) as object,
  () => new Boolean(true) as object,
  () => new Error('a'),
  () => Promise.resolve('a'),
  () => new Proxy({ s: 'a', n: 5, tags: ['a'] }, {}),
  () => new Proxy(['a'], {}),
  () => new Proxy(() => 1, {}),
  () => ({ constructor: 'a' }),
  () => ({ constructor: Map, s: 'a' }),
  () => Object.freeze({ s: 'a', tags: Object.freeze(['a']) }),
  () => JSON.parse('{"__proto__":"a","s":"a"}') as object,
];

function hostOf(entries: fc.Arbitrary<Entries>): fc.Arbitrary<MakeRow> {
  return fc.tuple(fc.constantFrom(...hosts), entries).map(([makeHost, own]) =>
    thunk(() => {
      const host = makeHost();
      for (const [name, value] of own) {
        const content = value();
        try {
          Reflect.defineProperty(host, name, {
            value: content,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        } catch {
          // The length of a list is not what every value can be; it keeps the one that it has.
        }
      }
      return host;
    }),
  );
}

/** Getters, some of which throw. */
function gettersOf(value: fc.Arbitrary<MakeRow>): fc.Arbitrary<MakeRow> {
  const throws = thunk(() => {
    throw new Error('no value');
  });
  const result = fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(throws) });
  return fc.array(fc.tuple(getterName, result), { minLength: 1, maxLength: 5 }).map((getters) =>
    thunk(() => {
      const row = {};
      for (const [name, get] of getters) {
        Object.defineProperty(row, name, { enumerable: true, configurable: true, get });
      }
      return row;
    }),
  );
}

/** Objects of all kinds, with fields and without. */
function objectArbitrary(): fc.Arbitrary<MakeRow> {
  return fc.letrec<{ value: MakeRow; object: MakeRow }>((tie) => {
    const entries = fc.array(fc.tuple(fieldName, tie('value')), { maxLength: 8 });
    return {
      value: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 6, arbitrary: scalar.map((value) => thunk(() => value)) },
        { weight: 2, arbitrary: listOf(tie('value')) },
        { weight: 3, arbitrary: tie('object') },
      ),
      object: fc.oneof(
        { weight: 5, arbitrary: entries.map((own) => thunk(() => objectOf(own))) },
        { weight: 3, arbitrary: hostOf(entries) },
        { weight: 1, arbitrary: gettersOf(tie('value')) },
      ),
    };
  }).object;
}

/** Anything at all in the place of a row. */
export function anyRowArbitrary(): fc.Arbitrary<MakeRow> {
  return fc.oneof(
    { weight: 12, arbitrary: objectArbitrary() },
    { weight: 1, arbitrary: scalar.map((value) => thunk(() => value)) },
  );
}
