import type { QuickTemplate } from './check.js';
import { byComparator, comparatorOf } from './order-check.js';

/** Operand: number of elements. */
export const listOrder = byComparator((sign): QuickTemplate => ({
  name: `elements${sign}`,
  test: ([bound]) => {
    const matches = comparatorOf<unknown>(sign);
    return (value) => (Array.isArray(value) ? matches(value.length, bound) : undefined);
  },
  code: ({ v, p: [bound], yes, no }) => `if(isList(${v})){if(${v}.length${sign}${bound})${yes}${no}}`,
}));

/**
 * Operands: the number of code points to compare with; a function that counts code points; the maximum length of a string that is
 * counted, in UTF-16 units; twice the first operand. A code point has one or two units, so the number of units usually decides
 * without counting.
 */
export const codePointOrder = byComparator((sign): QuickTemplate => ({
  name: `code-points${sign}`,
  test: ([bound, count, maxLength]) => {
    const matches = comparatorOf<unknown>(sign);
    const countIn = count as (text: string) => number;
    return (value) =>
      typeof value === 'string' && value.length <= (maxLength as number)
        ? matches(countIn(value), bound)
        : undefined;
  },
  code: ({ v, p: [bound, count, maxLength, maxCount], yes, no }) =>
    `if(typeof ${v}==="string"&&${v}.length<=${maxLength}){const n=${v}.length<${bound}||${v}.length>${maxCount}?${v}.length:${count}(${v});if(n${sign}${bound})${yes}${no}}`,
}));
