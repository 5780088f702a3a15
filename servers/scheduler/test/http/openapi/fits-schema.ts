import type { JsonSchema } from '../../../src/api/kernel/json-schema.js';

/** The first place where a value does not fit its schema; null when it fits. Knows what the document uses. */
export function misfit(
  value: unknown,
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  place = '',
): string | null {
  const { $ref, anyOf, type, properties = {}, required = [], additionalProperties, items } = schema;
  if ($ref !== undefined) {
    const named = schemas[$ref.replace('#/components/schemas/', '')];
    return named === undefined ? `${place}: there is no ${$ref}` : misfit(value, named, schemas, place);
  }
  if (anyOf !== undefined) {
    const misfits = anyOf.map((one) => misfit(value, one, schemas, place));
    return misfits.includes(null) ? null : misfits.join(' and ');
  }
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) {
    return `${place}: expected ${String(type)}, found ${JSON.stringify(value)}`;
  }
  if (Array.isArray(value)) {
    return first(value.map((item, at) => misfit(item, items ?? {}, schemas, `${place}[${at}]`)));
  }
  if (typeof value !== 'object' || value === null) return null;
  const absent = required.find((name) => !Object.hasOwn(value, name));
  if (absent !== undefined) return `${place}: there is no ${absent}`;
  return first(
    Object.entries(value).map(([name, item]) => {
      const known =
        properties[name] ?? additionalProperties ?? (Object.keys(properties).length === 0 ? {} : null);
      const inside = `${place}.${name}`;
      return known === null ? `${inside}: is not described` : misfit(item, known, schemas, inside);
    }),
  );
}

function first(misfits: readonly (string | null)[]): string | null {
  return misfits.find((one) => one !== null) ?? null;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
