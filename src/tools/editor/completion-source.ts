import type { Type } from '../../language/schema/type.js';
import { fieldPathText } from '../../language/syntax/field-path.js';
import { print } from '../../language/syntax/print.js';
import type { Fragment } from './replace-range.js';
import type { DataPath, ResolvedField, ScopeAt } from './scope-at.js';

/** Information about the rows: their type, and names and values to suggest. */
export interface CompletionSource {
  readonly root: Type;
  /** Returns the names at a path that the schema does not list. */
  keys(path: DataPath | null, isMap: boolean): readonly string[];
  values(path: DataPath | null): readonly string[];
}

/** What is to be completed: a fragment of the source, the names in scope there, and the information about the rows. */
export interface CompletionRequest {
  readonly fragment: Fragment;
  readonly around: ScopeAt;
  readonly known: CompletionSource;
}

/** Returns the names that can be reached in one step. */
export function namesBelow(
  known: CompletionSource,
  { type, origin, isKey }: ResolvedField,
): readonly string[] {
  if (isKey) return [];
  switch (type.kind) {
    case 'struct':
      return [...type.fields.keys()];
    case 'map':
      return [...new Set([...(type.keys ?? []), ...known.keys(origin, true)])];
    case 'any':
      return known.keys(origin, false);
    default:
      return [];
  }
}

/** Returns the strings with a prefix; if none exist, those with the prefix ignoring case. */
export function startingWith(texts: readonly string[], beginning: string): string[] {
  const exact = texts.filter((text) => text.startsWith(beginning));
  if (exact.length > 0) return exact;
  const folded = beginning.toLowerCase();
  return texts.filter((text) => text.toLowerCase().startsWith(folded));
}

/** Returns a key as a later part of a path: `.owner`, `["cost.center"]`. */
export function partText(key: string, isBracketed: boolean): string {
  const part = fieldPathText(['x', key]).slice(1);
  return isBracketed && part.startsWith('.') ? `["${key}"]` : part;
}

/** Returns a string as a literal; with `isQuoted` in quotes even if it needs none. */
export function literalText(text: string, isQuoted = false): string {
  const literal = print({
    kind: 'value',
    text,
    wellFormed: true,
    ignoreCase: false,
    form: 'quoted',
    span: { start: 0, end: 0 },
  });
  return !isQuoted || /^["`]/.test(literal) ? literal : `"${literal}"`;
}
