import { explainOptionNames, type ExplainOptions } from '../compile/filter-options.js';
import { guardDepth } from '../compile/guard-depth.js';
import { charge } from '../compile/frame/meter.js';
import { checkOptions } from '../../language/diagnostics/options.js';
import { decidingClauses } from './deciding-clause.js';
import type { RowExplanation } from './explanation.js';
import { observe } from './observe.js';
import { renderExplanation } from './render.js';
import { notesOn, readExplainable, type Explainable } from './explain-context.js';

/** Returns a function that explains a filter for each row, under these options. */
export function createExplainer(
  filter: Explainable,
  options: ExplainOptions,
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
      matches: tree.matches,
      error: tree.error,
      tree,
      decidedBy: decidingClauses(tree),
      notes,
      toString: () => renderExplanation(tree, notes),
    };
  };
}
