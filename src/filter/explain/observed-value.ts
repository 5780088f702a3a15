import type { Type } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import { withArticle } from '../../language/syntax/wording.js';
import { asData, entryReader, isMap } from '../../language/values/data.js';
import { isRecord, kindOf, type ValueKind } from '../../language/values/kind.js';
import { invisibleCharacters } from '../../runtime/invisible-characters.js';
import { integerText } from '../../language/values/instance/quantity.js';
import { quantityText } from './instance-text.js';

/** The value that a clause read from a row, described in a bounded, printable form. */
export interface ObservedValue {
  /** The kind that the operator saw; `absent` if the path ended at a missing key. */
  readonly kind: ValueKind | 'absent';
  /** The value as a literal (`"pending"`, `50`), or a description (`a map with the keys a, b`). */
  readonly text: string;
  /** True if a declared field is missing or null in the row and counts as the zero value in `text`. */
  readonly isZero: boolean;
}

/** The path ended at a missing key. */
export const absentValue: ObservedValue = Object.freeze({ kind: 'absent', text: 'absent', isZero: false });

/** Maximum length of a shown value; then the maximum number of shown elements or keys. */
const maxTextLength = 60;
const maxParts = 5;

/**
 * Describes a value to the extent that filters can read it. The contents of a struct are never shown, because fields may be
 * hidden. `type` is null if none is declared.
 */
export function describeObserved(value: unknown, type: Type | null): ObservedValue {
  const isDynamic = type === null || type.kind === 'any';
  const kind = isDynamic ? kindOf(value) : valueKindOf(type);
  if (isNil(value)) {
    if (isDynamic || type.nullDepth > 0) return { kind: 'nil', text: 'null', isZero: false };
    return { kind, text: zeroTexts[kind] ?? 'null', isZero: true };
  }
  if (!isDynamic && type.kind === 'struct') return { kind, text: 'a struct', isZero: false };
  const text = (isDynamic ? null : quantityText(value, type)) ?? textOf(value);
  return { kind: isFitting(value, kind) ? kind : kindOf(value), text, isZero: false };
}

function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

const zeroTexts: Readonly<Partial<Record<ValueKind, string>>> = {
  string: '""',
  time: '""',
  bool: 'false',
  int: '0',
  uint: '0',
  float32: '0',
  float64: '0',
  list: '[]',
  array: '[]',
  map: 'an empty map',
  struct: 'an empty struct',
};

/** Whether a value can be of its declared kind. */
function isFitting(value: unknown, kind: ValueKind): boolean {
  switch (typeof value) {
    case 'string':
      return kind === 'string' || kind === 'time';
    case 'boolean':
      return kind === 'bool';
    case 'number':
    case 'bigint':
      return kind === 'int' || kind === 'uint' || kind === 'float32' || kind === 'float64';
    default:
      return Array.isArray(value)
        ? kind === 'list' || kind === 'array'
        : isMap(value) && (kind === 'map' || kind === 'pointer');
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return listText(value);
  if (isMap(value)) return mapText(value);
  return scalarText(value);
}

/** Returns a scalar as a filter literal. Values that are not data are named by their type. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoteText(value);
    case 'number':
    case 'bigint':
      return integerText(value);
    case 'boolean':
      return String(value);
    default:
      return isNil(value)
        ? 'null'
        : withArticle(kindOf(value) === 'invalid date' ? 'invalid date' : typeof value);
  }
}

function listText(list: readonly unknown[]): string {
  const rendered = list.slice(0, maxParts).map((each) => {
    const element = asData(each);
    if (typeof element !== 'object' || element === null) return scalarText(element);
    return Array.isArray(element) ? '[…]' : '{…}';
  });
  if (list.length > maxParts) rendered.push(`… ${list.length} in all`);
  return `[${rendered.join(', ')}]`;
}

/** Yields keys lazily; Object.keys would copy all of them. */
function* keysOf(map: object): Generator<string> {
  if (isRecord(map)) for (const key in map) yield key;
  else for (const key of (map as ReadonlyMap<unknown, unknown>).keys()) yield String(key);
}

function mapText(map: object): string {
  const keys: string[] = [];
  for (const key of keysOf(map)) {
    if (!hasEntry(map, key)) continue;
    if (keys.length === maxParts) return `a map with the keys ${keys.join(', ')}, …`;
    keys.push(quoteText(key));
  }
  return keys.length === 0
    ? 'an empty map'
    : `a map with the key${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`;
}

/** Whether a map has an entry. An entry also exists if its value cannot be read, for example because a getter throws. */
function hasEntry(map: object, key: string): boolean {
  try {
    return entryReader(key)(map) !== undefined;
  } catch {
    return true;
  }
}

/** Returns a quoted string, truncated if it is long, without terminal control characters. */
export function quoteText(text: string): string {
  const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
  return JSON.stringify(cut).replace(invisibleCharacters, escapeUnits);
}

/** Escapes each UTF-16 unit, as in JSON. */
function escapeUnits(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
