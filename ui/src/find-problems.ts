import { FilterError, type Schema } from 'tamis';
import { diagnostics } from 'tamis/editor';
import { lint } from 'tamis/lint';
import type { Mark } from './filter-box/filter-language.js';

/** Returns the errors of a filter, or the probable mistakes in a valid filter, in source order. Empty for an empty source. */
export function findProblems(text: string, schema: Schema | null): readonly Mark[] {
  if (text.trim() === '') return [];
  const checked = { schema: schema ?? undefined };
  const problems = diagnostics(text, checked).map(
    ({ severity, span, label, message, hint, suggestions }): Mark => ({
      ...{ severity, span, message: label === '' ? message : label, hint, suggestions },
    }),
  );
  if (isRejected(problems)) return problems;
  try {
    return lintFilter(text, schema);
  } catch (error) {
    // Limits apply to `lint` as a whole, and to each part of `diagnostics`.
    if (error instanceof FilterError) return problems;
    throw error;
  }
}

/** Returns the probable mistakes in a valid filter. Portability to go-bexpr is not checked. */
export function lintFilter(text: string, schema: Schema | null): readonly Mark[] {
  return lint(text, { schema: schema ?? undefined })
    .filter(({ code }) => code !== 'not-portable' && code !== 'value-as-pointer')
    .map(({ span, label, hint, suggestions }) => ({
      ...{ severity: 'warning', span, message: label, hint, suggestions },
    }));
}

/** Whether a problem makes the filter invalid. */
export function isRejected(marks: readonly Mark[]): boolean {
  return marks.some(({ severity }) => severity === 'error');
}
