export type CompletionKind = 'field' | 'operator' | 'keyword' | 'value' | 'binding';

/** One possible insertion at the cursor. */
export interface CompletionItem {
  /** What the editor shows, and compares with the existing source. */
  readonly label: string;
  readonly kind: CompletionKind;
  /** What replaces the source from `from` to `to`. */
  readonly insert: string;
  /** A few words: the type of a field, what an operator does. May be empty. */
  readonly detail: string;
}
