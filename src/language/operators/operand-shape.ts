/**
 * The form of a match's operand. Used by the parser, checker, printer, completion and explanations. `value` and `list` are the
 * tree members that contain it.
 */
export interface OperandShape {
  /** The number of operands: none, one value, or several in one node. */
  readonly operands: 'none' | 'value' | 'list';
  /** How a list of values is written; null if there is no list. */
  readonly list: ListShape | null;
  /** Whether a field reference (`@Other`) can be used as the operand. */
  readonly acceptsReference: boolean;
  /** Whether quotes change the meaning of a literal: `now` is the current time, `"now"` is a string. */
  readonly dependsOnQuotes: boolean;
  /** Whether a string can ignore case: `"web"i`. */
  readonly acceptsIgnoreCase: boolean;
  /** Whether a literal may be a block of addresses: `10.0.0.0/8`. */
  readonly acceptsAddressBlocks: boolean;
  /** The pattern language of a literal; null for one that is converted to the field's kind. */
  readonly language: OperandLanguage | null;
}

/** `pattern` is RE2, `glob` a string in which `*` and `?` are wildcards. */
export type OperandLanguage = 'pattern' | 'glob';

export interface ListShape {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  /** The number of values; null for any number. */
  readonly count: number | null;
}

const one = {
  operands: 'value',
  list: null,
  acceptsReference: false,
  dependsOnQuotes: false,
  acceptsIgnoreCase: true,
  acceptsAddressBlocks: false,
  language: null,
} as const satisfies OperandShape;

export const noOperand = { ...one, operands: 'none' } as const satisfies OperandShape;
/** A literal whose meaning depends on the field, not on quotes; or a reference to another field. */
export const literal = { ...one, acceptsReference: true } as const satisfies OperandShape;
/** The end of a range, or a reference. */
export const bound = {
  ...one,
  acceptsReference: true,
  dependsOnQuotes: true,
  acceptsIgnoreCase: false,
} as const satisfies OperandShape;
/** Any number of literals in brackets. */
export const valueList = {
  ...one,
  operands: 'list',
  list: { open: '[', separator: ', ', close: ']', count: null },
  dependsOnQuotes: true,
  acceptsAddressBlocks: true,
} as const satisfies OperandShape;
export const pattern = { ...one, language: 'pattern' } as const satisfies OperandShape;
export const globText = { ...one, language: 'glob' } as const satisfies OperandShape;
