/**
 * The form of a match's operand. Used by the parser, checker, printer, completion and explanations. `value` and `list` are the
 * tree members that contain it.
 */
export interface OperandShape {
  /** The number of operands: none, one value, or several in one node. */
  readonly operands: 'nothing' | 'value' | 'list';
  /** How a list of values is written; null if there is no list. */
  readonly list: ListShape | null;
  /** Whether a field reference (`@Other`) can be used as the operand. */
  readonly takesReference: boolean;
  /** Whether the spelling of a literal matters: unquoted `now` is the clock, and a quoted number is a string. */
  readonly preservesForm: boolean;
  /** Whether a string can ignore case: `"web"i`. */
  readonly takesCaseless: boolean;
  /** Whether a literal may be a set of instances: `10.0.0.0/8`. */
  readonly takesBlocks: boolean;
  /** The pattern language of a literal; null for one that is converted to the field's kind. */
  readonly language: OperandLanguage | null;
}

/** `pattern` is RE2, `glob` a string in which `*` and `?` are wildcards. */
export type OperandLanguage = 'pattern' | 'glob';

export interface ListShape {
  readonly opens: string;
  readonly joins: string;
  readonly closes: string;
  /** The number of values; null for any number. */
  readonly count: number | null;
}

const one = {
  operands: 'value',
  list: null,
  takesReference: false,
  preservesForm: false,
  takesCaseless: true,
  takesBlocks: false,
  language: null,
} as const satisfies OperandShape;

export const nothing = { ...one, operands: 'nothing' } as const satisfies OperandShape;
/** A literal whose meaning depends on the field, not on its spelling; or a reference to another field. */
export const literal = { ...one, takesReference: true } as const satisfies OperandShape;
/** The end of a range, or a reference. */
export const bound = {
  ...one,
  takesReference: true,
  preservesForm: true,
  takesCaseless: false,
} as const satisfies OperandShape;
/** Any number of literals in brackets. */
export const listed = {
  ...one,
  operands: 'list',
  list: { opens: '[', joins: ', ', closes: ']', count: null },
  preservesForm: true,
  takesBlocks: true,
} as const satisfies OperandShape;
export const pattern = { ...one, language: 'pattern' } as const satisfies OperandShape;
export const globText = { ...one, language: 'glob' } as const satisfies OperandShape;
