import { usesClock } from '../../filter/compile/frame/clock.js';
import { mayFail } from '../../filter/compile/can-fail.js';
import { clausesOf } from '../../filter/compile/plan.js';
import { lazy } from '../../filter/compile/frame/lazy.js';
import type { Filter, FilterParts } from '../../filter/filter.js';
import type { Expression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { lazyLeaves, nodeOf, type Columns, type PlanLeaf, type PlanNode } from './node.js';
import type { Owner } from './cache-entry.js';

/** A clause, shared by all filters that contain it, with its cached data. */
export interface Clause extends Owner {
  readonly text: string;
  /** The plan with which columns evaluate the clause; null if columns cannot evaluate it. */
  readonly node: PlanNode | null;
  /** Returns the parts of the plan that use a column. */
  readonly leaves: () => readonly PlanLeaf[];
  /** Whether the clause can throw for some row. The clauses after it may then not be evaluated in advance. */
  readonly mayFail: boolean;
  /** Whether the results may be cached: they do not depend on the clock, and the clause is likely to be used again. */
  readonly isCacheable: boolean;
  readonly filter: () => Filter;
  /** Number of queries that contained the clause. */
  queries: number;
}

/** Maximum length of a cached clause, in UTF-16 units; then the maximum number of cached clauses. */
const maxLength = 1_000;
const maxClauses = 256;

/** Least-recently-used cache of clauses. The key includes everything that determines the meaning of a clause. */
export class Clauses {
  readonly #known = new Map<string, Clause>();
  readonly #forget: (clause: Clause) => void;

  constructor(forget: (clause: Clause) => void) {
    this.#forget = forget;
  }

  /** Returns the clauses of a filter in the order of evaluation. */
  of(parts: FilterParts, columns: Columns): readonly Clause[] {
    return clausesOf(parts.tree).map((each) => this.#take(each, parts, columns));
  }

  #take(ast: Expression, parts: FilterParts, columns: Columns): Clause {
    const text = print(ast);
    const isCacheable = text.length <= maxLength && !usesClock(ast, parts.analysis);
    const key = `${parts.meaning}${text}`;
    const known = isCacheable ? this.#known.get(key) : undefined;
    const clause = known ?? makeClause(text, ast, parts, nodeOf(ast, parts, columns), isCacheable);
    if (!isCacheable) return clause;
    this.#known.delete(key);
    this.#known.set(key, clause);
    if (this.#known.size > maxClauses) {
      for (const [oldest, each] of this.#known) {
        this.#known.delete(oldest);
        this.#forget(each);
        break;
      }
    }
    return clause;
  }
}

function makeClause(
  text: string,
  ast: Expression,
  parts: FilterParts,
  node: PlanNode | null,
  isCacheable: boolean,
): Clause {
  return {
    ...{ text, node, isCacheable },
    leaves: lazyLeaves(node),
    mayFail: mayFail(ast, parts.analysis),
    filter: lazy(() => parts.filter(ast)),
    queries: 0,
    ...{ bytes: 0, credit: 0, used: 0 },
  };
}

/** Returns the columns that a clause can use at the moment. */
export function ownersOf(clause: Clause): readonly Owner[] {
  return [clause, ...clause.leaves().map(({ column }) => column)];
}

/** Whether a cache entry is a clause, not a column. */
export function isClause(owner: Owner): owner is Clause {
  return (owner as Partial<Clause>).queries !== undefined;
}
