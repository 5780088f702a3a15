import type { Diagnostic } from '../../language/diagnostics/errors.js';
import { renderFrame } from '../../language/diagnostics/snippet.js';

/** Why a clause cannot be written at level 0. */
export type UnportableCode =
  /** `<`, `<=`, `>`, `>=`. */
  | 'ordering'
  /** `@Other`. */
  | 'field-reference'
  /** `["First Name"]`: a selector that begins with a key that no pointer can write. */
  | 'field-name'
  /** `len(...)`. */
  | 'length'
  /** `now`, `now - 7d`. */
  | 'clock'
  /** `in []`, which matches no row. */
  | 'empty-list'
  /** A block of addresses in a list. */
  | 'block'
  /** A literal between two integers of the field's unit, which no row equals. */
  | 'inexact'
  /** The translation depends on whether the field is a string or a list, and no schema declares it. */
  | 'unknown-kind'
  /** `"x"i` searched for in a list that `any` cannot iterate, or whose elements may not be strings. */
  | 'ignore-case'
  /** The source at level 0 exceeds a limit. */
  | 'too-large'
  /** `is nil` of a value for which level 0 has no such test. */
  | 'null-test'
  /** Level 0 would give a different result if a row has no value. */
  | 'absent-value';

/** A part of a filter that level 0 cannot express. Has the shape of an error. */
export interface UnportableClause extends Omit<Diagnostic, 'code' | 'goMessage' | 'suggestions'> {
  readonly code: UnportableCode;
}

/** Returns the caret frame of a clause in its source, with its hint below. */
export function renderClause(source: string, { span, label, hint }: UnportableClause): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}
