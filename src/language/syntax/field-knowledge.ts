import type { Expression } from './ast.js';

/** What is known of the rows while a text is read that may be no filter. It only chooses between corrections. */
export interface FieldKnowledge {
  /** The kind of value that a path ends at; null where there is no such field. */
  kindAt(path: readonly string[]): string | null;
  /** Whether the fields take what an expression asks; `hopeless` where they do not and nothing near it would be taken. */
  judge(ast: Expression): 'accepted' | 'refused' | 'hopeless';
}
