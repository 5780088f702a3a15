import { complete, type FieldCatalog } from '../entries/editor.js';
import type { Schema } from '../index.js';
import type { Language } from '../language/parse.js';

/** Completions that can replace `fragment`, the end of the line. */
export interface Completion {
  readonly candidates: readonly string[];
  readonly fragment: string;
}

/** Completes a line with the tokens that the grammar expects there: a field name, an operator, or a value of the field. */
export function completeLine(
  line: string,
  catalog: FieldCatalog,
  schema: Schema | null = null,
  language: Language = {},
): Completion {
  const { from, items } = complete(line, line.length, {
    schema: schema ?? undefined,
    ...language,
    values: (path) => catalog.values(path),
    keys: (path) => catalog.keys(path),
  });
  return { candidates: items.map(({ insert }) => insert), fragment: line.slice(from) };
}
