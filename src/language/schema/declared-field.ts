import { fieldPathText, readFieldPath, suggestFieldName } from '../syntax/field-path.js';
import type { Field, StructType } from './type.js';

/** Returns the field of the row that a declaration names by its property; null if there is none that filters see. */
export function declaredField({ properties }: StructType, name: unknown): Field | null {
  if (typeof name !== 'string') return null;
  const [property = '', ...parts] = readFieldPath(name);
  const field = parts.length === 0 ? properties.get(property) : undefined;
  return field === undefined || field.hidden ? null : field;
}

/** Returns the name that is most similar to an unknown one, as declarations write it; null if there is none. */
export function nearestField({ properties }: StructType, name: unknown): string | null {
  const visible = [...properties.values()].filter(({ hidden }) => !hidden);
  const names = visible.map(({ property }) => fieldPathText([property]));
  return suggestFieldName(String(name), names) ?? null;
}
