export type CompletionKind = 'field' | 'operator' | 'keyword' | 'value' | 'binding';

/** One possible insertion at the cursor. */
export interface CompletionItem {
  /** The text that the editor shows, and compares with the existing source. */
  readonly label: string;
  readonly kind: CompletionKind;
  /** The text that replaces the source from `from` to `to`. */
  readonly insert: string;
  /** A short description: the type of a field, or the effect of an operator. May be empty. */
  readonly detail: string;
}
