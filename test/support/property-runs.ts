/** The share of its runs that a property makes: PROPERTY_SHARE, which `npm test` and `npm run test:all` set, else all. */
export const propertyShare = Number(process.env.PROPERTY_SHARE ?? '1');
if (!(propertyShare > 0 && propertyShare <= 1)) {
  throw new Error(`PROPERTY_SHARE must be above 0 and at most 1, got ${process.env.PROPERTY_SHARE}`);
}

/** Returns the share of a number of runs, or of a count that grows with the runs; 1 at least. */
export function scaled(count: number): number {
  return Math.max(1, Math.ceil(count * propertyShare));
}
