/** How often a law is tried: so often by `npm run properties`, which draws seeds of its own, and a fifth of it beside all other tests. */
export function runsOf(count: number): { readonly numRuns: number } {
  return { numRuns: process.env.PROPERTY_SEED === undefined ? Math.ceil(count / 5) : count };
}
