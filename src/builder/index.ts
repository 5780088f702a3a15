export { filter, type Interpolation } from './template.js';
export { createWhere, where } from './where.js';
export { allOf, anyOf, not, type Condition, type ConditionLike } from './condition.js';
export { field, type FieldPath, type PathPart } from './reference.js';
export type { Scalar } from './literal.js';
export { ago, fromNow, ignoringCase, now, type CaselessText, type Clock } from './operand.js';
export type {
  AnyField,
  Chronology,
  Comparisons,
  Containment,
  Descent,
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
} from './field-type.js';
