import type { StructType, Type } from 'tamis';
import { isBase64, unknownRowType } from '@tamis/scheduler-model/row-type.js';

/** The subset of JSON Schema, draft 2020-12, that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly minimum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
}

/** Returns the JSON schema of a field of this shape on the wire. */
export function schemaOfShape(shape: Type): JsonSchema {
  const description = shape.annotations?.['description'];
  const schema =
    typeof description === 'string' ? { ...presentSchema(shape), description } : presentSchema(shape);
  return shape.nullDepth > 0 ? orNull(schema) : schema;
}

function presentSchema(shape: Type): JsonSchema {
  switch (shape.kind) {
    case 'string':
      return isBase64(shape) ? { type: ['string', 'null'], contentEncoding: 'base64' } : { type: 'string' };
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'bytes':
      return { type: 'integer', format: 'int64' };
    case 'uint':
      return { type: 'integer', minimum: 0 };
    case 'float64':
      return { type: 'number' };
    case 'time':
      return shape.unit === undefined
        ? { type: 'string', format: 'date-time' }
        : { type: 'integer', format: 'int64' };
    case 'any':
      return {};
    case 'list':
      return { type: ['array', 'null'], items: schemaOfShape(shape.of) };
    case 'map':
      return { type: ['object', 'null'], additionalProperties: schemaOfShape(shape.of) };
    case 'struct':
      return { type: 'object', properties: visibleFields(shape) };
    default:
      return unknownRowType(shape);
  }
}

/** Returns the schema with null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...new Set([...(typeof type === 'string' ? [type] : type), 'null'])] };
}

function visibleFields({ fields }: StructType): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries([...fields.values()].map(({ name, type }) => [name, schemaOfShape(type)]));
}

/**
 * Returns the schema of a response made from a row. `example` is one such response and defines its fields. Fields of the row have
 * its types, others the type in the example unless `others` defines them.
 */
export function schemaOfResponse(
  shape: StructType,
  example: object,
  others: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const properties = Object.entries(example).map(([name, value]) => {
    const field = shape.properties.get(name);
    return [name, others[name] ?? (field === undefined ? schemaOfValue(value) : schemaOfShape(field.type))];
  });
  return {
    type: 'object',
    properties: { ...(Object.fromEntries(properties) as Readonly<Record<string, JsonSchema>>), ...others },
  };
}

function schemaOfValue(value: unknown): JsonSchema {
  switch (typeof value) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
    case 'bigint':
      return { type: 'integer' };
    case 'string':
      return { type: 'string' };
    default:
      return {};
  }
}

/** Returns the schema of an object in which all these fields are required. */
export function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

export const text: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const bool: JsonSchema = { type: 'boolean' };

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function mapOf(additionalProperties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties };
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
