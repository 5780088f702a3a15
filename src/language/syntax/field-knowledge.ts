import type { Expression } from './ast.js';

/** What is known of the fields while parsing a source that may be invalid. Used only to choose between corrections. */
export interface FieldKnowledge {
  /** The kind of value that a path resolves to; null if there is no such field. */
  kindAt(path: readonly string[]): string | null;
  /** Whether the fields accept an expression; `hopeless` if they do not and no similar one would be accepted. */
  judge(ast: Expression): 'accepted' | 'refused' | 'hopeless';
}
