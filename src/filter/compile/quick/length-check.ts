import type { QuickTemplate } from './check.js';
import { byComparator, comparatorOf } from './order-check.js';

/** Operand: how many elements. */
export const listOrder = byComparator((sign): QuickTemplate => ({
  name: `elements${sign}`,
  test: ([bound]) => {
    const matches = comparatorOf<unknown>(sign);
    return (value) => (Array.isArray(value) ? matches(value.length, bound) : undefined);
  },
  code: ({ v, p: [bound], yes, no }) => `if(isList(${v})){if(${v}.length${sign}${bound})${yes}${no}}`,
}));

/**
 * Operands: how many code points; what counts them; the longest text, in units, that is counted here; the units of so many
 * code points at most. A code point has one unit or two, so that most texts need not be counted: where the units are fewer
 * than the bound, or more than twice as many, they say as much as the code points.
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
