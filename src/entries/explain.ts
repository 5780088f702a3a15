import { installExplain } from '../filter/explain-filter.js';

// Must run in the file of this subpath, which `sideEffects` of package.json lists: no other module of the engine may import this one.
installExplain();

export { createExplainer, explain } from '../filter/explain-filter.js';
export { diagnose, type DiagnoseOptions, type Diagnosis } from '../filter/explain/diagnose.js';
export type { ClauseCounts } from '../filter/explain/clause-tally.js';
export type {
  ClauseExplanation,
  CollectionExplanation,
  ComparedLiteral,
  ElementExplanation,
  Explanation,
  JunctionExplanation,
  ListRelation,
  MatchExplanation,
  NegationExplanation,
  ObservedReference,
  Precedence,
  RowExplanation,
} from '../filter/explain/explanation.js';
export type { ObservedValue } from '../filter/explain/observed-value.js';
export type { Explainable } from '../filter/explain/explain-context.js';
export type { ExplainOptions } from '../filter/compile/filter-options.js';
export type { ValueRange } from '../filter/explain/range-sample.js';
export type { ValueCount } from '../filter/explain/value-sample.js';
export type { UnequalLiteral } from '../language/schema/unequal-literal.js';
export type { OperandLanguage } from '../language/operators/operand-shape.js';
