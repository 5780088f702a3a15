import { explainOptionNames, type ExplainOptions } from '../compile/filter-options.js';
import { guardDepth } from '../compile/guard-depth.js';
import { charge } from '../compile/frame/meter.js';
import type { FilterError } from '../../language/diagnostics/errors.js';
import { checkOptions } from '../../language/diagnostics/options.js';
import type { UnequalLiteral } from '../../language/schema/unequal-literal.js';
import { decidingClauses } from './deciding-clause.js';
import type { ClauseExplanation, Explanation } from './explanation.js';
import { observe } from './observe.js';
import { renderExplanation } from './render.js';
import { notesOn, readExplainable, type Explainable } from './explain-context.js';

/** Why a filter holds for a row, or does not. */
export interface RowExplanation {
  readonly source: string;
  /** What `test` answers; null where it throws `error`. */
  readonly holds: boolean | null;
  readonly error: FilterError | null;
  /** What became of every part. */
  readonly tree: Explanation;
  /** The clauses that settled it, in source order: the one false operand of an `and`, or all that were true. */
  readonly decidedBy: readonly ClauseExplanation[];
  /** Literals that no value of their field's kind equals, whatever the row: probably not what was meant. */
  readonly notes: readonly UnequalLiteral[];
  /** For people: a line for each clause that decided, and the tree where there is more than one. Ends in a newline. */
  toString(): string;
}

/**
 * Tells which clause of a filter decided about a row, and what it met there. Costs a few evaluations of the filter.
 *
 * ```ts
 * String(explain('Status == "running" and Stop == false', job, { schema }));
 * // Status == "running" is false: Status is "pending"
 * // ...
 * ```
 *
 * @throws FilterSyntaxError and FilterLimitError where a text is no filter; TypeError for a wrong argument. What fails
 *   in the row is told in the answer.
 */
export function explain(filter: Explainable, row: unknown, options: ExplainOptions = {}): RowExplanation {
  return createExplainer(filter, options)(row);
}

/** As {@link explain}, for many rows. */
export function createExplainer(
  filter: Explainable,
  options: ExplainOptions = {},
): (row: unknown) => RowExplanation {
  checkOptions('explain', options, explainOptionNames);
  const explained = readExplainable('explain', filter, options);
  const { source, compileContext } = explained;
  const evaluate = guardDepth(explained, () => observe(explained.ast, compileContext));
  const notes = notesOn(explained.ast, explained);
  return (row) => {
    const tree = charge(compileContext.meter, () => evaluate(row));
    return {
      source,
      holds: tree.holds,
      error: tree.error,
      tree,
      decidedBy: decidingClauses(tree),
      notes,
      toString: () => renderExplanation(tree, notes),
    };
  };
}
