export { createExplainer, explain, type RowExplanation } from './explain.js';
export { diagnose, type DiagnoseOptions, type Diagnosis } from './diagnose.js';
export type { ClauseTally } from './clause-tally.js';
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
} from './explanation.js';
export type { ObservedValue as MetValue } from './observed-value.js';
export type { Explainable, ExplainOptions } from './explain-context.js';
export type { ValueRange } from './range-sample.js';
export type { ValueCount } from './value-sample.js';
export type { UnequalLiteral } from '../schema/unequal-literal.js';
export type { OperandLanguage } from '../operators/operand-shape.js';
