/** What engines write for numbers that JSON lacks, in lower case. */
export const specialFloats: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '-infinity': -Infinity,
};
