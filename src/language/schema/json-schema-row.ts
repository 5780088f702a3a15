/**
 * The values that a JSON Schema allows, from its literal type. `unknown` if the compiler cannot derive them: schemas read at run time,
 * `$ref`, `allOf`.
 */
export type ValueOfJSONSchema<J> = ValuesOf<J> | (J extends { readonly nullable: true } ? null : never);

type ValuesOf<J> = J extends { readonly const: infer Value }
  ? Value
  : J extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : J extends { readonly type: readonly (infer Name)[] }
      ? ValueNamed<Name, J>
      : J extends { readonly type: infer Name }
        ? ValueNamed<Name, J>
        : J extends { readonly anyOf: readonly (infer Alternative)[] }
          ? ValueOfJSONSchema<Alternative>
          : J extends { readonly oneOf: readonly (infer Alternative)[] }
            ? ValueOfJSONSchema<Alternative>
            : J extends { readonly properties: object }
              ? ObjectOf<J>
              : unknown;

interface Named<J> {
  readonly string: string;
  readonly boolean: boolean;
  readonly number: number;
  readonly integer: number | bigint;
  readonly null: null;
  readonly array: J extends { readonly items: infer Items }
    ? readonly ValueOfJSONSchema<Items>[]
    : readonly unknown[];
  readonly object: ObjectOf<J>;
}

type ValueNamed<Name, J> = Name extends keyof Named<J> ? Named<J>[Name] : unknown;

type ObjectOf<J> = J extends { readonly properties: infer Properties }
  ? string extends keyof Properties
    ? unknown
    : {
        readonly [Name in keyof Properties as Name extends RequiredOf<J> ? Name : never]: ValueOfJSONSchema<
          Properties[Name]
        >;
      } & {
        readonly [Name in keyof Properties as Name extends RequiredOf<J> ? never : Name]?: ValueOfJSONSchema<
          Properties[Name]
        >;
      }
  : J extends { readonly additionalProperties: infer Value extends object }
    ? Readonly<Record<string, ValueOfJSONSchema<Value>>>
    : Readonly<Record<string, unknown>>;

type RequiredOf<J> = J extends { readonly required: readonly (infer Name)[] } ? Name : never;
