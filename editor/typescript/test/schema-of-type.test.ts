import { join } from 'node:path';
import fc from 'fast-check';
import { defineSchema, t, type FieldDefinitions, type Schema } from 'tamis';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { schemaOfType } from '../src/schema-of-type.js';
import { root } from './support/project.js';

/** A definition as it is written, and what it is. */
interface Written {
  readonly code: string;
  readonly type: FieldDefinitions[string];
}

const scalars: readonly Written[] = [
  { code: 't.string', type: t.string },
  { code: "t.oneOf('a', 'b c')", type: t.oneOf('a', 'b c') },
  { code: 't.bool', type: t.bool },
  { code: 't.int', type: t.int },
  { code: 't.uint', type: t.uint },
  { code: 't.float32', type: t.float32 },
  { code: 't.float64', type: t.float64 },
  { code: 't.time', type: t.time },
  { code: "t.time('ns')", type: t.time('ns') },
  { code: "t.duration('ms')", type: t.duration('ms') },
  { code: "t.bytes('MiB')", type: t.bytes('MiB') },
  { code: 't.ip({ port: true })', type: t.ip({ port: true }) },
  { code: 't.version', type: t.version },
  { code: 't.any', type: t.any },
];
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((each) => each !== '__proto__');
const { definition } = fc.letrec<{
  type: Written;
  fields: readonly (readonly [string, Written])[];
  definition: Written;
}>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...scalars),
    tie('type').map(({ code, type }) => ({ code: `t.list(${code})`, type: t.list(type as never) })),
    tie('type').map(({ code, type }) => ({ code: `t.map(${code})`, type: t.map(type as never) })),
    fc
      .constantFrom(...scalars)
      .filter(({ code }) => code !== 't.any')
      .map(({ code, type }) => ({ code: `t.nullable(${code})`, type: t.nullable(type as never) })),
    tie('fields').map((fields) => ({
      code: `t.struct({ ${fields.map(([key, { code }]) => `${key}: ${code}`).join(', ')} })`,
      type: t.struct(Object.fromEntries(fields.map(([key, { type }]) => [key, type]))),
    })),
  ),
  fields: fc.uniqueArray(fc.tuple(name, tie('definition')), {
    minLength: 1,
    maxLength: 4,
    selector: ([key]) => key,
  }),
  definition: fc.oneof(
    { arbitrary: tie('type'), weight: 5 },
    {
      arbitrary: tie('type').map(({ code, type }) => ({
        code: `t.hidden(${code})`,
        type: t.hidden(type as never),
      })),
      weight: 1,
    },
    {
      arbitrary: tie('type').map(({ code, type }) => ({
        code: `t.renamed('other name', ${code})`,
        type: t.renamed('other name', type as never),
      })),
      weight: 1,
    },
  ),
}));

it('schemas are what the compiler knows of their types, whatever their fields are called', () => {
  // One program for all of them: it is the engine's types that take long.
  const cases = fc.sample(definition, { numRuns: 60, seed: 7 });
  const code = cases.map(
    (each, index) => `export const s${index} = defineSchema({ Field${index}: ${each.code} });`,
  );
  const file = join(root, 'drawn-schemas.ts');
  const text = `import { defineSchema, t } from 'tamis';\n${code.join('\n')}\n`;
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths: { tamis: [join(root, 'src/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (path, ...rest) =>
    path === file
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, path, ...rest);
  host.fileExists = (path) => path === file || fileExists.call(host, path);
  host.readFile = (path) => (path === file ? text : readFile.call(host, path));
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!);
  expect(exports).toHaveLength(cases.length);
  for (const [index, { type }] of cases.entries()) {
    const found = schemaOfType(checker, checker.getTypeOfSymbol(exports[index]!));
    expect(shapeOf(found)).toEqual(shapeOf(defineSchema({ [`Field${index}`]: type })));
  }
});

/** The JSON form with structs instead of their names. */
function shapeOf(schema: Schema | null): unknown {
  const json = schema?.toJSON();
  if (json === undefined) return null;
  const inline = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const each = value as Readonly<Record<string, unknown>>;
    if (each['kind'] === 'struct' && typeof each['name'] === 'string')
      return { ...each, name: inline(json.structs[each['name']]) };
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, inline(item)]));
  };
  return inline(json.structs[json.root]);
}
