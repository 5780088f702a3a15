import type { Expression } from './ast.js';

/** Known fields while parsing a source that may be invalid. Used only to choose between corrections. */
export interface FieldKnowledge {
  /** Returns the kind of value that a path resolves to; null if there is no such field. */
  kindAt(path: readonly string[]): string | null;
  /** Returns whether the name of a visible field of the row starts with a string. */
  startsField(text: string): boolean;
  /** Returns whether the fields accept an expression; `uncorrectable` if not, and no similar expression would be accepted. */
  classify(ast: Expression): 'accepted' | 'rejected' | 'uncorrectable';
}
