import { createLoopVariable } from '../compile/frame/loop-variable.js';
import { compileCollection } from '../compile/collection.js';
import { noCost } from '../compile/frame/cost-model.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import type { Predicate } from '../compile/frame/predicate.js';
import { compileSelector, type Reader } from '../compile/reader.js';
import { FilterError, type Suggestion } from '../../language/diagnostics/errors.js';
import { nameFix } from '../../language/schema/name-fixes.js';
import type { Type } from '../../language/schema/type.js';
import type { Expression, MatchExpression, Selector } from '../../language/syntax/ast.js';
import { ownNames } from '../../language/values/own-names.js';
import { entryReader } from '../../language/values/data.js';

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
  const visit = compileVisit(clause, context, watches, budget);
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

/** Creates a predicate that reads every selector of an expression, element by element. Its result is meaningless. */
function compileVisit(
  node: Expression,
  context: CompileContext,
  watches: Watch[],
  budget: { left: number },
): Predicate {
  switch (node.kind) {
    case 'match':
      return watchSelector(node.selector, node, context, watches);
    case 'not':
      return compileVisit(node.operand, context, watches, budget);
    case 'and':
    case 'or': {
      const visits = node.operands.map((operand) => compileVisit(operand, context, watches, budget));
      return (row) => {
        for (const visit of visits) visit(row);
        return false;
      };
    }
    case 'any':
    case 'all': {
      const watch = watchSelector(node.selector, null, context, watches);
      const selector = compileSelector(context, node.selector);
      const cell = createLoopVariable(selector.path);
      const inside = compileVisit(
        node.body,
        {
          ...context,
          loopVariables: [...context.loopVariables, cell],
          analysis: context.analysis.body(node),
        },
        watches,
        budget,
      );
      // Returning true for an element ends the walk.
      const body: Predicate = (row) => (budget.left -= 1) < 0 || inside(row);
      const expression = { ...node, kind: 'any' } as const;
      const walk = compileCollection({
        expression,
        selector,
        cell,
        body,
        policy: context.policy,
        cost: noCost,
        unknown: null,
      });
      return (row) => {
        watch(row);
        ignoreFailure(() => walk(row));
        return false;
      };
    }
  }
}

/** Runs a read and ignores its error, which was already counted as a failure of the clause. */
function ignoreFailure<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
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
  if (valueAt(parent, watch.selector.path[watch.part] ?? '') !== undefined) {
    watch.found += 1;
    return;
  }
  watch.missing += 1;
  if (watch.found > 0 || watch.names.size >= maxNames) return;
  for (const name of ownNames(parent)) if (watch.names.size < maxNames) watch.names.add(name);
}

function valueAt(parent: object, name: string): unknown {
  return entryReader(name)(parent);
}
