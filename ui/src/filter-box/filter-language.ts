/** A range of a string, in UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A suggested correction. */
export interface Fix {
  readonly title: string;
  readonly span: TextRange;
  readonly replacement: string;
}

/** A range to underline. */
export interface Mark {
  readonly severity: 'error' | 'warning';
  readonly span: TextRange;
  readonly message: string;
  readonly hint: string | null;
  readonly suggestions: readonly Fix[];
}

/** One completion. */
export interface Offer {
  readonly label: string;
  readonly kind: 'field' | 'operator' | 'keyword' | 'value' | 'binding';
  readonly insert: string;
  readonly detail: string;
}

/** Completions for the range from `from` to `to`. */
export interface Offers {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Offer[];
}

/** A one-line description of the element at a position. */
export interface Note {
  readonly span: TextRange;
  readonly text: string;
}

/**
 * The language service of a filter box. `tamis/editor` implements all of it, in the page, in a worker or on a server. Late
 * results for a text that has changed since are discarded. A rejected promise counts as an empty result.
 */
export interface FilterLanguage {
  complete(text: string, offset: number): Promise<Offers>;
  hover(text: string, offset: number): Promise<Note | null>;
  /** Returns problems in source order; empty for an empty source. */
  problems(text: string): Promise<readonly Mark[]>;
  /** Returns the canonical source; the source unchanged if it is not a valid filter. */
  format(text: string): Promise<string>;
}
