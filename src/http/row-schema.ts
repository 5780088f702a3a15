import { isRecord } from '../language/values/kind.js';
import type { StructType, Type } from '../language/schema/type.js';

/** A JSON Schema (2020-12). */
export type JSONSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas of rows as sent in responses, by name: the row's and those of its structs. */
export interface RowSchemas {
  readonly ref: string;
  readonly schemas: Readonly<Record<string, JSONSchema>>;
}

const refs = '#/components/schemas/';

/**
 * Returns the JSON Schemas of rows as sent in responses.
 *
 * @param isWhole whether rows have every field, as in tables
 * @param others other schemas of the document, which are part of the result: rows get different names
 */
export function rowSchemas(
  root: StructType,
  name: string,
  isWhole: boolean,
  others: Readonly<Record<string, JSONSchema>>,
): RowSchemas {
  const names = new Map<unknown, string>();
  const schemas: Record<string, JSONSchema> = { ...others };

  function struct(type: StructType, wish: string): string {
    const known = names.get(type.properties);
    if (known !== undefined) return known;
    let own = wish;
    for (let number = 2; Object.hasOwn(schemas, own); number += 1) own = `${wish}${number}`;
    names.set(type.properties, own);
    schemas[own] = {};
    const visible = [...type.properties.values()].filter(({ hidden }) => !hidden);
    schemas[own] = {
      type: 'object',
      properties: Object.fromEntries(
        visible.map((field) => [field.property, schemaOf(field.type, field.property)]),
      ),
      ...(isWhole ? { required: visible.map(({ property }) => property) } : {}),
    };
    return own;
  }

  function schemaOf(type: Type, wish: string): JSONSchema {
    const own = { ...plain(type, wish), ...descriptionOf(type) };
    if (type.nullDepth === 0) return own;
    const { type: kind } = own as { readonly type?: unknown };
    return typeof kind === 'string' ? { ...own, type: [kind, 'null'] } : { anyOf: [own, { type: 'null' }] };
  }

  function plain(type: Type, wish: string): JSONSchema {
    switch (type.kind) {
      case 'struct':
        return { $ref: `${refs}${struct(type, componentName(type.name ?? wish))}` };
      case 'list':
        return { type: 'array', items: schemaOf(type.of, wish) };
      case 'array':
        return {
          type: 'array',
          items: schemaOf(type.of, wish),
          minItems: type.length,
          maxItems: type.length,
        };
      case 'map':
        return { type: 'object', additionalProperties: schemaOf(type.of, wish) };
      case 'any':
        return {};
      case 'string':
        return { type: 'string', ...(type.values === undefined ? {} : { examples: type.values }) };
      case 'bool':
        return { type: 'boolean' };
      case 'int':
        return { type: 'integer', format: 'int64' };
      case 'uint':
        return { type: 'integer', format: 'uint64', minimum: 0 };
      case 'float32':
      case 'float64':
        return { type: 'number', format: type.kind === 'float32' ? 'float' : 'double' };
      case 'time':
        return type.unit === undefined ? { type: 'string', format: 'date-time' } : integerOf(type.unit);
      case 'duration':
        return type.unit === undefined ? { type: 'string' } : integerOf(type.unit);
      case 'bytes':
        return { type: 'integer', format: 'int64' };
      case 'ip':
      case 'version':
        return { type: 'string' };
    }
  }

  const first = struct(root, componentName(name));
  return { ref: `${refs}${first}`, schemas };
}

function integerOf(unit: string): JSONSchema {
  return { type: 'integer', format: 'int64', description: `In ${unit}.` };
}

/** Returns a field's description from the schema. */
function descriptionOf({ annotations }: Type): JSONSchema {
  const noted: unknown = annotations;
  const text = isRecord(noted) ? (noted as Readonly<Record<string, unknown>>)['description'] : undefined;
  return typeof text === 'string' ? { description: text } : {};
}

/** Names of components consist of letters, digits and three symbols. */
function componentName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '_');
  return safe === '' ? 'Row' : safe;
}
