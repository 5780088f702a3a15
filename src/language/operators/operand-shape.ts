/**
 * What stands beside the selector of a match. The facts that reading, checking, printing, completing and explaining ask;
 * `value` and `list` in the tree are what it is held in.
 */
export interface OperandShape {
  /** Nothing, one value, or several in one node. */
  readonly holds: 'nothing' | 'value' | 'list';
  /** How the values of a list are written; null where there is no list. */
  readonly list: ListShape | null;
  /** Whether a field whose value is meant may stand in its place: `@Other`. */
  readonly takesReference: boolean;
  /** Whether how a literal is written counts: `now` without quotes is the clock, and a number in quotes is text. */
  readonly keepsForm: boolean;
  /** Whether upper and lower case of a text may be left open: `"web"i`. */
  readonly takesCaseless: boolean;
  /** Whether a literal may be a set of instances: `10.0.0.0/8`. */
  readonly takesBlocks: boolean;
  /** What a literal is a text of; null for one that means what the field makes of it. */
  readonly language: OperandLanguage | null;
}

/** `pattern` is RE2, `glob` a text in which `*` and `?` stand for others. */
export type OperandLanguage = 'pattern' | 'glob';

export interface ListShape {
  readonly opens: string;
  readonly joins: string;
  readonly closes: string;
  /** How many values it has; null for any number. */
  readonly count: number | null;
}

const one = {
  holds: 'value',
  list: null,
  takesReference: false,
  keepsForm: false,
  takesCaseless: true,
  takesBlocks: false,
  language: null,
} as const satisfies OperandShape;

export const nothing = { ...one, holds: 'nothing' } as const satisfies OperandShape;
/** A literal that means what the field makes of it, however it is written; or a reference to another field. */
export const literal = { ...one, takesReference: true } as const satisfies OperandShape;
/** The end of a range, or a reference. */
export const bound = {
  ...one,
  takesReference: true,
  keepsForm: true,
  takesCaseless: false,
} as const satisfies OperandShape;
/** Any number of literals in brackets. */
export const listed = {
  ...one,
  holds: 'list',
  list: { opens: '[', joins: ', ', closes: ']', count: null },
  keepsForm: true,
  takesBlocks: true,
} as const satisfies OperandShape;
export const pattern = { ...one, language: 'pattern' } as const satisfies OperandShape;
export const globText = { ...one, language: 'glob' } as const satisfies OperandShape;
