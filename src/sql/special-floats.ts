/** Lower-case spellings of floats that JSON lacks, as written by engines. */
export const specialFloats: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '-infinity': -Infinity,
};
