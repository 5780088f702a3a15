import fc from 'fast-check';
import { expect, it } from 'vitest';
import { complete, diagnostics, format, hover, type DataPath } from '../../src/entries/editor.js';
import { FilterError, parse, parseSchema, type Dialect } from '../../src/index.js';
import { anyText } from '../support/filter-text.js';
import { scaled } from '../support/property-runs.js';

// Names and keys out of the texts that are generated, some of them words of the language.
function fields(hidden: readonly string[]): Record<string, object> {
  const visible = {
    a: { kind: 'string' },
    x: { kind: 'list', of: { kind: 'struct', name: 'Row' } },
    Meta: { kind: 'map', of: { kind: 'string' } },
    x1: { kind: 'int' },
    not: { kind: 'bool' },
    in: { kind: 'list', of: { kind: 'string' } },
    any: { kind: 'struct', name: 'Row' },
    'a.b': { kind: 'string' },
    order: { kind: 'any' },
  };
  const secret = hidden.map((name) => [name, { kind: 'string', hidden: true }] as const);
  return { ...visible, ...Object.fromEntries(secret) };
}

const schemaWith = (...hidden: string[]): ReturnType<typeof parseSchema> =>
  parseSchema({ root: 'Row', structs: { Row: { fields: fields(hidden) } } });
const schema = schemaWith();
const values = (path: DataPath): string[] => [
  ...'x 5 1.5 in not'.split(' '),
  'a b',
  '/p',
  '"',
  '',
  `${path.length}`,
];

const cases = fc
  .constantFrom<Dialect>('standard', 'go-bexpr')
  .chain((dialect) =>
    fc.tuple(
      fc.constant(dialect),
      fc.oneof({ weight: 6, arbitrary: anyText(dialect) }, fc.string({ unit: 'binary', maxLength: 30 })),
      fc.nat({ max: 200 }),
    ),
  );

it('every item that is offered leaves the text correct up to its end', () => {
  let offered = 0;
  const property = fc.property(cases, fc.boolean(), ([dialect, text, position], knows) => {
    const offset = position % (text.length + 1);
    const { from, to, items } = complete(
      text,
      offset,
      knows ? { schema, values, dialect } : { keys: values, dialect },
    );
    expect([from <= offset, offset <= to, to <= text.length]).toEqual([true, true, true]);
    for (const { insert } of items) {
      offered += 1;
      const inserted = text.slice(0, from) + insert + text.slice(to);
      expect(failureIn(inserted, dialect)).toBeGreaterThanOrEqual(from + insert.length);
    }
  });
  fc.assert(property, { numRuns: 1_500 });
  expect(offered).toBeGreaterThan(scaled(2_000));
});

/** Where the parser stops; Infinity where it does not. */
function failureIn(text: string, dialect: Dialect): number {
  try {
    parse(text, { dialect });
    return Infinity;
  } catch (error) {
    if (error instanceof FilterError) return error.span.start;
    throw error;
  }
}

it('no text and no offset makes any of them throw', () => {
  const property = fc.property(cases, fc.integer(), ([dialect, text, position], anywhere) => {
    for (const offset of [position, anywhere]) {
      complete(text, offset, { schema, values, dialect });
      hover(text, offset, { schema });
      hover(text, offset);
    }
    const problems = diagnostics(text, { schema, dialect, portable: true });
    const { text: formatted, problem } = format(text, { dialect });
    expect(problem === null).toBe(failureIn(text, dialect) === Infinity);
    if (problem !== null) {
      const { code, span } = problem;
      // What to do about it depends on the fields, which only one of them knows.
      expect([formatted, problems.at(-1)]).toMatchObject([text, { code, span }]);
      expect(problems.slice(0, -1).every((each) => each.span.end < span.start)).toBe(true);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

it('a hidden field changes no byte of the output, for any request', () => {
  const secretive = schemaWith('b', 'isempty', 'secret', 'notx');
  const requests: DataPath[] = [];
  const begun = fc
    .tuple(
      fc.constantFrom('', 'any x as g { ', 'not (', 'any secret as g { '),
      fc.constantFrom('secret', 'a', 'g.secret', 'any.secret', 'Meta', 'b', 'g.Meta', 'isempty.a'),
      fc.constantFrom(' == ', ' contains "', '.', '', ' ', ' is ', ' == x and '),
    )
    .map(([opening, name, rest]) => ['standard', opening + name + rest, -1] as const);
  const property = fc.property(fc.oneof(cases, begun), ([dialect, text, position]) => {
    const written = text.replaceAll('a/b', 'secret');
    const offset = position === -1 ? written.length : position % (written.length + 1);
    const say = (known: typeof schema): string =>
      JSON.stringify([
        complete(written, offset, {
          schema: known,
          dialect,
          values(path) {
            requests.push(path);
            return values(path);
          },
        }),
        hover(written, offset, { schema: known }),
        diagnostics(written, { schema: known, dialect }),
      ]);
    expect(say(secretive)).toBe(say(schema));
  });
  fc.assert(property, { numRuns: 700 });
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((path) => path.some((part) => part === 'secret' || part === 'b'))).toEqual([]);
});
