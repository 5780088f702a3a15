export { parse, type FilterSource, type ParsedFilter, type ParseOptions } from './parse.js';
export { print } from './syntax/print.js';
export { walk, type Visitor } from './syntax/visit.js';
export { rewrite, type Rewriter } from './syntax/rewrite.js';
export type { Dialect, Level, Relaxation, RelaxationKind } from './syntax/dialect.js';
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
} from './syntax/ast.js';

export {
  defineSchema,
  t,
  type FieldDefinition,
  type FieldDefinitions,
  type IpOptions,
  type MapOptions,
  type SpecialField,
} from './schema/define.js';
export { createIngest } from './schema/ingest.js';
export { parseSchema } from './schema/parse-schema.js';
export { isRowOf } from './schema/row-guard.js';
export { schemaFromJSONSchema, type JSONSchemaLimits } from './schema/json-schema.js';
export type { LooseRowOf, RowOf } from './schema/row.js';
export type { SizeUnit, TimeUnit, Unit } from './values/instance/index.js';
export type { Annotated, Annotations, Nullable } from './schema/type.js';
export type { FieldJSON, Schema, SchemaJSON, StructJSON, TypeJSON } from './schema/schema.js';
export type {
  AnyType,
  ArrayType,
  Field,
  ListType,
  MapType,
  ScalarKind,
  ScalarType,
  StructType,
  Type,
  UnitType,
} from './schema/type.js';
export { check, type CheckOptions } from './schema/check.js';

export { compileFilter, type Filter, type FilterPage, type FilterOptions } from './filter.js';
export type { ScanRange } from './filter.js';
export { planFilter, type FilterPlan, type PlanOptions, type IndexLookup, type RangeLookup } from './plan.js';
export { fieldIndex, type FieldIndex } from './compile/field-index.js';
export { orderedIndex, type OrderedIndex } from './compile/ordered-index.js';
export type { CompareKeys, IndexKey, KeyRange } from './compile/key-range.js';
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
} from './list/index.js';

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
} from './diagnostics/errors.js';
export {
  ListQueryError,
  type ListParameter,
  type ListQueryErrorCode,
  type ListQueryErrorJSON,
} from './list/errors.js';
export { defaultLimits, type Limits } from './diagnostics/limits.js';
export type { Span } from './diagnostics/span.js';
export type { ValueKind } from './values/kind.js';
export type { Position } from './diagnostics/source.js';
