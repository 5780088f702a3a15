import type { Diagnostic } from '../../language/diagnostics/errors.js';
import { renderFrame } from '../../language/diagnostics/snippet.js';

/** Why a clause has no text at level 0. */
export type UnportableCode =
  /** `<`, `<=`, `>`, `>=`. */
  | 'ordering'
  /** `@Other`. */
  | 'field-reference'
  /** `len(...)`. */
  | 'length'
  /** `now`, `now - 7d`. */
  | 'clock'
  /** `in []`, which holds for no row. */
  | 'empty-list'
  /** A block of addresses in a list. */
  | 'block'
  /** A literal between two integers of the field's unit, which no row equals. */
  | 'inexact'
  /** Whether the field is a text or a list has to be known, and no schema tells. */
  | 'unknown-kind'
  /** `"x"i` looked for in a list that `any` does not go through, or whose elements need not be texts. */
  | 'ignore-case'
  /** The text at level 0 exceeds a limit. */
  | 'too-large'
  /** Level 0 would answer something else where a row has no value. */
  | 'absent-value';

/** A part of a filter that level 0 cannot say. Shaped as a refusal is. */
export interface UnportableClause extends Omit<Diagnostic, 'code' | 'suggestions'> {
  readonly code: UnportableCode;
}

/** The frame of a clause in the text that it stands in, and its hint below. */
export function renderClause(source: string, { span, label, hint }: UnportableClause): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}
