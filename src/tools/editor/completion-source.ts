import type { Type } from '../../language/schema/type.js';
import { print } from '../../language/syntax/print.js';
import type { DataPath, ResolvedField } from './scope-at.js';

/** What is known about the rows: their type, and the names and values to suggest. */
export interface CompletionSource {
  readonly root: Type;
  /** The names below a place that the schema does not list. */
  keys(path: DataPath | null, isMap: boolean): readonly string[];
  values(path: DataPath | null): readonly string[];
}

/** The names of what can be reached from a place in one step. */
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

/** The strings that begin with another, else those that do so ignoring case. */
export function startingWith(texts: readonly string[], beginning: string): string[] {
  const exact = texts.filter((text) => text.startsWith(beginning));
  if (exact.length > 0) return exact;
  const folded = beginning.toLowerCase();
  return texts.filter((text) => text.toLowerCase().startsWith(folded));
}

/** A key as the part of a path that is not the first: `.owner`, `["cost.center"]`. */
export function partText(key: string, isBracketed: boolean): string {
  const span = { start: 0, end: 0 };
  const part = print({ kind: 'selector', form: 'bexpr', path: ['x', key], partSpans: [], span }).slice(1);
  return isBracketed && part.startsWith('.') ? `["${key}"]` : part;
}

/** A string as a literal; with `isQuoted` in quotes even if it needs none. */
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
