import { usesClock } from '../../filter/compile/frame/clock.js';
import { mayFail } from '../../filter/compile/may-fail.js';
import { clausesOf } from '../../filter/compile/plan.js';
import { lazy } from '../../filter/compile/frame/lazy.js';
import type { Filter, FilterParts } from '../../filter/filter.js';
import type { Expression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { keepLeaves, nodeOf, type Columns, type QuestionLeaf, type QuestionNode } from './node.js';
import type { Owner } from './owner.js';

/** A clause of filters, with what is known of it. */
export interface Clause extends Owner {
  readonly text: string;
  /** What columns answer of it; null where they cannot. */
  readonly node: QuestionNode | null;
  /** Its parts that ask of a column. */
  readonly leaves: () => readonly QuestionLeaf[];
  /** Whether a row can make it fail, so that what stands behind it may not be reached. */
  readonly mayFail: boolean;
  /** Whether its answers may be kept: they are the same at all times, and somebody may ask again. */
  readonly isKept: boolean;
  readonly filter: () => Filter;
  /** How many questions it was in. */
  questions: number;
}

/** Longest clause that is remembered, in UTF-16 units, and how many are. */
const longest = 1_000;
const mostClauses = 256;

/** Clauses that were asked of late, under all that decides what they mean. The first is the one that was asked longest ago. */
export class Clauses {
  readonly #known = new Map<string, Clause>();
  readonly #forget: (clause: Clause) => void;

  constructor(forget: (clause: Clause) => void) {
    this.#forget = forget;
  }

  /** Those of a filter, in the order in which they are asked. */
  of(ast: Expression, parts: FilterParts, columns: Columns): readonly Clause[] {
    return clausesOf(ast).map((each) => this.#take(each, parts, columns));
  }

  #take(ast: Expression, parts: FilterParts, columns: Columns): Clause {
    const text = print(ast);
    const isKept = text.length <= longest && !usesClock(ast, parts.analysis);
    const key = `${parts.meaning}${text}`;
    const known = isKept ? this.#known.get(key) : undefined;
    const clause = known ?? makeClause(text, ast, parts, nodeOf(ast, parts, columns), isKept);
    if (!isKept) return clause;
    this.#known.delete(key);
    this.#known.set(key, clause);
    if (this.#known.size > mostClauses) {
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
  node: QuestionNode | null,
  isKept: boolean,
): Clause {
  return {
    ...{ text, node, isKept },
    leaves: keepLeaves(node),
    mayFail: mayFail(ast, parts.analysis),
    filter: lazy(() => parts.filter(ast)),
    questions: 0,
    ...{ bytes: 0, credit: 0, used: 0 },
  };
}

/** What a clause may ask of, as things are. */
export function ownersOf(clause: Clause): readonly Owner[] {
  return [clause, ...clause.leaves().map(({ column }) => column)];
}
