import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterError,
  list,
  parse,
  print,
  rewrite,
  t,
  type Expression,
} from '../src/index.js';
import { diagnose } from '../src/entries/explain.js';
import { lint } from '../src/entries/lint.js';
import { runIn } from './repl/fake-io.js';

// The examples in README.md and docs/ are compiled and run as written.

const root = fileURLToPath(new URL('../', import.meta.url));
const papers = [
  'README.md',
  ...[
    'access',
    'agents',
    'builder',
    'convert',
    'errors',
    'errors-and-linting',
    'faq',
    'http-lists',
    'limits',
    'pagination',
    'scale',
    'schemas',
    'sql-clickhouse',
    'sql-mysql',
    'tables',
  ].map((name) => `docs/${name}.md`),
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
];

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = papers
  .flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)])
  .map(([, language = '', text = '']) => ({ language, text }));

function blocksOf(language: string): string[] {
  return blocks.filter((each) => each.language === language).map(({ text }) => text);
}

/** The block that holds a text. */
function blockWith(text: string): string {
  const found = blocks.find((each) => each.text.includes(text));
  if (found === undefined) throw new Error(`no paper has a block with ${text}`);
  return found.text;
}

/** What the examples take for granted; only what a block does not declare itself. */
const surroundings: Readonly<Record<string, string>> = {
  Job: 'interface Job { Namespace: string; ID: string; Status: string; Datacenters: string[] }',
  jobs: 'declare const jobs: Job[];',
  job: 'declare const job: Job;',
  name: 'declare const name: string;',
  schema: 'declare const schema: import("../src/index.js").Schema;',
  request: 'declare const request: { query: { filter?: string; next_token?: string } };',
  order: 'declare const order: { text: (job: Job) => string };',
  table:
    'declare const table: { chunksFrom(start: import("../src/index.js").Key | null): Iterable<readonly Job[]> };',
  mapping:
    'declare const mapping: import("../src/entries/sql.js").SqlMapping<import("../src/index.js").Schema<{ readonly id: import("../src/index.js").ScalarType<"string"> }>>;',
  source: 'declare const source: string;',
  run: 'declare const run: import("../src/entries/sql.js").RunSql;',
  pool: 'declare const pool: import("../src/entries/mysql.js").MysqlPool;',
  cancelPool: 'declare const cancelPool: import("../src/entries/mysql.js").MysqlPool;',
  client: 'declare const client: import("../src/entries/clickhouse.js").ClickhouseClient;',
  connection:
    'declare const connection: { execute(text: string, values: readonly unknown[]): Promise<[object[], unknown]> };',
  listener:
    'declare const listener: import("node:events").EventEmitter & { query(text: string): Promise<unknown> };',
  defineConfig: 'declare function defineConfig(config: object): object;',
  vue: 'declare function vue(options: object): object;',
  Who: 'interface Who { id: string; teams: string[]; level: number }',
  Doc: 'interface Doc { ID: string; Owner: string }',
  ann: 'declare const ann: { id: string; teams: string[]; level: number };',
  policy: 'declare const policy: import("../src/entries/access.js").Policy;',
  Host: 'interface Host { ID: string; Zone: string; Cores: number }',
  hosts:
    'declare const hosts: import("../src/entries/table.js").Table<{ ID: string; Zone: string; Cores: number }>;',
  stop: 'declare const stop: AbortController;',
  draw: 'declare function draw(rows: readonly object[]): void;',
  users: `declare const users: { _: { columns: { id: { _: { data: string; notNull: true; columnType: 'PgText' } };
    price: { _: { data: string; notNull: true; columnType: 'PgNumeric' } } } } };`,
  store: 'declare const store: { jobs(): Iterable<Job> };',
  app: `declare const app: { get(path: string, handler: (request: { query: { filter?: string; next_token?: string } }, reply: {
    header(name: string, value: string): void; code(status: number): { type(name: string): { send(text: string): unknown } } }) => unknown): void };`,
};

/** The module of each name that examples use without importing it once more. */
const library: Readonly<Record<string, string>> = {
  compileFilter: 'index',
  FilterError: 'index',
  list: 'index',
  createPager: 'index',
  fieldIndex: 'index',
  planFilter: 'index',
  diagnose: 'explain/index',
  lint: 'lint/index',
};

function surround(block: string): string {
  const isMissing = (name: string): boolean =>
    new RegExp(`\\b${name}\\b`).test(block) &&
    !new RegExp(`(?:const|let|import \\{[^}]*)\\s*\\b${name}\\b`).test(block);
  const imports = Object.keys(library).filter(
    (name) => isMissing(name) && !new RegExp(`import \\{[^}]*\\b${name}\\b`).test(block),
  );
  const needed = Object.entries(surroundings).filter(([name]) => name === 'Job' || isMissing(name));
  const filter =
    /\bfilter,|filter\.explain/.test(block) &&
    !/const filter|const \{[^}]*\bfilter\b|import \{[^}]*\bfilter\b/.test(block);
  return [
    block
      .replace(/from 'tamis'/g, "from '../src/index.js'")
      .replace(/from 'tamis\/([\w-]+)'/g, "from '../src/entries/$1.js'"),
    ...imports.map((name) => `import { ${name} } from '../src/${library[name]}.js';`),
    filter ? 'declare const filter: import("../src/index.js").Filter<Job>;' : '',
    ...needed.map(([, declaration]) => declaration),
    'export {};',
  ].join('\n');
}

describe('the examples in TypeScript', () => {
  it('compile as written, under the strict options of this repository', () => {
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const made = new Map(
      blocksOf('ts').map((block, at) => [join(root, 'test', `readme-${at}.ts`), surround(block)] as const),
    );
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => made.has(name) || fileExists(name);
    host.getSourceFile = (name, version, ...rest) => {
      const text = made.get(name);
      return text === undefined
        ? getSourceFile(name, version, ...rest)
        : ts.createSourceFile(name, text, version);
    };
    // Examples name things that they only show.
    const lenient = { ...options, noUnusedLocals: false, noUnusedParameters: false };
    const program = ts.createProgram([...made.keys()], lenient, host);
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
    expect(made.size).toBeGreaterThan(5);
    expect(problems).toEqual([]);
  });
});

/** Runs the statements of a block. */
function run(block: string, names: Readonly<Record<string, unknown>>): unknown {
  const script = ts.transpileModule(block.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;
  const body = compileFunction(script, Object.keys(names)) as (...values: unknown[]) => unknown;
  return body(...Object.values(names));
}

const rows = [
  { Namespace: 'default', ID: 'web', Status: 'running', Priority: 70, Datacenters: ['dc1'] },
  { Namespace: 'default', ID: 'db', Status: 'running', Priority: 50, Datacenters: ['dc2'] },
];

describe('what the examples print', () => {
  it('of a misspelt field is what is shown', () => {
    const rendered = blockWith('FilterCheckError: 1:1: Stauts');
    const example = blockWith('SecretID: t.hidden');
    let printed = '';
    try {
      run(example, { compileFilter, defineSchema, t });
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      printed = `${String(error)}\n`;
    }
    expect(printed).toBe(rendered);
  });

  it('of explain, diagnose and lint is what is shown', () => {
    const rendered = blockWith('matches none of 2 rows');
    const filter = compileFilter<object>('Status == runing and Priority == 50');
    const schema = defineSchema({ Status: t.string });
    const [finding] = lint('Status == running and Status == dead', { schema });
    const printed = [
      String(filter.explain(rows[1] ?? {})).trimEnd(),
      String(diagnose('Status == runing and Priority == 50', rows)),
      finding?.message,
    ].join('\n\n');
    expect(`${printed}\n`).toBe(rendered);
  });

  it('of a rewritten tree is the other text', () => {
    const example = blockWith('print(renamed); //');
    const promised = /print\(renamed\); \/\/ +(.*)/.exec(example)?.[1] ?? '';
    const body = example
      .replace(/^print\(renamed\).*$/m, '')
      .replace(/^compileFilter\(renamed\).*$/m, 'return renamed;');
    const renamed = run(body, { parse, rewrite }) as Expression;
    expect(print(renamed)).toBe(promised);
    expect(compileFilter(renamed).source).toBe(promised);
  });

  it('of a list is a page', () => {
    const example = blockWith('page.nextToken; //').replace(/^page\.items.*$/m, 'return page;');
    const filter = compileFilter('Status == running');
    const page = run(example, { list, jobs: rows, filter, request: { query: {} } });
    expect(page).toMatchObject({ items: [{ ID: 'db' }, { ID: 'web' }], nextToken: null });
  });
});

describe('the commands that README.md shows', () => {
  const jobs = rows.map((row) => JSON.stringify({ ...row, Meta: { 'cost.center': '42' } })).join('\n');
  const files = {
    'jobs.ndjson': jobs,
    'jobs.csv': 'ID,Status,Priority\nweb,dead,5\n',
    'response.json': JSON.stringify({ data: { items: [{ Status: 'web', Stop: false }] } }),
  };
  const lines = blockWith("npx tamis filter 'Meta")
    .split('\n')
    .filter((line) => line.startsWith('npx tamis'));

  it.each(lines.filter((line) => !line.includes(' repl ')))('%s', async (line) => {
    const words = [...line.replace(/\s+#.*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    );
    const outcome = await runIn({ files }, ...words.slice(2));
    expect(outcome.code).toBe(0);
    const promised = /# prints (.*)$/.exec(line)?.[1];
    expect(outcome.stdout).toContain(promised === undefined ? 'web' : `${promised}\n`);
  });
});
