import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFacts, type FileFacts, type Import } from './imports.js';

/** The layout of a source tree. Paths are relative to the tree, with forward slashes. */
export interface Layout {
  /**
   * From the top down: folders (`a/`), the files directly in a folder (`a/*`, or `*` for the top of the tree) and single files.
   * Each may import from its own layer and from lower ones. The first entry that matches a path decides.
   */
  readonly layers: readonly (readonly string[])[];
  /** Packages (or `node:`) and the only places that may import them; when left out, any may from anywhere. */
  readonly reserved?: Readonly<Record<string, readonly string[]>>;
}

/** An import between folders that is allowed although it closes a cycle. */
export interface FolderException {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The TypeScript files below a folder: text by path. */
export function readSources(folder: URL): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => path.split(sep).join('/'))
      .map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]),
  );
}

/** The engine. */
export const engineLayout: Layout = {
  layers: [
    ['command/'],
    ['index.ts', 'entries/'],
    ['tools/', 'access/'],
    ['sql/mysql/', 'sql/clickhouse/'],
    ['sql/'],
    ['http/client/'],
    ['http/'],
    ['lists/columns/'],
    ['lists/query/'],
    ['lists/table/'],
    ['lists/list/'],
    ['filter/*', 'filter/explain/', 'filter/filter-set/'],
    ['filter/specialise/'],
    ['filter/compile/*'],
    ['filter/compile/operators/'],
    ['filter/compile/quick/'],
    ['filter/compile/frame/'],
    ['language/schema/'],
    ['language/parse.ts'],
    ['language/hints/'],
    ['language/syntax/'],
    ['language/operators/'],
    ['language/values/', 'language/diagnostics/'],
    ['runtime/'],
  ],
  reserved: {
    chevrotain: [
      'language/syntax/tokens.ts',
      'language/syntax/lexer.ts',
      'language/syntax/parser.ts',
      'language/syntax/path-rules.ts',
      'language/syntax/value-rules.ts',
      'language/syntax/match-rules.ts',
    ],
    'node:': ['command/'],
    picocolors: ['command/'],
    'cli-table3': ['command/'],
  },
};

/** Imports between folders of the engine that may close a cycle. */
export const engineExceptions: readonly FolderException[] = [
  {
    from: 'command',
    to: 'command/commands',
    reason: 'run.ts loads the commands, which use the input, output and options of the folder above',
  },
];

/** Everything in `sources` (path to text) that breaks the rules of the layout, one line each; empty when all is well. */
export function violations(sources: ReadonlyMap<string, string>, layout: Layout): string[] {
  const facts = new Map([...sources].map(([path, text]) => [path, readFacts(path, text)]));
  const found: string[] = [];
  for (const [path, { imports, forbidden }] of facts) {
    if (layerOf(path, layout) === -1) found.push(`${path}: is in no layer`);
    found.push(...forbidden.map((offence) => `${path}:${offence}`));
    for (const each of imports) {
      const problem = importProblem(path, each, sources, layout);
      if (problem !== null) found.push(`${path}:${String(each.line)}: ${problem}`);
    }
  }
  const targets = [...facts].map(([path, fact]) => [path, targetsOf(path, fact)] as const);
  return [...found, ...cycles(new Map(targets))];
}

function importProblem(
  path: string,
  { specifier }: Import,
  sources: ReadonlyMap<string, string>,
  layout: Layout,
): string | null {
  // A manifest is no source: it is named as a package would be.
  if (!specifier.startsWith('.') || specifier.endsWith('.json'))
    return layout.reserved === undefined ? null : packageProblem(path, specifier, layout.reserved);
  const target = resolveSource(path, specifier);
  if (!sources.has(target)) return `${specifier} is no file of the tree`;
  return layerOf(target, layout) < layerOf(path, layout) ? `${specifier} is a layer up` : null;
}

function packageProblem(
  path: string,
  specifier: string,
  reserved: NonNullable<Layout['reserved']>,
): string | null {
  const name = Object.keys(reserved).find((each) =>
    each.endsWith(':') ? specifier.startsWith(each) : specifier === each || specifier.startsWith(`${each}/`),
  );
  if (name === undefined) return `${specifier} is a package that nobody named`;
  const positions = reserved[name] ?? [];
  return positions.some((position) => isIn(path, position))
    ? null
    : `${specifier} belongs to ${positions.join(', ')}`;
}

function layerOf(path: string, { layers }: Layout): number {
  return layers.findIndex((layer) => layer.some((position) => isIn(path, position)));
}

function isIn(path: string, position: string): boolean {
  if (position === '*' || position.endsWith('/*')) return posix.join(posix.dirname(path), '*') === position;
  return position.endsWith('/') ? path.startsWith(position) : path === position;
}

/** NodeNext writes `./source.js` for `./source.ts`. */
function resolveSource(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

/**
 * Returns each cycle of folders once, as "a -> b -> a"; the top of the tree is ".". Also reports an exception that no import
 * needs.
 */
export function folderCycles(
  sources: ReadonlyMap<string, string>,
  exceptions: readonly FolderException[] = [],
): string[] {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of importsOf(sources)) {
    const folder = posix.dirname(path);
    const used = folders.get(folder) ?? new Set();
    folders.set(folder, used);
    for (const target of targets.map((each) => posix.dirname(each))) if (target !== folder) used.add(target);
  }
  const unused = exceptions.filter(({ from, to }) => folders.get(from)?.delete(to) !== true);
  return [
    ...cycles(folders),
    ...unused.map(({ from, to }) => `exception without an import: ${from} -> ${to}`),
  ];
}

/** The files of the tree that each file imports; type imports count. */
export function importsOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  return new Map([...sources].map(([path, text]) => [path, targetsOf(path, readFacts(path, text))]));
}

function targetsOf(path: string, { imports }: FileFacts): readonly string[] {
  return imports.flatMap(({ specifier }) =>
    specifier.startsWith('.') && specifier.endsWith('.js') ? [resolveSource(path, specifier)] : [],
  );
}

/** Each cycle once, as "a -> b -> a", found by walking from every node. */
function cycles(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start !== -1) found.push(`cycle: ${[...trail.slice(start), node].join(' -> ')}`);
    if (start !== -1 || finished.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}
