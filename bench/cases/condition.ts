/**
 * The condition of a filter, independent of any language. Each competitor writes it in its own, so that all evaluate the same,
 * and the filters that warm a process up need not be written out a dozen times.
 */
export type Condition =
  | { readonly is: 'equal' | 'unequal'; readonly path: Path; readonly value: string | number | boolean }
  /** The same as several `equal` joined by or. */
  | { readonly is: 'one-of'; readonly path: Path; readonly values: readonly string[] }
  /** A list of texts holds this one. */
  | { readonly is: 'contains'; readonly path: Path; readonly value: string }
  | { readonly is: 'starts-with'; readonly path: Path; readonly text: string }
  /** A text holds this one, letters of either case being equal. The text is lower-case ASCII letters. */
  | { readonly is: 'holds-any-case'; readonly path: Path; readonly text: string }
  /** A map has no keys. */
  | { readonly is: 'empty'; readonly path: Path }
  /** One of the objects of a list has this value in this field. */
  | { readonly is: 'some'; readonly path: Path; readonly field: string; readonly value: string }
  | { readonly is: 'both'; readonly of: readonly Condition[] }
  | { readonly is: 'either'; readonly of: readonly Condition[] };

/** Names from the outside in. A name may hold dots: that of an attribute does. */
export type Path = readonly string[];

export function equal(path: string | Path, value: string | number | boolean): Condition {
  return { is: 'equal', path: pathOf(path), value };
}

export function unequal(path: string | Path, value: string | number | boolean): Condition {
  return { is: 'unequal', path: pathOf(path), value };
}

export function both(...of: readonly Condition[]): Condition {
  return { is: 'both', of };
}

export function either(...of: readonly Condition[]): Condition {
  return { is: 'either', of };
}

export function pathOf(path: string | Path): Path {
  return typeof path === 'string' ? [path] : path;
}

/** A value as a literal of the languages that write texts in double quotes, which is all of them. */
export function literal(value: string | number | boolean): string {
  return JSON.stringify(value);
}

/** A pattern that matches the text in either case, for languages without a switch for it: `[aA][bB]`. */
export function caselessPattern(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
