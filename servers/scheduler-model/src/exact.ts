/** The form in which rows hold integers: a number where every digit of it counts, else a bigint. */
export function exact(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
