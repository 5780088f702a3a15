/** The four orderings. */
export type Ordering = '<' | '<=' | '>' | '>=';

/**
 * The orderings of numbers. JavaScript compares a number with a bigint exactly, and returns false for all four if one side is
 * NaN.
 */
export const numberOrderings: Readonly<
  Record<Ordering, (a: number | bigint, b: number | bigint) => boolean>
> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** The equivalent orderings with swapped sides. */
export const reversedOrderings: Readonly<Record<Ordering, Ordering>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The orderings that hold where the given ones do not, for values that have an order. */
export const negatedOrderings: Readonly<Record<Ordering, Ordering>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

export function isOrdering(operator: string): operator is Ordering {
  return Object.hasOwn(numberOrderings, operator);
}
