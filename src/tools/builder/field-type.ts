import type { TypeOfField } from '../../language/schema/row.js';
import type {
  AnyType,
  ArrayType,
  FieldDefinitions,
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

/** `<` and `>`, as one says of times. */
export interface TimeComparisons<V> {
  before(value: V | FieldPath): Condition;
  after(value: V | FieldPath): Condition;
}

/** `in [..]` and `not in [..]`. */
export interface Membership<V> {
  oneOf(values: readonly V[]): Condition;
  noneOf(values: readonly V[]): Condition;
}

/** `contains` and `not contains`: a part of a text, an element of a list, a key of a map. */
export interface Containment<V> {
  contains(value: V | FieldPath): Condition;
  notContains(value: V | FieldPath): Condition;
}

/** What a text begins and ends with, forms such as `web-*`, and RE2 patterns. */
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

/** A text, or one whose case does not count (`ignoringCase`). */
export type TextOperand = string | CaselessText;

/** A value of a time: its text, a Date, `now` or so long before or behind it. */
type Instant = string | Date | Clock;

/** `len(...)`: how many elements a list or a map has, or code points a text. */
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

/** The way to the parts of a value. */
export interface NestedFields<T> {
  readonly at: PathOf<T>;
}

/** A field of which nothing is known: it can be asked everything. */
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

/** A field of a type: it can be asked what the operators allow for it. */
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

/** Kinds that are texts in rows where they have no unit. */
type TextKind = {
  [Kind in ScalarKind]: StorageKind<Kind> extends 'string' | 'time' ? Kind : never;
}[ScalarKind];

type IsText<T> = T extends { readonly unit: Unit } ? false : T extends ScalarType<TextKind> ? true : false;

type TestsOfTime<T> = T extends ScalarType<'time'> ? TimeComparisons<BoundValue<T>> : unknown;

type TestsOfText<T> = IsText<T> extends true ? Containment<TextOperand> & TextTests & Sized : unknown;

/** What an ordering takes: instances as text, too, and times as what clocks show. */
type BoundValue<T> =
  | (T extends ScalarType<'string' | InstanceName> ? string : never)
  | (T extends ScalarType<'time'> ? Date | Clock : never)
  | (IsText<T> extends true ? never : number | bigint);

/** What `==` takes. */
type EqualValue<T> =
  | (T extends ScalarType<'string' | InstanceName> ? string : never)
  | (IsText<T> extends true ? CaselessText : number | bigint);

type ListedValue<T> = BoundValue<T> | (T extends ScalarType<'string'> ? CaselessText : never);

type IndexType = ScalarType<'int'>;
type KeyType = ScalarType<'string'>;

/** A list or map that may be null cannot be iterated. */
type Iteration<T, Element, Key> = T extends { readonly nullDepth: 1 } ? unknown : Quantifiers<Element, Key>;

/** What can be looked for among elements: lists, maps and structs cannot. */
type ElementValue<T> =
  T extends ScalarType<'bool'>
    ? boolean
    : T extends ScalarType
      ? EqualValue<T>
      : T extends AnyType
        ? Scalar | CaselessText
        : never;

/** The first part of a path, or several. Longer ones go on with `at`. */
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
 * The part itself where the type has it, else the parts that it has. As a constraint on the part this would be worked out
 * for every field of the schema instead of the one that is named.
 */
type Checked<Part extends PathPart, T> = Part extends PartOf<T> ? Part : PartOf<T>;

/** What can stand behind a value of the type in a path. */
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

/** The types of fields by the names that filters know. */
type NamedFields<Fields extends FieldDefinitions> = string extends keyof Fields
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
