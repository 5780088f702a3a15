export { parse, type FilterSource, type ParsedFilter, type ParseOptions } from './language/parse.js';
export { print } from './language/syntax/print.js';
export { walk, type Visitor } from './language/syntax/visit.js';
export { rewrite, type Rewriter } from './language/syntax/rewrite.js';
export type { Dialect, Level, Relaxation, RelaxationKind } from './language/syntax/dialect.js';
export type {
  AndExpression,
  BinaryOperator,
  Aspect,
  CollectionBinding,
  CollectionExpression,
  Expression,
  FieldReference,
  MatchExpression,
  MatchOperator,
  MatchValue,
  Name,
  NotExpression,
  OrExpression,
  Selector,
  UnaryOperator,
  Value,
  ValueForm,
  ValueList,
} from './language/syntax/ast.js';

export {
  defineSchema,
  t,
  type FieldDefinition,
  type FieldDefinitions,
  type IntOptions,
  type IpOptions,
  type MapOptions,
  type SpecialField,
  type TimeOptions,
} from './language/schema/define.js';
export { createRowNormalizer } from './language/schema/row-normalizer.js';
export { parseSchema } from './language/schema/parse-schema.js';
export { isRowOf } from './language/schema/row-guard.js';
export type { FieldName } from './language/schema/field-path.js';
export type { InputRowOf, PutRowOf, RowOf } from './language/schema/row.js';
export type { SizeUnit, TimeUnit, Unit } from './language/values/instance/index.js';
export type { Annotated, Annotations, Nullable } from './language/schema/type.js';
export type { FieldJSON, Schema, SchemaJSON, StructJSON, TypeJSON } from './language/schema/schema.js';
export type {
  AnyType,
  ArrayType,
  Field,
  ListType,
  MapType,
  ScalarKind,
  SafeType,
  ScalarType,
  StructType,
  Type,
  UnitType,
} from './language/schema/type.js';
export { check, type CheckOptions } from './language/schema/check.js';

export { compileFilter, type Filter, type FilterPage } from './filter/filter.js';
export type { FilterOptions } from './filter/compile/filter-options.js';
export type { ScanRange } from './filter/filter.js';
export {
  planFilter,
  type FilterPlan,
  type PlanOptions,
  type IndexLookup,
  type RangeLookup,
} from './filter/plan.js';
export { fieldIndex, type FieldIndex } from './filter/compile/frame/field-index.js';
export { orderedIndex, type OrderedIndex } from './filter/compile/frame/ordered-index.js';
export type { CompareKeys, IndexKey, KeyRange } from './filter/compile/frame/key-range.js';
export {
  compareBytewise,
  compareKeys,
  createPager,
  keyOf,
  list,
  type Key,
  type ListQuery,
  type Order,
  type Page,
  type Pager,
  type PagerQuery,
  type RowTest,
} from './lists/list/index.js';

export {
  FilterCheckError,
  FilterError,
  FilterEvaluationError,
  FilterLimitError,
  FilterSyntaxError,
  type Diagnostic,
  type SemanticDiagnostic,
  type FilterErrorCode,
  type FilterErrorJSON,
  type LimitErrorCode,
  type SemanticErrorCode,
  type Suggestion,
  type SyntaxErrorCode,
} from './language/diagnostics/errors.js';
export {
  ListError,
  ListQueryError,
  type ListParameter,
  type ListQueryErrorCode,
  type ListQueryErrorJSON,
} from './lists/list/errors.js';
export { defaultLimits, type Limits } from './language/diagnostics/limits.js';
export type { Span } from './language/diagnostics/span.js';
export type { ValueKind } from './language/values/kind.js';
export type { Position } from './language/diagnostics/source.js';
