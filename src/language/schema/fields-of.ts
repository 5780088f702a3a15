import type {
  AnyType,
  FieldDefinitions,
  ListType,
  MapType,
  Nullable,
  ScalarType,
  StructType,
  Type,
} from './type.js';

/**
 * The field definitions of rows of a TypeScript type, for schemas that are derived from other declarations. Optional properties
 * are nullable, dates are times, and unions of several kinds may be anything.
 */
export type FieldsOf<Row> = FieldTypes<Row> extends infer Fields extends FieldDefinitions ? Fields : never;

type FieldTypes<Row> = unknown extends Row
  ? FieldDefinitions
  : { readonly [Property in keyof Row]-?: TypeFor<Row[Property]> };

/** The type of a schema for the values of a TypeScript type. */
// `infer` states the constraint, because the compiler would never finish deriving it from the recursive types.
export type TypeFor<Value> = TypeOfValue<Value> extends infer T extends Type ? T : never;

type TypeOfValue<Value> = unknown extends Value
  ? AnyType
  : null extends Value
    ? Nullable<PresentType<NonNullable<Value>>>
    : undefined extends Value
      ? Nullable<PresentType<NonNullable<Value>>>
      : PresentType<Value>;

type PresentType<Value> = TypeOfPresent<Value> extends infer T extends Type ? T : never;

/** The tuples prevent the conditional types from distributing over unions. */
type TypeOfPresent<Value> = [Value] extends [never]
  ? AnyType
  : [Value] extends [string]
    ? string extends Value
      ? ScalarType<'string'>
      : ScalarType<'string', Value>
    : [Value] extends [boolean]
      ? ScalarType<'bool'>
      : [Value] extends [number]
        ? ScalarType<'float64'>
        : [Value] extends [number | bigint]
          ? ScalarType<'int'>
          : [Value] extends [Date]
            ? ScalarType<'time'>
            : [Value] extends [readonly (infer Element)[] | ReadonlySet<infer Element>]
              ? ListType<TypeFor<Element>>
              : [Value] extends [ReadonlyMap<string, infer Element>]
                ? MapType<TypeFor<Element>>
                : [Value] extends [object]
                  ? string extends keyof Value
                    ? MapType<TypeFor<Value[keyof Value]>>
                    : StructType<FieldTypes<Value>>
                  : AnyType;
