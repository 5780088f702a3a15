import type { CompileContext } from '../compile/frame/compile-context.js';
import type { Predicate } from '../compile/frame/predicate.js';
import { compileSelector, type Reader } from '../compile/reader.js';
import type { Suggestion } from '../../language/diagnostics/errors.js';
import { nameFix } from '../../language/schema/name-fixes.js';
import type { Type } from '../../language/schema/type.js';
import type { Expression, MatchExpression, Selector } from '../../language/syntax/ast.js';
import { ownNames } from '../../language/values/own-names.js';
import { entryReader } from '../../language/values/data.js';
import { ignoreFailure, visitMatches } from './visit-matches.js';

/** Observes names in a clause: which of them occur in no row, and which names the rows have instead. */
export interface NameSample {
  take(row: unknown): void;
  /** Returns the probable correction of each name that was never found. */
  suggestions(): readonly Suggestion[];
}

// Maximum number of observed names. A hint must not cost more than the query did.
const maxWatched = 50;
const maxParts = 16;
const maxNames = 256;
const maxElements = 1_000;

/** A part of a selector whose name only rows can determine: a key of a map or of an undeclared value. */
interface Watch {
  readonly selector: Selector;
  readonly part: number;
  readonly readParent: Reader;
  readonly names: Set<string>;
  found: number;
  missing: number;
}

export function createNameSample(clause: Expression, context: CompileContext): NameSample {
  const watches: Watch[] = [];
  const budget = { left: 0 };
  const visit = visitMatches(clause, context, {
    budget,
    match: (node, inside) => watchSelector(node.selector, node, inside, watches),
    collection(node, inside, compileWalk) {
      const watch = watchSelector(node.selector, null, inside, watches);
      const walk = compileWalk();
      return (row) => {
        watch(row);
        ignoreFailure(() => walk(row));
        return false;
      };
    },
  });
  return {
    take(row) {
      budget.left = maxElements;
      visit(row);
    },
    suggestions: () =>
      watches
        .filter(({ found, missing }) => found === 0 && missing > 0)
        .flatMap(({ selector, part, names }) => nameFix(selector, part, [...names]).suggestions),
  };
}

function watchSelector(
  selector: Selector,
  match: MatchExpression | null,
  context: CompileContext,
  watches: Watch[],
): Predicate {
  const { path } = selector;
  const own = path.length - context.analysis.resolve(selector).parts.length;
  const watched: Watch[] = [];
  if (path.length > maxParts) return () => false;
  for (let part = own; part < path.length && watches.length < maxWatched; part += 1) {
    const { read, type } =
      part === 0
        ? { read: (row: unknown) => row, type: context.analysis.root }
        : compileSelector(context, { ...selector, path: path.slice(0, part) }, match);
    if (!hasOpenNames(type)) continue;
    const watch = { selector, part, readParent: read, names: new Set<string>(), found: 0, missing: 0 };
    watched.push(watch);
    watches.push(watch);
  }
  return (row) => {
    for (const watch of watched) lookAt(watch, row);
    return false;
  };
}

/** Whether the names of a value come from the rows. Names of a struct are declared, and may be hidden. */
function hasOpenNames(type: Type | null): boolean {
  return type !== null && (type.kind === 'any' || type.kind === 'map');
}

function lookAt(watch: Watch, row: unknown): void {
  const parent = ignoreFailure(() => watch.readParent(row));
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return;
  if (entryReader(watch.selector.path[watch.part] ?? '')(parent) !== undefined) {
    watch.found += 1;
    return;
  }
  watch.missing += 1;
  if (watch.found > 0 || watch.names.size >= maxNames) return;
  for (const name of ownNames(parent)) if (watch.names.size < maxNames) watch.names.add(name);
}
