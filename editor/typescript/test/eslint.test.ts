import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support/project.js';

const schemaFile = `
import { defineSchema, t } from 'tamis';
import { createTable } from 'tamis/table';
export const fish = defineSchema({
  Zander: t.oneOf('smoked', 'raw'),
  Roe: t.int,
  Born: t.nullable(t.time('ms')),
  Weight: t.bytes('MiB'),
  Pools: t.list(t.struct({ Depth: t.float64, Keeper: t.renamed('keptBy', t.string) })),
  Secret: t.hidden(t.string),
  Tags: t.map(t.string),
});
export const caller = defineSchema({ name: t.string, level: t.int });
export const table = createTable(fish, { key: 'Zander' });
export const other = createTable(caller, { key: 'name' });
`;

const corrected: readonly (readonly [line: string, at: string, fixed: string])[] = [
  ['cf(\'Zonder == "raw"\', { schema: fish });', 'Zonder', 'cf(\'Zander == "raw"\', { schema: fish });'],
  [
    'cf("Zander == \\"raw\\" and Roo > 3", { schema: fish });',
    'Roo',
    'cf("Zander == \\"raw\\" and Roe > 3", { schema: fish });',
  ],
  ['cf(`Zonder == "raw"`, { schema: fish });', 'Zonder', 'cf(`Zander == "raw"`, { schema: fish });'],
  [
    "tamis.compileFilter('\\u0052oo > 3', { schema: fish });",
    '\\u0052oo',
    "tamis.compileFilter('Roe > 3', { schema: fish });",
  ],
  ["check('Roo > 3', { schema: fish });", 'Roo', "check('Roe > 3', { schema: fish });"],
  [
    "planFilter('Pools.0.Dept > 3', { schema: fish });",
    'Dept',
    "planFilter('Pools.0.Depth > 3', { schema: fish });",
  ],
  [
    "const text = 'Roo > 3'; cf(text, { schema: fish });",
    'Roo',
    "const text = 'Roe > 3'; cf(text, { schema: fish });",
  ],
  [
    "cf('Roe > 3 and ' + 'Roo < 9', { schema: fish });",
    'Roo',
    "cf('Roe > 3 and ' + 'Roe < 9', { schema: fish });",
  ],
];

/** Filters whose schema is known from how the list, set or mapping was created: the unknown field is `Roo`. */
const traced: readonly string[] = [
  "void createList(table).page({ filter: 'Roo > 3' });",
  "const list = createList(table); void list.watch({ filter: 'Roo > 3', sort: 'Roe' });",
  "const list = createList(table); void list.facets({ filter: 'Roo > 3' }, ['Roe']);",
  "const list = createList(() => [], { schema: fish, key: 'Zander' }); void list.count({ filter: 'Roo > 3' });",
  "const source = arraySource(fish, () => []); const list = createList(source, {}); void list.page({ filter: 'Roo > 3' });",
  "class Fishes { readonly list = createList(table); run() { return this.list.page({ filter: 'Roo > 3' }); } }",
  "const set = createFilterSet(fish); set.add('id', 'Roo > 3');",
  "declare const mapping: SqlMapping<typeof fish>; mapping.where('Roo > 3');",
  "sqlMapping(fish, defaultMapping(fish, 'fish')).where(String.raw`Roo > 3`);",
  "mysql.sqlMapping(fish, mysql.defaultMapping(fish, 'tidb', 'fish')).where('Roo > 3', {});",
  "toOData('Roo > 3', { schema: fish });",
  "convert.toAgGrid('Roo > 3', { schema: fish });",
  "toQueryBuilder('Roo > 3', { schema: fish });",
  "definePolicy({ schema: fish, caller, actions: ['read'], rules: [{ effect: 'allow', actions: ['*'], when: 'Roo > 3' }] });",
  "definePolicy({ schema: fish, caller, actions: ['read'], rules: [{ effect: 'allow', actions: ['*'], when: 'Roe <= @caller.level and Roo > 3' as string }] as const });",
];

const notCorrected: readonly (readonly [line: string, at: string])[] = [
  ["cf('Roe ==', { schema: fish });", '='],
  ["cf('', { schema: fish });", "'"],
  ['cf(\'Secret == "x"\', { schema: fish });', 'Secret'],
  ['cf(\'Pools.0.Keeper == "x"\', { schema: fish });', 'Keeper'],
  ['cf(\'Roe matches "("\');', '"("'],
  ["cf('Roe > 3', { level: 0 });", '>'],
  ['cf(\'Weight > "3 parsecs"\', { schema: fish });', '"3 parsecs"'],
  ["declare function findJobs(text: string, other: typeof fish): void; findJobs('Roo > 3', fish);", 'Roo'],
  ["void { onlyWhere: 'Roo >' };", '>'],
  ['declare const n: number; filter`Roe > ${n} and`;', 'd'],
  ["declare const fishes: List<{ Roe: number }>; void fishes.page({ filter: 'Roo ==' });", '='],
  ["void listClient('/fish').page({ filter: 'Roo ==' });", '='],
  ["createFilterSet().add('id', 'Roo ==');", '='],
  ["declare const mapping: SqlMapping; mapping.where('Roo ==');", '='],
  ['cf(String.raw`Roe ==`);', '='],
  ["void listClient('/fish').page({ filter: 'a ==' });", '='],
  ["void listClient('/fish').watch({ filter: 'a ==' });", '='],
  [
    "const rules: AccessRule<'read'>[] = [{ effect: 'allow', actions: ['read'], when: 'Roe ==' }]; void rules;",
    '=',
  ],
];

const doubtful: readonly (readonly [line: string, at: string, fixed: readonly string[]])[] = [
  ['cf(\'Zander == "row"\', { schema: fish });', '"row"', ['cf(\'Zander == "raw"\', { schema: fish });']],
  ["cf('Roe > 3 and Roe > 3', { schema: fish });", 'Roe > 3', ["cf('Roe > 3', { schema: fish });"]],
];

const right: readonly string[] = [
  'cf(\'Zander == "raw" and Born > now - 1d and Weight >= 3GiB\', { schema: fish });',
  'cf(\'any Pools as p { p.keptBy == "ada" } and "x" in Tags or Tags["y z"] == z\', { schema: fish });',
  'declare const text: string; cf(text, { schema: fish });',
  "let text = 'Roo =='; cf(text, { schema: fish }); text = '';",
  "cf('Anything == 3');",
  "fromOData('Roo eq', { schema: fish });",
  "const set = createFilterSet(fish, { allowUnknownFields: true }); set.add('id', 'Roo > 3');",
  "let list = createList(table); list = createList(other); void list.page({ filter: 'Roo > 3' });",
  "declare const list: List<{ Roe: number }>; void list.page({ filter: 'Roo > 3' });",
  "definePolicy({ schema: fish, caller, actions: ['read'], rules: [{ effect: 'deny', actions: ['*'], when: 'Secret == @caller.name and Roe <= @caller.level' }] });",
  "void { when: 'Roo ==' };",
  "cf('Roo == 3', { schema: fish, allowUnknownFields: true });",
  'declare const s: string; filter`Name == ${s} and Roe == 3`;',
  "declare function compileFilter(text: string): void; compileFilter('Roo ==');",
  "const o = { filter: 'Roo ==' }; void o;",
  "const o = { schema: fish, allowUnknownFields: true }; cf('Roo == 3', o);",
  "declare const flag: boolean; cf('Roo == 3', { schema: fish, allowUnknownFields: flag });",
];

const severalTimes =
  "const text = 'Roo > 3'; cf(text, { schema: fish }); cf(text, { schema: fish }); check(text, { schema: fish });";
const marked = `\ufeffimport { compileFilter } from 'tamis'; compileFilter('Roe ==');`;
const doubling = Array.from(
  { length: 18 },
  (_, at) => `type D${at + 1} = { a: StructType<D${at}>; b: StructType<D${at}> };`,
);
const recursive = `import { compileFilter, type ScalarType, type Schema, type StructType } from 'tamis';
type Tree = { left: StructType<Tree>; right: StructType<Tree>; Leaf: ScalarType<'int'> };
type D0 = { Leaf: ScalarType<'int'> };
${doubling.join('\n')}
declare const tree: Schema<Tree>;
declare const doubled: Schema<D18>;
compileFilter('left.right.left.Leef == 1', { schema: tree });
compileFilter('a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.Leaf == 1', { schema: doubled });
`;

/** Last lines of programs, all of which are linted at once: it is the engine's types that take long. */
const lines: readonly string[] = [
  ...[...corrected, ...notCorrected, ...doubtful].map(([line]) => line),
  ...traced,
  ...right,
  severalTimes,
];
const head = `import { compileFilter as cf, check, planFilter } from 'tamis';
import * as tamis from 'tamis';
import { filter } from 'tamis/builder';
import { lint } from 'tamis/lint';
import { definePolicy, type AccessRule } from 'tamis/access';
import * as convert from 'tamis/convert';
import { fromOData, toOData, toQueryBuilder } from 'tamis/convert';
import * as mysql from 'tamis/mysql';
import { arraySource, createList, type List } from 'tamis/query';
import { defaultMapping, sqlMapping, type SqlMapping } from 'tamis/sql';
import { listClient } from 'tamis/client';
import { createFilterSet } from 'tamis/filter-set';
import { caller, fish, other, table } from './schema.js';
void [cf, check, planFilter, tamis, filter, lint, fish];
`;

let project: Project;
let recommended: Linter.Config;
let results: ReadonlyMap<string, ESLint.LintResult>;
beforeAll(async () => {
  project = makeProject();
  project.file('schema.ts', schemaFile);
  const plugin = createRequire(join(project.folder, 'x.js'))('@tamis/typescript/eslint') as {
    readonly configs: { readonly recommended: Linter.Config };
  };
  recommended = plugin.configs.recommended;
  const options = { functions: [{ name: 'findJobs' }], properties: ['onlyWhere'] };
  const eslint = new ESLint({
    cwd: project.folder,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['*.ts'],
        languageOptions: {
          parser: tseslint.parser as Linter.Parser,
          parserOptions: { project: './tsconfig.json', tsconfigRootDir: project.folder },
        },
      },
      recommended,
      {
        rules: { 'tamis/valid-filter': ['error', options], 'tamis/suspicious-filter': ['warn', options] },
      },
    ],
  });
  const files = [
    ...lines.map((line, at) => project.file(`line${at}.ts`, `${head}${line}\n`)),
    project.file('marked.ts', marked),
    project.file('recursive.ts', recursive),
  ];
  const linted = await eslint.lintFiles(files);
  results = new Map(linted.map((result) => [basename(result.filePath), result]));
});
afterAll(() => project.remove());

interface Found {
  readonly rule: string;
  /** What is underlined. */
  readonly at: string;
  readonly message: string;
  /** The line after each suggestion. */
  readonly fixed: readonly string[];
}

/** What is said of a last line. */
function lintLine(line: string): readonly Found[] {
  const code = `${head}${line}\n`;
  const result = results.get(`line${lines.indexOf(line)}.ts`);
  const texts = code.split('\n');
  return (result?.messages ?? []).map(({ ruleId, message, suggestions = [], ...position }) => ({
    rule: ruleId ?? 'none',
    at: (texts[position.line - 1] ?? '').slice(position.column - 1, (position.endColumn ?? 0) - 1),
    message,
    fixed: suggestions.map(({ fix }) =>
      `${code.slice(0, fix.range[0])}${fix.text}${code.slice(fix.range[1])}`.slice(head.length).trimEnd(),
    ),
  }));
}

describe('the rules of ESLint', () => {
  it.each(corrected)('say what is wrong where it is written, and correct it: %s', (line, at, fixed) => {
    const [found, ...others] = lintLine(line);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ rule: 'tamis/valid-filter', at });
    expect(found?.fixed).toContain(fixed);
  });

  it.each(traced)('know the schema of the receiver: %s', (line) => {
    const found = lintLine(line);
    expect(found).toMatchObject([{ rule: 'tamis/valid-filter', at: 'Roo' }]);
    expect(found[0]?.fixed).toContain(line.replace('Roo >', 'Roe >'));
  });

  it.each(notCorrected)('say what cannot be corrected: %s', (line, at) => {
    const found = lintLine(line);
    expect(found.map((each) => [each.rule, each.at])).toEqual([['tamis/valid-filter', at]]);
  });

  it.each(doubtful)('warn of what is probably not meant: %s', (line, at, fixed) => {
    expect(lintLine(line)).toMatchObject([{ rule: 'tamis/suspicious-filter', at, fixed }]);
  });

  it.each(right)('report nothing for valid filters and for unknown values: %s', (line) => {
    const found = lintLine(line);
    expect(found).toEqual([]);
  });

  it('report mistakes in a shared constant once, at its literal', () => {
    expect(lintLine(severalTimes)).toMatchObject([
      { at: 'Roo', fixed: [severalTimes.replace('Roo', 'Roe')] },
    ]);
  });

  it('count a byte order mark as ESLint does', () => {
    const result = results.get('marked.ts');
    expect(result?.messages.map(({ column }) => column)).toEqual([marked.indexOf("=='") + 1]);
  });

  it('read a type that holds itself, and one that doubles, once', () => {
    const result = results.get('recursive.ts');
    expect(result?.messages.map(({ line, column }) => [line, column])).toEqual([[24, 32]]);
  });

  it('say which TypeScript they need if the installed one has no API', async () => {
    const other = makeProject();
    try {
      const typescript = join(other.folder, 'node_modules/typescript');
      rmSync(typescript);
      other.file('node_modules/typescript/package.json', '{"name":"typescript","version":"7.0.2"}');
      other.file('node_modules/typescript/index.js', "module.exports = { version: '7.0.2' };");
      const plugin = createRequire(join(other.folder, 'x.js'))('@tamis/typescript/eslint') as {
        readonly configs: { readonly recommended: Linter.Config };
      };
      const eslint = new ESLint({
        cwd: other.folder,
        overrideConfigFile: true,
        overrideConfig: [plugin.configs.recommended],
      });
      await expect(eslint.lintText('', { filePath: 'program.js' })).rejects.toThrow(
        '@tamis/typescript: typescript must be 5.4 or later and below 7, got 7.0.2',
      );
    } finally {
      other.remove();
    }
  });

  it('find filters by their imports if types are unavailable', async () => {
    const plain = new ESLint({
      cwd: project.folder,
      overrideConfigFile: true,
      overrideConfig: [recommended],
    });
    const code = `import { compileFilter as cf } from 'tamis';\nconst text = 'Roe ==';\ncf(text);\nother('Roe ==');\nconst twice = 'Roe ==';\nfunction f(twice) { cf(twice); }\n`;
    const [result] = await plain.lintText(code, { filePath: 'program.js' });
    expect(result?.messages.map(({ ruleId, line, column }) => [ruleId, line, column])).toEqual([
      ['tamis/valid-filter', 2, 20],
    ]);
  });
});
