/** A part of a text, in UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A correction that is ready to apply. */
export interface Fix {
  readonly title: string;
  readonly span: TextRange;
  readonly replacement: string;
}

/** Something to underline. */
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

/** What could replace the text from `from` to `to`. */
export interface Offers {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Offer[];
}

/** A one-line description of what is at a position. */
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
  /** In source order; none for an empty text. */
  problems(text: string): Promise<readonly Mark[]>;
  /** The canonical text; the text itself where it is no filter. */
  format(text: string): Promise<string>;
}
