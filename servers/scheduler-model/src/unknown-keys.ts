import type { StructType, Type } from 'tamis';
import { suggestName } from '@tamis/config';
import { quote } from './quote.js';
import { fieldName } from './read-shape.js';

/** Maximum number of reported keys. Prevents large responses to bodies of unknown keys. */
const maxNamed = 20;

/** Collects the keys of a value that its shape does not have, in source order. */
interface UnknownKeys {
  readonly named: string[];
  count: number;
}

/**
 * Reports keys that no field of a shape has, with a suggestion. Null values are ignored, and keys of maps and of untyped fields
 * are free.
 */
export function unknownKeyWarnings(shape: StructType, value: unknown): string[] {
  const found: UnknownKeys = { named: [], count: 0 };
  visit(shape, value, '', found);
  const more = found.count - found.named.length;
  const others = more === 1 ? '1 more field is' : `${more} more fields are`;
  return more === 0 ? found.named : [...found.named, `${others} not known and ignored`];
}

function visit(shape: Type, value: unknown, path: string, found: UnknownKeys): void {
  if (typeof value !== 'object' || value === null) return;
  switch (shape.kind) {
    case 'list':
      if (!Array.isArray(value) || !hasFields(shape.of)) return;
      for (const [at, item] of value.entries()) visit(shape.of, item, `${path}[${at}]`, found);
      return;
    case 'map':
      if (!hasFields(shape.of)) return;
      for (const [key, item] of Object.entries(value)) {
        visit(shape.of, item, `${path}[${quote(key, 60)}]`, found);
      }
      return;
    case 'struct':
      return visitStruct(shape, value, path, found);
    default:
      return;
  }
}

function visitStruct(shape: StructType, value: object, path: string, found: UnknownKeys): void {
  const prefix = path === '' ? '' : `${path}.`;
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined) continue;
    const name = fieldName(shape, key);
    const field = name === null ? undefined : shape.properties.get(name);
    if (field !== undefined) visit(field.type, item, `${prefix}${name}`, found);
    else note(shape, key, prefix, found);
  }
}

function note(shape: StructType, key: string, prefix: string, found: UnknownKeys): void {
  found.count += 1;
  if (found.named.length >= maxNamed) return;
  const near = suggestName(key, [...shape.properties.keys()]);
  const hint = near === null ? '' : `: did you mean ${near}?`;
  const redacted = /^\w{1,60}$/.test(key) ? key : quote(key, 60);
  found.named.push(`${prefix}${redacted}: there is no such field, it is ignored${hint}`);
}

function hasFields(shape: Type): boolean {
  if (shape.kind === 'struct') return true;
  return 'of' in shape && hasFields(shape.of);
}
