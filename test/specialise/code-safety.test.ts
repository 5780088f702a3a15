import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { defineSchema, t, type Schema } from '../../src/index.js';
import { findCompiler } from '../../src/filter/specialise/compile-code.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';
import { builtInGuard } from '../../src/language/values/own-property.js';

interface Made {
  readonly code: string;
  readonly parameters: readonly string[];
}

/** All code that is generated while filters are evaluated. */
function codeOf(texts: readonly string[], schema: Schema | undefined, rows: readonly unknown[]): Made[] {
  const made: Made[] = [];
  const compile = findCompiler();
  if (compile === null) throw new Error('these tests need node:vm');
  const accelerate = createSpecialise({
    rowsWorthCode: 0,
    maxShare: Infinity,
    compile: (code, parameters) => {
      made.push({ code, parameters });
      return compile(code, parameters);
    },
  });
  for (const text of texts) {
    const options = schema === undefined ? {} : { schema };
    compileWhole(text, options, accelerate).filter.select(rows);
  }
  return made;
}

/** Names that would do harm if they became code by themselves. */
const hostileName = fc.oneof(
  fc.constantFrom(
    '"];globalThis.harmed=1;["',
    "'+(globalThis.harmed=1)+'",
    '`${globalThis.harmed=1}`',
    '\\"];globalThis.harmed=1//',
    'a\u2028globalThis.harmed=1\u2029',
    '*/globalThis.harmed=1/*',
    '\n;globalThis.harmed=1;\n',
    '\ud800',
    '${globalThis.harmed=1}',
    'p0',
    'row',
    'k0',
  ),
  fc.string({ minLength: 1, maxLength: 12 }),
);

/** A literal or a key as the language writes it. */
const quoted = (text: string): string => JSON.stringify(text).replace(/[\u2028\u2029]/g, ' ');

/** Strings that occur nowhere in the engine's templates. */
const marker = fc.stringMatching(/^zq[a-z]{6}$/);

/** What every object inherits is read by the closures, and so are names that look like places in a list. */
function isRead(name: string): boolean {
  return !(name in Object.prototype) && !/^[0-9]+$/.test(name) && builtInGuard(name) === null;
}

describe('what becomes code', () => {
  it('is the same for every literal and every map key', () => {
    const schema = defineSchema({
      Meta: t.map(t.string),
      Name: t.string,
      Tags: t.list(t.string),
      Size: t.int,
    });
    const filter = (key: string, text: string, number: number): string =>
      `Meta[${quoted(key)}] == ${quoted(text)} and Name != ${quoted(text)} and ${quoted(text)} in Tags or ` +
      `Name matches ${quoted(`^${text}`)} and Size == ${number} or any Tags as x { x == ${quoted(text)} }`;
    const rows = [{ Meta: {}, Name: 'a', Tags: ['b'], Size: 1 }];
    const [defaults] = codeOf([filter('key', 'text', 1)], schema, rows);
    fc.assert(
      fc.property(marker, marker, fc.nat(), (key, text, number) => {
        const [made] = codeOf([filter(key, text, number)], schema, rows);
        expect(made).toEqual(defaults);
        expect(made?.code).not.toContain('zq');
      }),
    );
  });

  it('holds names of the schema in quotes alone, whatever they are', () => {
    // The property of the rows has the name; filters know it by another one.
    const codeFor = (property: string): readonly Made[] =>
      codeOf(['F == x'], defineSchema({ [property]: t.renamed('F', t.string) }), [{ [property]: 'x' }]);
    const [defaults] = codeFor('standard');
    expect(defaults?.code).toContain('["standard"]');
    fc.assert(
      fc.property(hostileName, (name) => {
        const made = codeFor(name);
        const own = made[0]?.code.replaceAll(`[${JSON.stringify(name)}]`, '["standard"]');
        if (isRead(name)) expect(own).toBe(defaults?.code);
        expect((globalThis as { harmed?: number }).harmed).toBeUndefined();
      }),
    );
  });

  it('holds keys of maps that the schema names, in quotes, and no others', () => {
    const rows = [{ Meta: { standard: 'x' } }];
    const codeFor = (key: string, keys: readonly string[]): readonly Made[] =>
      codeOf([`Meta[${quoted(key)}] == x`], defineSchema({ Meta: t.map(t.string, { keys }) }), rows);
    const [defaults] = codeFor('standard', ['other', 'standard']);
    expect(defaults?.code).toContain('["standard"]');
    expect(defaults?.parameters).toEqual([]);
    fc.assert(
      // Filters cannot write half a pair of surrogates.
      fc.property(
        hostileName.filter((name) => quoted(name) === JSON.stringify(name) && !/\\u/.test(quoted(name))),
        marker,
        (name, unnamed) => {
          const [own] = codeFor(name, [name]);
          const standardOrder = own?.code.replaceAll(`[${JSON.stringify(name)}]`, '["standard"]');
          if (isRead(name)) expect(standardOrder).toBe(defaults?.code);
          const [other] = codeFor(unnamed, [name]);
          expect(other?.parameters).toEqual(['k0']);
          expect(other?.code).not.toContain(unnamed);
          expect((globalThis as { harmed?: number }).harmed).toBeUndefined();
        },
      ),
    );
  });

  it('holds no name at all without a schema', () => {
    fc.assert(
      fc.property(marker, marker, (first, second) => {
        const rows = [{ [first]: { [second]: 'x' } }];
        const [made] = codeOf([`${first}.${second} == x`], undefined, rows);
        expect(made?.parameters).toEqual(['k0', 'k1']);
        expect(made?.code).not.toContain('zq');
      }),
    );
  });

  it('is used: a quoted name is read, and a reported key', () => {
    const schema = defineSchema({ 'a"b\u2028': t.renamed('F', t.string), Meta: t.map(t.string) });
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity });
    const { filter } = compileWhole('F == x and Meta["k\'1"] == y', { schema }, accelerate);
    const rows = [
      { 'a"b\u2028': 'x', Meta: { "k'1": 'y' } },
      { 'a"b\u2028': 'x', Meta: {} },
    ];
    expect(filter.select(rows)).toEqual(rows.slice(0, 1));
  });
});
