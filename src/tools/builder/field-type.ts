import type { TypeOfField } from '../../language/schema/row.js';
import type {
  AnyType,
  ArrayType,
  ListType,
  MapType,
  ScalarType,
  SpecialField,
  StructType,
  Type,
} from '../../language/schema/type.js';
import type { StorageKind, InstanceName, ScalarKind, Unit } from '../../language/values/instance/index.js';
import type { Condition, ConditionLike } from './condition.js';
import type { Scalar } from './literal.js';
import type { CaselessText, Clock } from './operand.js';
import type { FieldPath, PathPart } from './reference.js';

/** `==` and `!=`, with a value or another field of the row. */
export interface Comparisons<V> {
  is(value: V | FieldPath): Condition;
  isNot(value: V | FieldPath): Condition;
}

/** `<`, `<=`, `>` and `>=`. */
export interface Orderings<V> {
  below(value: V | FieldPath): Condition;
  atMost(value: V | FieldPath): Condition;
  above(value: V | FieldPath): Condition;
  atLeast(value: V | FieldPath): Condition;
}

/** `<` and `>`, as `before` and `after` for times. */
export interface TimeComparisons<V> {
  before(value: V | FieldPath): Condition;
  after(value: V | FieldPath): Condition;
}

/** `in [..]` and `not in [..]`. */
export interface Membership<V> {
  oneOf(values: readonly V[]): Condition;
  noneOf(values: readonly V[]): Condition;
}

/** `contains` and `not contains`: a substring, an element of a list, a key of a map. */
export interface Containment<V> {
  contains(value: V | FieldPath): Condition;
  notContains(value: V | FieldPath): Condition;
}

/** Prefixes and suffixes of strings, globs such as `web-*`, and RE2 patterns. */
export interface TextTests {
  startsWith(text: TextOperand | FieldPath): Condition;
  notStartsWith(text: TextOperand | FieldPath): Condition;
  endsWith(text: TextOperand | FieldPath): Condition;
  notEndsWith(text: TextOperand | FieldPath): Condition;
  like(form: TextOperand): Condition;
  notLike(form: TextOperand): Condition;
  matches(pattern: TextOperand): Condition;
  notMatches(pattern: TextOperand): Condition;
}

/** A string, or one whose case is ignored (`ignoringCase`). */
export type TextOperand = string | CaselessText;

/** A value of a time: a string, a Date, `now` or an offset from it. */
type Instant = string | Date | Clock;

/** `len(...)`: number of elements of a list or map, or of code points of a string. */
export interface LengthTests {
  readonly length: Comparisons<number> & Orderings<number> & Membership<number>;
}

export interface SizeTests {
  isEmpty(): Condition;
  isNotEmpty(): Condition;
}

export interface NilTests {
  isNil(): Condition;
  isNotNil(): Condition;
}

/** `any` and `all`. The callback gets an element of the list and its index, or a value of the map and its key. */
export interface Quantifiers<Element, Key> {
  any(body: (element: FieldOf<Element>, key: FieldOf<Key>) => ConditionLike): Condition;
  all(body: (element: FieldOf<Element>, key: FieldOf<Key>) => ConditionLike): Condition;
}

/** Access to the parts of a value. */
export interface NestedFields<T> {
  readonly at: PathOf<T>;
}

/** A field of unknown type: every test is available. */
export interface AnyField
  extends
    FieldPath,
    Comparisons<Scalar | CaselessText>,
    Orderings<Scalar | Instant>,
    TimeComparisons<Scalar | Instant>,
    Membership<Scalar | Instant | CaselessText>,
    Containment<Scalar | CaselessText>,
    TextTests,
    LengthTests,
    SizeTests,
    NilTests,
    Quantifiers<AnyType, AnyType> {
  at(...path: readonly [PathPart, ...PathPart[]]): AnyField;
}

/** A field of a type: the tests that the operators support for it. */
export type FieldOf<T> = T extends AnyType
  ? AnyField
  : FieldPath & TestsOf<T> & (T extends { readonly nullDepth: 1 } ? NilTests : unknown);

type TestsOf<T> =
  T extends ScalarType<'bool'>
    ? Comparisons<boolean>
    : T extends ScalarType
      ? Comparisons<EqualValue<T>> &
          Orderings<BoundValue<T>> &
          Membership<ListedValue<T>> &
          TestsOfText<T> &
          TestsOfTime<T>
      : T extends ListType<infer Of>
        ? Sized & Containment<ElementValue<Of>> & NilTests & NestedFields<T> & Iteration<T, Of, IndexType>
        : T extends MapType<infer Of>
          ? Sized & Containment<string> & NilTests & NestedFields<T> & Iteration<T, Of, KeyType>
          : T extends ArrayType<infer Of>
            ? Sized & Containment<ElementValue<Of>> & NestedFields<T> & Iteration<T, Of, IndexType>
            : NilTests & NestedFields<T>;

type Sized = SizeTests & LengthTests;

/** Kinds stored as strings in rows if they have no unit. */
type TextKind = {
  [Kind in ScalarKind]: StorageKind<Kind> extends 'string' | 'time' ? Kind : never;
}[ScalarKind];

type IsText<T> = T extends { readonly unit: Unit } ? false : T extends ScalarType<TextKind> ? true : false;

type TestsOfTime<T> = T extends ScalarType<'time'> ? TimeComparisons<BoundValue<T>> : unknown;

type TestsOfText<T> = IsText<T> extends true ? Containment<TextOperand> & TextTests & Sized : unknown;

/** Operands of orderings: instances also as strings, and times also as clock values. */
type BoundValue<T> =
  | (T extends ScalarType<'string' | InstanceName> ? string : never)
  | (T extends ScalarType<'time'> ? Date | Clock : never)
  | (IsText<T> extends true ? never : number | bigint);

/** Operands of `==`. */
type EqualValue<T> =
  | (T extends ScalarType<'string' | InstanceName> ? string : never)
  | (IsText<T> extends true ? CaselessText : number | bigint);

type ListedValue<T> = BoundValue<T> | (T extends ScalarType<'string'> ? CaselessText : never);

type IndexType = ScalarType<'int'>;
type KeyType = ScalarType<'string'>;

/** A list or map that is not nullable: others cannot be iterated. */
type Iteration<T, Element, Key> = T extends { readonly nullDepth: 1 } ? unknown : Quantifiers<Element, Key>;

/** Values that can be searched for among elements: not lists, maps and structs. */
type ElementValue<T> =
  T extends ScalarType<'bool'>
    ? boolean
    : T extends ScalarType
      ? EqualValue<T>
      : T extends AnyType
        ? Scalar | CaselessText
        : never;

/** The first part of a path, or several parts. Longer paths continue with `at`. */
export interface PathOf<T> {
  <A extends PartOf<T>>(a: A): FieldOf<Under<T, A>>;
  <A extends PartOf<T>, B extends PathPart>(a: A, b: Checked<B, Under<T, A>>): FieldOf<Under<Under<T, A>, B>>;
  <A extends PartOf<T>, B extends PathPart, C extends PathPart>(
    a: A,
    b: Checked<B, Under<T, A>>,
    c: Checked<C, Under<Under<T, A>, B>>,
  ): FieldOf<Under<Under<Under<T, A>, B>, C>>;
}

/**
 * The part itself if the type has it, else the parts that it has. As a constraint on the part, this would be evaluated for every
 * field of the schema instead of the named one.
 */
type Checked<Part extends PathPart, T> = Part extends PartOf<T> ? Part : PartOf<T>;

/** The parts that can follow a value of the type in a path. */
type PartOf<T> =
  T extends StructType<infer Fields>
    ? keyof NamedFields<Fields> & string
    : T extends MapType
      ? string
      : T extends ListType | ArrayType
        ? number
        : T extends AnyType
          ? PathPart
          : never;

/** The type of a part. */
type Under<T, Part> =
  T extends StructType<infer Fields>
    ? NamedFields<Fields>[Part & keyof NamedFields<Fields>]
    : T extends MapType<infer Of> | ListType<infer Of> | ArrayType<infer Of>
      ? Of
      : AnyType;

/** The types of fields by filter name. */
type NamedFields<Fields extends object> = string extends keyof Fields
  ? Readonly<Record<string, AnyType>>
  : {
      readonly [Property in keyof Fields as NameIn<Fields[Property], Property>]: TypeOfField<
        Fields[Property]
      >;
    };

type NameIn<Definition, Property> =
  Definition extends SpecialField<Type, infer Hidden, infer Name>
    ? Hidden extends true
      ? never
      : Name extends string
        ? Name
        : Property
    : Property;
