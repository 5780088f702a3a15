import { posix } from 'node:path';
import { readFacts, type FileFacts, type Import } from './imports.js';

/** How a source tree is laid out. Paths are relative to the tree, with forward slashes. */
export interface House {
  /** From the top down: folders and files that may use what stands below and what stands beside them. */
  readonly floors: readonly (readonly string[])[];
  /** Packages (or `node:`) and the only places that may import them. */
  readonly reserved: Readonly<Record<string, readonly string[]>>;
}

/** The engine. */
export const engineHouse: House = {
  floors: [
    ['repl/'],
    ['index.ts'],
    ['list/'],
    ['filter.ts', 'plan.ts', 'builder/', 'editor/', 'explain/', 'lint/', 'portable/'],
    // Handed in by filter.ts alone: nothing else knows that it is there.
    ['specialise/'],
    ['compile/'],
    ['schema/'],
    // Where the grammar and the hints meet: neither needs the other.
    ['parse.ts'],
    ['hints/'],
    ['syntax/'],
    ['operators/'],
    ['values/', 'diagnostics/'],
  ],
  reserved: {
    chevrotain: [
      'syntax/tokens.ts',
      'syntax/parser.ts',
      'syntax/path-rules.ts',
      'syntax/value-rules.ts',
      'syntax/match-rules.ts',
    ],
    // The library does no input or output.
    'node:': ['repl/'],
    picocolors: ['repl/'],
    'cli-table3': ['repl/'],
    'lossless-json': ['repl/'],
  },
};

/** Everything in `sources` (path to text) that breaks the rules of the house, one line each; empty when all is well. */
export function violations(sources: ReadonlyMap<string, string>, house: House): string[] {
  const facts = new Map([...sources].map(([path, text]) => [path, readFacts(path, text)]));
  const found: string[] = [];
  for (const [path, { imports, forbidden }] of facts) {
    if (floorOf(path, house) === -1) found.push(`${path}: stands on no floor`);
    found.push(...forbidden.map((offence) => `${path}:${offence}`));
    for (const each of imports) {
      const problem = importProblem(path, each, sources, house);
      if (problem !== null) found.push(`${path}:${String(each.line)}: ${problem}`);
    }
  }
  return [...found, ...cycles(facts)];
}

function importProblem(
  path: string,
  { specifier }: Import,
  sources: ReadonlyMap<string, string>,
  house: House,
): string | null {
  if (!specifier.startsWith('.')) return packageProblem(path, specifier, house);
  const target = resolveSource(path, specifier);
  if (!sources.has(target)) return `${specifier} is no file of the tree`;
  return floorOf(target, house) < floorOf(path, house) ? `${specifier} is a floor up` : null;
}

function packageProblem(path: string, specifier: string, { reserved }: House): string | null {
  const name = Object.keys(reserved).find((each) =>
    each.endsWith(':') ? specifier.startsWith(each) : specifier === each || specifier.startsWith(`${each}/`),
  );
  if (name === undefined) return `${specifier} is a package that nobody named`;
  const places = reserved[name] ?? [];
  return places.some((place) => isIn(path, place)) ? null : `${specifier} belongs to ${places.join(', ')}`;
}

function floorOf(path: string, { floors }: House): number {
  return floors.findIndex((floor) => floor.some((place) => isIn(path, place)));
}

function isIn(path: string, place: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

/** NodeNext writes `./source.js` for `./source.ts`. */
function resolveSource(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

/** Each cycle once, as "a -> b -> a", found by walking down from every file; type imports count. */
function cycles(facts: ReadonlyMap<string, FileFacts>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) found.push(`cycle: ${[...trail.slice(start), path].join(' -> ')}`);
    if (start !== -1 || finished.has(path)) return;
    for (const { specifier } of facts.get(path)?.imports ?? []) {
      if (specifier.startsWith('.')) walk(resolveSource(path, specifier), [...trail, path]);
    }
    finished.add(path);
  };
  for (const path of facts.keys()) walk(path, []);
  return found;
}
