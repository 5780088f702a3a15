export { filter, type Interpolation } from '../tools/builder/template.js';
export { createWhere, where } from '../tools/builder/where.js';
export { allOf, anyOf, not, type Condition, type ConditionLike } from '../tools/builder/condition.js';
export { field, type FieldPath, type PathPart } from '../tools/builder/reference.js';
export type { Scalar } from '../tools/builder/literal.js';
export { ago, fromNow, ignoringCase, now, type CaselessText, type Clock } from '../tools/builder/operand.js';
export type {
  AnyField,
  TimeComparisons,
  Comparisons,
  Containment,
  NestedFields,
  FieldOf,
  LengthTests,
  Membership,
  NilTests,
  Orderings,
  PathOf,
  Quantifiers,
  SizeTests,
  TextOperand,
  TextTests,
} from '../tools/builder/field-type.js';
