import fc from 'fast-check';

/**
 * The seed of every property of a run: `PROPERTY_SEED` where it is set, as `npm run properties` and the whole check of CI
 * do, a fixed one where CI says so, so that a change is judged by what it changed, else one of fast-check's own for each
 * property.
 */
const seed = process.env.PROPERTY_SEED ?? (process.env.CI === undefined ? undefined : '20261121');

if (seed !== undefined) {
  if (!/^-?\d{1,10}$/.test(seed)) throw new Error(`PROPERTY_SEED: expected a whole number, found "${seed}"`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) | 0 });
}
