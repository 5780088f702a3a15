export type CompletionKind = 'field' | 'operator' | 'keyword' | 'value' | 'binding';

/** One thing that could stand at the cursor. */
export interface CompletionItem {
  /** What people see, and what an editor compares with the text that is there. */
  readonly label: string;
  readonly kind: CompletionKind;
  /** What replaces the text from `from` to `to`. */
  readonly insert: string;
  /** A few words: the type of a field, what an operator does. May be empty. */
  readonly detail: string;
}
