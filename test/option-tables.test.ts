import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { headerDescriptions, parameterDescriptions } from '../src/entries/http.js';

// The option tables of docs/ have the options that the types declare, and no others.

const root = fileURLToPath(new URL('../', import.meta.url));

/** A table by its page and the header of its first column, and the declared options. */
interface OptionTable {
  readonly page: string;
  readonly header: string;
  /** The first option, if several tables of the page have the header. */
  readonly first?: string;
  readonly file: string;
  readonly type: string;
}

const tables: readonly OptionTable[] = [
  {
    page: 'tables',
    header: 'Option of `createTable`',
    file: 'lists/table/define-table',
    type: 'TableOptions',
  },
  { page: 'tables', header: 'Option of `createStore`', file: 'lists/table/store', type: 'StoreOptions' },
  { page: 'tables', header: 'Option of `createList`', file: 'lists/query/list-core', type: 'ListOptions' },
  {
    page: 'tables',
    header: 'Option of `arraySource`',
    file: 'lists/query/source/array-source',
    type: 'ArraySourceOptions',
  },
  { page: 'tables', header: 'Option of a query', file: 'lists/query/request/query', type: 'Query' },
  { page: 'tables', header: 'Limit of `createPool`', file: 'lists/query/source/pool', type: 'PoolLimits' },
  { page: 'pagination', header: 'Option of `list`', file: 'lists/list/query', type: 'ListQuery' },
  {
    page: 'http-lists',
    header: 'Option of `listEndpoint`',
    file: 'http/endpoint-options',
    type: 'EndpointOptions',
  },
  { page: 'http-lists', header: 'Option of `cors`', file: 'http/response', type: 'CorsOptions' },
  {
    page: 'http-lists',
    header: 'Option of `listClient`',
    file: 'http/client/client-types',
    type: 'ClientOptions',
  },
  {
    page: 'http-lists',
    header: 'Option of `client.page`',
    file: 'http/client/client-types',
    type: 'ClientQuery',
  },
  {
    page: 'schemas',
    header: 'Option of `compileFilter`',
    file: 'filter/compile/filter-options',
    type: 'FilterOptions',
  },
  { page: 'limits', header: 'Name', file: 'language/diagnostics/limits', type: 'Limits' },
  { page: 'access', header: 'Option of `definePolicy`', file: 'access/policy', type: 'PolicyOptions' },
  { page: 'access', header: 'Member of a rule', file: 'access/rule', type: 'AccessRule' },
  { page: 'filter-set', header: 'Option', file: 'filter/filter-set/set-options', type: 'FilterSetOptions' },
  { page: 'errors-and-linting', header: 'Option', file: 'tools/lint/lint', type: 'LintOptions' },
  { page: 'sql', header: 'Option of `where`', file: 'sql/where', type: 'WhereOptions' },
  { page: 'reference', header: 'Option of `sqlMapping`', file: 'sql/mapping', type: 'TableMapping' },
  { page: 'sql', header: 'Option', first: 'key', file: 'sql/rows', type: 'SqlListSourceOptions' },
  { page: 'agents', header: 'Option of `listTool`', file: 'http/list-tool', type: 'ListToolOptions' },
  { page: 'convert', header: 'Option', file: 'tools/convert/ag-grid', type: 'AgGridOptions' },
];

const program = ts.createProgram(
  [...new Set(tables.map(({ file }) => sourceOf(file)))],
  ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  ).options,
);
const checker = program.getTypeChecker();

function sourceOf(file: string): string {
  return join(root, 'src', `${file}.ts`);
}

interface Option {
  readonly isRequired: boolean;
  readonly type: ts.Type;
}

/** The declared options by name, without internal ones. */
function declaredOptions({ file, type }: OptionTable): Map<string, Option> {
  const source = program.getSourceFile(sourceOf(file));
  const declaration = source?.statements.find(
    (each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === type,
  );
  if (source === undefined || declaration === undefined) throw new Error(`${file} declares no ${type}`);
  const properties = checker
    .getTypeAtLocation(declaration)
    .getProperties()
    .filter((each) => !each.getJsDocTags().some(({ name }) => name === 'internal'));
  return new Map(
    properties.map((each) => [
      each.name,
      {
        isRequired: (each.flags & ts.SymbolFlags.Optional) === 0,
        type: checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(each, declaration)),
      },
    ]),
  );
}

/** The rows of a table by their option; a row may name several, separated by commas. */
function tableOf({ page, header, first }: OptionTable): Map<string, Readonly<Record<string, string>>> {
  const lines = readFileSync(join(root, 'docs', `${page}.md`), 'utf8').split('\n');
  const cellsOf = (line: string): string[] =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  for (const [at, line] of lines.entries()) {
    const names = line.startsWith('|') ? cellsOf(line) : [];
    if (names[0] !== header) continue;
    const end = lines.findIndex((each, index) => index > at && !each.startsWith('|'));
    const rows = lines.slice(at + 2, end).map(cellsOf);
    if (first !== undefined && rows[0]?.[0] !== `\`${first}\``) continue;
    return new Map(
      rows.flatMap((cells) =>
        [...(cells[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, option = '']) => [
          option,
          Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
        ]),
      ),
    );
  }
  throw new Error(`docs/${page}.md has no table ${header}`);
}

/** What a cell of the column Type must contain for a declared type. */
function expectedIn(type: ts.Type): RegExp[] {
  const parts = type.isUnion() ? type.types : [type];
  const words = parts.map((part) => {
    if (part.isStringLiteral()) return RegExp(`'${part.value}'`);
    if (part.isNumberLiteral()) return RegExp(`\\b${part.value}\\b`);
    if ((part.flags & ts.TypeFlags.BooleanLike) !== 0) return /boolean|false/;
    if ((part.flags & ts.TypeFlags.Number) !== 0) return /number|integer/;
    if ((part.flags & ts.TypeFlags.String) !== 0) return /string|name|property/;
    if (part.getCallSignatures().length > 0) return /=>/;
    return /./;
  });
  return words;
}

describe('the option tables of docs/', () => {
  it.each(tables)('list the options of $type on the page $page', (table) => {
    const [declared, listed] = [declaredOptions(table), tableOf(table)];
    expect([...listed.keys()].toSorted()).toEqual([...declared.keys()].toSorted());
    for (const [name, { isRequired, type }] of declared) {
      const { Default: standard, Type: written } = listed.get(name) ?? {};
      // Tables of limits have no required entries: callers pass a part of them.
      if (standard !== undefined && /^(Option|Member)/.test(table.header))
        expect(standard === 'required', `${name} is required`).toBe(isRequired);
      // Other tables have the values: of `compileFilter`, or of the engines.
      if (written === undefined || /as `/.test(written)) continue;
      for (const part of expectedIn(type)) expect(written, `the type of ${name}`).toMatch(part);
    }
  });
});

describe('the reference of modules', () => {
  it('lists every import path of the package, and no other', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
    const paths = Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => path.replace(/^\./, 'tamis'));
    expect(
      [...tableOf({ page: 'reference', header: 'Import', file: '', type: '' }).keys()].toSorted(),
    ).toEqual(paths.toSorted());
  });
});

describe('the tables of lists over HTTP', () => {
  it('list every parameter and every header', () => {
    const namesIn = (header: string) => [
      ...tableOf({ page: 'http-lists', header, file: '', type: '' }).keys(),
    ];
    expect(namesIn('Parameter').toSorted()).toEqual(Object.keys(parameterDescriptions).toSorted());
    expect(namesIn('Header')).toEqual(expect.arrayContaining(Object.keys(headerDescriptions)));
  });
});
