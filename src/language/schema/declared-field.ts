import { fieldPathText, readFieldPath, suggestFieldName } from '../syntax/field-path.js';
import type { Field, StructType } from './type.js';

/** Returns the field with a property name; null if none exists, or if it is hidden from filters. */
export function declaredField({ properties }: StructType, name: unknown): Field | null {
  if (typeof name !== 'string') return null;
  const [property = '', ...parts] = readFieldPath(name);
  const field = parts.length === 0 ? properties.get(property) : undefined;
  return field === undefined || field.hidden ? null : field;
}

/** Returns the property name that is most similar to an unknown one; null if none is similar. */
export function nearestField({ properties }: StructType, name: unknown): string | null {
  const visible = [...properties.values()].filter(({ hidden }) => !hidden);
  const names = visible.map(({ property }) => fieldPathText([property]));
  return suggestFieldName(String(name), names) ?? null;
}
