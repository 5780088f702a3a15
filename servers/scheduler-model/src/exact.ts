/** Returns an integer as rows store it: a number if that is exact, otherwise a bigint. */
export function exact(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
