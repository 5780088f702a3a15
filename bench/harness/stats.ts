/** The middle value; of an even count the mean of the middle two. @throws RangeError for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share (0 to 1) of the values lies, interpolated. @throws RangeError for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('no values to take a quantile of');
  const sorted = [...values].sort((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  // Both indexes are within the list, which has at least one value.
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** Half the distance between the quartiles, as a share of the median: 0.05 means that half the values lie within about 5 %. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

/** The mean for ratios: twice as slow and twice as fast cancel out. @throws RangeError for an empty list. */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no values to take a mean of');
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/**
 * The values, each divided by the one of the same round: `dividends[i] / divisors[i]` where both exist.
 *
 * @param dividends nanoseconds by round; a competitor that sat a round out has undefined there
 */
export function ratios(
  dividends: readonly (number | undefined)[],
  divisors: readonly (number | undefined)[],
): number[] {
  return dividends.flatMap((dividend, round) => {
    const divisor = divisors[round];
    return dividend === undefined || divisor === undefined ? [] : [dividend / divisor];
  });
}
