import { readLimits } from '../diagnostics/options.js';
import { elementsOf, followReference, memberOf, type Located } from './json-document.js';
import {
  alternativesOf,
  collectParts,
  constantsOf,
  impliedName,
  requireSchema,
  typeNamesOf,
  type ObjectParts,
  type TypeName,
} from './json-keywords.js';
import type { FieldsOf } from './fields-of.js';
import type { ValueOfJSONSchema } from './json-schema-row.js';
import { createSchema, type Schema } from './schema.js';
import { buildStruct } from './struct.js';
import {
  anyType,
  type Field,
  type ListType,
  type MapType,
  type ScalarKind,
  type StructType,
  type Type,
} from './type.js';

/** Limits for a JSON Schema. */
export interface JSONSchemaLimits {
  /** Maximum nesting depth of values and maximum length of reference chains, 64. Prevents stack exhaustion. */
  readonly maxDepth?: number;
  /** Maximum number of object types, 1,000. Prevents schemas that are too deep to be serialised again. */
  readonly maxStructs?: number;
  /** Maximum total number of fields and parts of all object types, 50,000. Prevents `allOf` from multiplying those of its parts. */
  readonly maxFields?: number;
}

const defaultJSONSchemaLimits: Required<JSONSchemaLimits> = {
  maxDepth: 64,
  maxStructs: 1000,
  maxFields: 50_000,
};

/**
 * Creates a schema from a JSON Schema document that describes one row. Supports a subset of draft 2020-12 with the spellings of
 * draft 7 and OpenAPI 3.0. Types that cannot be determined become `any`: the row's own value then decides.
 *
 * - `type`: `string` (with the values of its `enum`; `time` with the format `date-time`), `boolean`, `integer` (`uint` with a
 * format such as `uint64`), `number`, `array` with `items`, `object`; without a type, `enum` and `const` determine the kind;
 * - an object with `properties` is a struct. Absent properties that are not `required` read as zero values, as in every schema.
 * An object with only `additionalProperties` or one `patternProperties` is a map; one with both kinds is `any`;
 * - null with another type (`type: [..., "null"]`, `nullable`, `anyOf`, `oneOf`) makes scalars and structs nullable. Lists and
 * maps are unchanged: null is an empty one;
 * - `$ref` within the document, also in circles. `allOf` joins properties, other alternatives and joins are `any`.
 *
 * `minimum` and `maximum` within ±(2^53 - 1) make an integer safe (`t.int({ safe: true })`). All other keywords are ignored.
 *
 * Rows are typed if the compiler knows the schema's literal type: pass the object directly, or declare it `as const`.
 *
 * ```ts
 * const users = fromJSONSchema({ type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] });
 * ```
 *
 * @throws TypeError that names the place: `#/properties/Meta/type: unknown type "txt"`; also if a limit is invalid.
 */
export function fromJSONSchema<const J>(
  json: J,
  limits: JSONSchemaLimits = {},
): Schema<FieldsOf<ValueOfJSONSchema<J>>> {
  return createSchema(structOfJSONSchema('fromJSONSchema', json, limits)) as never;
}

/** Returns the struct that a JSON Schema describes. @throws TypeError as {@link fromJSONSchema}. */
export function structOfJSONSchema(caller: string, json: unknown, limits: JSONSchemaLimits = {}): StructType {
  return new JSONSchemaReader(json, readLimits(caller, limits, defaultJSONSchemaLimits)).read();
}

/** A struct whose fields are added after the enclosing schemas have been read. */
interface PendingStruct {
  readonly parts: ObjectParts;
  readonly fields: Map<string, Field>;
  readonly properties: Map<string, Field>;
  readonly name: string | null;
  readonly depth: number;
}

class JSONSchemaReader {
  /** Types by schema object. Prevents a schema with many references from being read several times. */
  private readonly known = new Map<unknown, Type>();
  private readonly open = new Set<unknown>();
  private readonly pending: PendingStruct[] = [];
  private fieldCount = 0;
  private readonly row: Located;

  constructor(
    private readonly document: unknown,
    private readonly limits: Required<JSONSchemaLimits>,
  ) {
    this.row = this.resolve({ value: document, position: '#' }).target;
  }

  read(): StructType {
    const type = this.type(this.row, 0);
    if (type.kind !== 'struct') {
      throw new TypeError(
        `${this.row.position}: expected the schema of a row, an object with properties; this one is ${type.kind}`,
      );
    }
    // New structs are added during the loop.
    for (const struct of this.pending) this.fill(struct);
    return Object.freeze({ ...type, nullDepth: 0 });
  }

  private type(located: Located, depth: number): Type {
    const { target, isNullable } = this.resolve(located);
    const { value } = target;
    const known = this.known.get(value);
    if (known !== undefined) return isNullable ? nullableType(known) : known;
    // A list or map that contains itself would be an infinite type, so it becomes `any` here. Structs may be recursive.
    if (typeof value === 'boolean' || this.open.has(value)) return anyType;
    this.requireDepth(target, depth);
    this.open.add(value);
    const present = this.presentType(target, depth);
    const type = this.allowsNull(target) ? nullableType(present) : present;
    this.open.delete(value);
    this.known.set(value, type);
    return isNullable ? nullableType(type) : type;
  }

  private requireDepth({ position }: Located, depth: number): void {
    const { maxDepth } = this.limits;
    if (depth > maxDepth) throw new TypeError(`${position}: schemas may be nested ${maxDepth} deep`);
  }

  /** Whether a schema allows null, in addition to other values. */
  private allowsNull(located: Located): boolean {
    const names = typeNamesOf(located);
    if (names.length > 0) return names.includes('null');
    if (constantsOf(located)?.includes(null) === true) return true;
    return alternativesOf(located)?.some((each) => this.isNull(each)) === true;
  }

  /** Whether a schema allows only null. */
  private isNull(located: Located): boolean {
    const { target } = this.resolve(located);
    const constants = constantsOf(target) ?? [];
    const [name, ...others] = typeNamesOf(target);
    if (name !== undefined) return name === 'null' && others.length === 0;
    return constants.length > 0 && constants.every((constant) => constant === null);
  }

  /** Returns the type of the non-null values. */
  private presentType(located: Located, depth: number): Type {
    const names = typeNamesOf(located).filter((name) => name !== 'null');
    if (names.length > 1) return commonType(names.map((name) => this.namedType(name, located, depth)));
    const [name = impliedName(located)] = names;
    if (name !== null) return this.namedType(name, located, depth);
    const parts = this.partsOf(located);
    if (parts.properties.size > 0) return this.objectType(located, parts, depth);
    return this.composedType(located, depth);
  }

  private namedType(name: TypeName, located: Located, depth: number): Type {
    const format = memberOf(located, 'format').value;
    switch (name) {
      case 'string':
        return scalarOfFormat(format) ?? textOf(constantsOf(located) ?? []);
      case 'boolean':
        return scalar('bool');
      case 'number':
        return scalar('float64');
      case 'integer':
        return integerType(located, typeof format === 'string' && format.startsWith('uint') ? 'uint' : 'int');
      case 'array':
        return this.listType(located, depth);
      case 'object':
        return this.objectType(located, this.partsOf(located), depth);
      case 'null':
        return anyType;
    }
  }

  private listType(located: Located, depth: number): ListType {
    const items = memberOf(located, 'items');
    // Draft 7 declares the elements of tuples in `items`.
    const tuple = Array.isArray(items.value) ? items : memberOf(located, 'prefixItems');
    const isTuple = tuple.value !== undefined;
    const schemas = isTuple ? elementsOf(tuple) : items.value === undefined ? [] : [items];
    const of = commonType(schemas.map((schema) => this.type(schema, depth + 1)));
    return Object.freeze({ kind: 'list', of, nullDepth: 0 });
  }

  private objectType(located: Located, parts: ObjectParts, depth: number): Type {
    const { properties, rest } = parts;
    if (properties.size === 0) {
      const [only, ...others] = rest;
      const of = only === undefined || others.length > 0 ? anyType : this.type(only, depth + 1);
      return mapOf(of);
    }
    // Filters could not read undeclared properties of a struct, so it becomes `any`. Only the row itself must be a struct.
    if (rest.length > 0 && located.value !== this.row.value) return anyType;
    return this.struct(located, parts, depth);
  }

  private struct({ position }: Located, parts: ObjectParts, depth: number): StructType {
    const { maxStructs } = this.limits;
    if (this.pending.length >= maxStructs)
      throw new TypeError(`${position}: a schema may have ${maxStructs} kinds of object`);
    const name = definitionName.exec(position)?.[1] ?? null;
    const fields = new Map<string, Field>();
    const properties = new Map<string, Field>();
    this.pending.push({ parts, fields, properties, name, depth });
    return Object.freeze({ kind: 'struct', name, fields, properties, nullDepth: 0 });
  }

  private fill({ parts, fields, properties, name, depth }: PendingStruct): void {
    const names = new Set([...parts.properties.keys(), ...parts.required]);
    const all = [...names].map((property): Field => {
      const schemas = parts.properties.get(property) ?? [];
      const type = joinedType(schemas.map((schema) => this.type(schema, depth + 1)));
      const optional = parts.required.has(property) ? {} : ({ optional: true } as const);
      return Object.freeze({ name: property, property, type, hidden: false, ...optional });
    });
    const built = buildStruct(name, all);
    for (const [key, field] of built.fields) fields.set(key, field);
    for (const [key, field] of built.properties) properties.set(key, field);
  }

  /** Returns the constraints of a schema and of its `allOf` parts on properties. */
  private partsOf(located: Located): ObjectParts {
    const parts: ObjectParts = { properties: new Map(), required: new Set(), rest: [] };
    const seen = new Set<unknown>();
    const schemas = [{ located, depth: 0 }];
    // New schemas are added during the loop.
    for (const { located: schema, depth } of schemas) {
      const { target } = this.resolve(schema);
      if (seen.has(target.value)) continue;
      seen.add(target.value);
      this.requireDepth(target, depth);
      collectParts(target, parts);
      const joined = memberOf(target, 'allOf');
      if (joined.value === undefined) continue;
      for (const each of elementsOf(joined)) schemas.push({ located: each, depth: depth + 1 });
    }
    this.fieldCount += schemas.length + parts.properties.size + parts.required.size;
    const { maxFields } = this.limits;
    if (this.fieldCount > maxFields) {
      throw new TypeError(
        `${located.position}: all kinds of object together may have ${maxFields} fields and parts`,
      );
    }
    return parts;
  }

  /** Returns the type of a schema without `type`, according to its values, its alternatives or its `allOf` parts. */
  private composedType(located: Located, depth: number): Type {
    const constants = constantsOf(located);
    if (constants !== null) return typeOfConstants(constants);
    const alternatives = alternativesOf(located);
    if (alternatives !== null) {
      const present = alternatives.filter((each) => !this.isNull(each));
      const values = present.map((each) => constantsOf(this.resolve(each).target));
      if (values.length > 0 && values.every((each) => each !== null)) return typeOfConstants(values.flat());
      return commonType(present.map((each) => this.type(each, depth + 1)));
    }
    const joined = memberOf(located, 'allOf');
    if (joined.value === undefined) return anyType;
    return joinedType(elementsOf(joined).map((each) => this.type(each, depth + 1)));
  }

  /** Follows references until a schema without a reference. The result is nullable if any schema on the way is (OpenAPI 3.0). */
  private resolve(located: Located): { readonly target: Located; readonly isNullable: boolean } {
    const seen = new Set<unknown>();
    let target = located;
    let isNullable = false;
    for (;;) {
      requireSchema(target);
      isNullable ||= memberOf(target, 'nullable').value === true;
      const reference = memberOf(target, '$ref');
      if (reference.value === undefined) return { target, isNullable };
      if (seen.has(target.value))
        throw new TypeError(`${reference.position}: the references lead in a circle`);
      if (seen.size >= this.limits.maxDepth)
        throw new TypeError(`${reference.position}: references may be chained ${this.limits.maxDepth} long`);
      seen.add(target.value);
      target = followReference(this.document, reference);
    }
  }
}

/**
 * Returns the type for a string format. The format `duration` is ISO 8601 (`P1D`), which differs from Go durations, and there is
 * no format for versions.
 */
function scalarOfFormat(format: unknown): Type | null {
  if (format === 'date-time') return scalar('time');
  return format === 'ipv4' || format === 'ipv6' ? scalar('ip') : null;
}

/** Returns an integer type, which is safe if the schema excludes integers beyond ±(2^53 - 1). */
function integerType(located: Located, kind: 'int' | 'uint'): Type {
  const isSafe = ['minimum', 'maximum'].every((name) => Number.isSafeInteger(memberOf(located, name).value));
  return isSafe ? Object.freeze({ kind, safe: true, nullDepth: 0 }) : scalar(kind);
}

function typeOfConstants(constants: readonly unknown[]): Type {
  const type = commonType(constants.filter((constant) => constant !== null).map(typeOfConstant));
  return type.kind === 'string' ? textOf(constants) : type;
}

/** Returns a string type with its known values. */
function textOf(constants: readonly unknown[]): Type {
  const values = constants.filter((constant) => typeof constant === 'string');
  return values.length === 0
    ? scalar('string')
    : Object.freeze({ kind: 'string', nullDepth: 0, values: Object.freeze(values) });
}

function typeOfConstant(constant: unknown): Type {
  switch (typeof constant) {
    case 'string':
      return scalar('string');
    case 'boolean':
      return scalar('bool');
    case 'bigint':
      return scalar('int');
    case 'number':
      return scalar(Number.isInteger(constant) ? 'int' : 'float64');
    default:
      return anyType;
  }
}

/** Returns a type that fits the values of all these types: their common type, otherwise `any`. */
function commonType(types: readonly Type[]): Type {
  const [first, ...others] = types;
  if (first === undefined) return anyType;
  if (others.every((type) => type === first)) return first;
  const nullDepth = types.some((type) => type.nullDepth > 0) ? 1 : 0;
  const kinds = new Set(types.map(({ kind }) => kind));
  const kind = commonKinds.find((each) => [...kinds].every((one) => each.covers.has(one)))?.kind;
  return kind === undefined ? anyType : Object.freeze({ kind, nullDepth });
}

/** Kinds whose operators also suit other kinds, most specific first. */
const commonKinds: readonly { readonly kind: ScalarKind; readonly covers: ReadonlySet<Type['kind']> }[] = [
  { kind: 'string', covers: new Set(['string']) },
  { kind: 'time', covers: new Set(['time']) },
  { kind: 'ip', covers: new Set(['ip']) },
  { kind: 'string', covers: new Set(['string', 'time', 'ip']) },
  { kind: 'bool', covers: new Set(['bool']) },
  { kind: 'int', covers: new Set(['int']) },
  { kind: 'uint', covers: new Set(['uint']) },
  { kind: 'float64', covers: new Set(['int', 'uint', 'float64']) },
];

/** Returns a type for values that belong to all these types. `any` adds no condition. */
function joinedType(types: readonly Type[]): Type {
  return commonType(types.filter(({ kind }) => kind !== 'any'));
}

/** Returns the nullable form of a type. Lists, maps and `any` already accept null. */
function nullableType(type: Type): Type {
  return type.kind === 'list' || type.kind === 'map' || type.kind === 'any'
    ? type
    : Object.freeze({ ...type, nullDepth: 1 });
}

function scalar(kind: ScalarKind): Type {
  return Object.freeze({ kind, nullDepth: 0 });
}

function mapOf(of: Type): MapType {
  return Object.freeze({ kind: 'map', of, textKeys: true, integerKeys: false, nullDepth: 0 });
}

/** Matches references to named schemas, in all places where documents have them. */
const definitionName = /^#\/(?:\$defs|definitions|components\/schemas)\/([^/]+)$/;
