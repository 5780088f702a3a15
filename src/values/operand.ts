import {
  parseGoBool,
  parseGoFloat32,
  parseGoFloat64,
  parseGoInt,
  parseGoUint,
  type CoercionFailure,
} from './go-number.js';
import { internText } from './intern.js';

/** The kinds that a literal can be coerced to. */
export type CoercibleKind = 'int' | 'uint' | 'float64' | 'float32' | 'bool';

/** A literal as a number: `near` for comparison with numbers, `exact` for comparison with bigints. */
export interface NumberOperand {
  /** The float64 that equals the operand, NaN when none does. */
  readonly near: number;
  /** The exact integer; null for a float that is none. */
  readonly exact: bigint | null;
}

/** The right-hand side of a match, in every form that some kind of field may need, each made at most once. */
export interface Operand {
  readonly text: string;
  /** False for a literal whose bytes are not UTF-8: it equals no text. */
  readonly wellFormed: boolean;
  int(): NumberOperand | CoercionFailure;
  uint(): NumberOperand | CoercionFailure;
  float64(): NumberOperand | CoercionFailure;
  float32(): NumberOperand | CoercionFailure;
  bool(): boolean | CoercionFailure;
}

export function createOperand(text: string, wellFormed: boolean): Operand {
  return {
    text: internText(text),
    wellFormed,
    int: once(() => integerOperand(parseGoInt(text))),
    uint: once(() => integerOperand(parseGoUint(text))),
    float64: once(() => floatOperand(parseGoFloat64(text))),
    float32: once(() => floatOperand(parseGoFloat32(text))),
    bool: once(() => parseGoBool(text)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function integerOperand(parsed: bigint | CoercionFailure): NumberOperand | CoercionFailure {
  if (typeof parsed === 'string') return parsed;
  const near = Number(parsed);
  return { near: BigInt(near) === parsed ? near : NaN, exact: parsed };
}

function floatOperand(parsed: number | CoercionFailure): NumberOperand | CoercionFailure {
  if (typeof parsed === 'string') return parsed;
  return { near: parsed, exact: Number.isInteger(parsed) ? BigInt(parsed) : null };
}

const parserNames: Readonly<Record<CoercibleKind, string>> = {
  int: 'ParseInt',
  uint: 'ParseUint',
  float64: 'ParseFloat',
  float32: 'ParseFloat',
  bool: 'ParseBool',
};

/** Go's name for the parser of a kind, as it stands in error texts. */
export function goParserName(kind: CoercibleKind): string {
  return parserNames[kind];
}
