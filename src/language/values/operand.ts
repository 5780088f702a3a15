import {
  parseGoBool,
  parseGoFloat32,
  parseGoFloat64,
  parseGoInt,
  parseGoUint,
  type CoercionFailure,
} from './go-number.js';

/** The kinds that a literal can be coerced to. */
export type CoercibleKind = 'int' | 'uint' | 'float64' | 'float32' | 'bool';

/** A literal as a number: `double` for comparison with numbers, `integer` for comparison with bigints. */
export interface NumberOperand {
  /** The operand as a float64; NaN if no float64 equals it. */
  readonly double: number;
  /** The operand as an exact integer; null for a float that is not an integer. */
  readonly integer: bigint | null;
}

/** The right-hand side of a match, to be coerced to the kind of a field. */
export interface Operand {
  readonly text: string;
  /** False for a literal whose bytes are not UTF-8: it equals no string. */
  readonly wellFormed: boolean;
}

/** The operand of operators that have none. */
export const noOperand: Operand = Object.freeze({ text: '', wellFormed: true });

/** Converts the operand to a number of a kind; returns the reason if it cannot. */
export function coerceNumber(
  { text }: Operand,
  kind: Exclude<CoercibleKind, 'bool'>,
): NumberOperand | CoercionFailure {
  switch (kind) {
    case 'int':
      return integerOperand(parseGoInt(text));
    case 'uint':
      return integerOperand(parseGoUint(text));
    case 'float64':
      return floatOperand(parseGoFloat64(text));
    case 'float32':
      return floatOperand(parseGoFloat32(text));
  }
}

/** Converts the operand to a boolean; returns the reason if it cannot. */
export function coerceBool({ text }: Operand): boolean | CoercionFailure {
  return parseGoBool(text);
}

/** Returns why the operand cannot be converted to the kind; null if it can. */
export function coercionFailure(operand: Operand, kind: CoercibleKind): CoercionFailure | null {
  const coerced = kind === 'bool' ? coerceBool(operand) : coerceNumber(operand, kind);
  return coerced === 'syntax' || coerced === 'range' ? coerced : null;
}

function integerOperand(parsed: bigint | CoercionFailure): NumberOperand | CoercionFailure {
  if (typeof parsed === 'string') return parsed;
  const double = Number(parsed);
  return { double: BigInt(double) === parsed ? double : NaN, integer: parsed };
}

function floatOperand(parsed: number | CoercionFailure): NumberOperand | CoercionFailure {
  if (typeof parsed === 'string') return parsed;
  return { double: parsed, integer: Number.isInteger(parsed) ? BigInt(parsed) : null };
}

const parserNames: Readonly<Record<CoercibleKind, string>> = {
  int: 'ParseInt',
  uint: 'ParseUint',
  float64: 'ParseFloat',
  float32: 'ParseFloat',
  bool: 'ParseBool',
};

/** Go's name for the parser of a kind, as used in error messages. */
export function goParserName(kind: CoercibleKind): string {
  return parserNames[kind];
}
