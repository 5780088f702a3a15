import type { Blanks } from './check.js';
import { byComparator, comparatorOf } from './order-check.js';

/** A check of two values, like {@link QuickCheck} for one. */
export interface QuickPairCheck {
  readonly template: PairTemplate;
  readonly operands: readonly unknown[];
}

/** The placeholders of a template: `w` is the variable with the other value. */
export interface PairBlanks extends Blanks {
  readonly w: string;
}

export interface PairTemplate {
  readonly name: string;
  /** Returns the result for two values; undefined if one of them is not handled. */
  readonly test: (operands: readonly unknown[]) => (value: unknown, other: unknown) => boolean | undefined;
  readonly code: (whitespace: PairBlanks) => string;
}

/** Two numbers. Unequal ones are not handled if one is NaN: with `unresolved: 'deny'` it is not unequal either. */
export const numberPair = byComparator((sign): PairTemplate => ({
  name: `numbers${sign}`,
  test: () => {
    const matches = comparatorOf<unknown>(sign);
    return (value, other) => {
      if (typeof value !== 'number' || typeof other !== 'number') return undefined;
      const isOdd = sign === '===' && (Number.isNaN(value) || Number.isNaN(other));
      return isOdd ? undefined : matches(value, other);
    };
  },
  code: ({ v, w, yes, no }) =>
    `if(typeof ${v}==="number"&&typeof ${w}==="number"){if(${v}${sign}${w})${yes}${sign === '===' ? `if(${v}===${v}&&${w}===${w})` : ''}${no}}`,
}));

/** Compares two integers. */
export const integerPair = byComparator((sign): PairTemplate => ({
  name: `integers${sign}`,
  test: () => {
    const matches = comparatorOf<unknown>(sign);
    return (value, other) =>
      Number.isInteger(value) && Number.isInteger(other) ? matches(value, other) : undefined;
  },
  code: ({ v, w, yes, no }) => `if(isInteger(${v})&&isInteger(${w})){if(${v}${sign}${w})${yes}${no}}`,
}));

/** Compares two strings, the first of which is no longer than the operand. */
export const textPair: PairTemplate = {
  name: 'texts',
  test:
    ([maxLength]) =>
    (value, other) =>
      typeof value === 'string' && typeof other === 'string' && value.length <= (maxLength as number)
        ? value === other
        : undefined,
  code: ({ v, w, p: [maxLength], yes, no }) =>
    `if(typeof ${v}==="string"&&typeof ${w}==="string"&&${v}.length<=${maxLength}){if(${v}===${w})${yes}${no}}`,
};

/** Operand: a function that returns a result, or undefined if the values are not handled. */
export const samplePair: PairTemplate = {
  name: 'trial-pair',
  test: ([result]) => result as (value: unknown, other: unknown) => boolean | undefined,
  code: ({ v, w, p: [result], yes, no }) =>
    `{const t=${result}(${v},${w});if(t===true)${yes}if(t===false)${no}}`,
};
