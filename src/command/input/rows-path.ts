import { fieldPathText } from '../../language/syntax/field-path.js';

/** A step from a document to its rows: to a property, to each element of a list, or to each value of an object (`*`). */
export type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'elements' }
  | { readonly kind: 'values' };

/** The path to the rows in a document. It ends with `elements` or `values`. */
export type RowsPath = readonly PathStep[];

/** Maximum steps of a path. Prevents a path that takes longer to follow than the document. */
const maxSteps = 32;

/**
 * Parses the path to the rows in a document: `items`, `Reservations[].Instances[]`, `packages.*`. A list is read without `[]` at the
 * end of the path, too.
 *
 * @param namesOf parses names separated by dots; null if they are invalid
 * @returns null if the path is invalid
 */
export function parseRowsPath(
  text: string,
  namesOf: (text: string) => readonly string[] | null,
): RowsPath | null {
  const steps: PathStep[] = [];
  // Brackets and stars inside quoted names are not steps.
  const parts =
    text.trim().match(/\[\]|\.?\*(?=\.|\[\]|$)|(?:"(?:[^"\\]|\\.)*"|(?!\[\]|\.\*(?:\.|\[\]|$))[^"])+/gs) ??
    [];
  if (parts.join('') !== text.trim()) return null;
  for (const [at, part] of parts.entries()) {
    if (part === '[]') steps.push({ kind: 'elements' });
    else if (part === '*' || part === '.*') {
      if ((part === '*') !== (at === 0)) return null;
      steps.push({ kind: 'values' });
    } else {
      if (at > 0 && !part.startsWith('.') && !part.startsWith('[')) return null;
      const names = namesOf(at > 0 ? part.replace(/^\./, '') : part);
      if (names === null) return null;
      for (const name of names) steps.push({ kind: 'name', name });
    }
  }
  if (steps.at(-1)?.kind === 'name') steps.push({ kind: 'elements' });
  return steps.length === 0 || steps.length > maxSteps ? null : steps;
}

/** Returns a path as it is written, up to a number of steps. A list at the end is not marked. */
export function pathText(path: RowsPath, end = path.length): string {
  const text = path
    .slice(0, end)
    .map((step) =>
      step.kind === 'name' ? fieldPathText(['x', step.name]).slice(1) : step.kind === 'values' ? '.*' : '[]',
    )
    .join('')
    .replace(/^\./, '');
  return end === path.length && path.filter(({ kind }) => kind !== 'name').length === 1
    ? text.replace(/(?<=.)\[\]$/, '')
    : text;
}
