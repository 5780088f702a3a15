import original, { type IAsyncProperty, type IProperty, type Parameters, type RunDetails } from 'fast-check';
import { propertyShare, scaled } from './property-runs.js';

/**
 * fast-check with a share of the runs that a property names: `npm test` and `npm run test:all` set PROPERTY_SHARE, and
 * `npm run properties` makes all runs. Tests import it as `fast-check` (vitest.config.ts).
 */
export * from 'fast-check';

/** The runs of fast-check for a property that names none. */
const defaultRuns = 100;
if (propertyShare < 1)
  original.configureGlobal({ ...original.readConfigureGlobal(), numRuns: scaled(defaultRuns) });

function withShare<Ts>(given: Parameters<Ts> = {}): Parameters<Ts> {
  return propertyShare < 1 && given.numRuns !== undefined
    ? { ...given, numRuns: scaled(given.numRuns) }
    : given;
}

export function assert<Ts>(property: IAsyncProperty<Ts>, given?: Parameters<Ts>): Promise<void>;
export function assert<Ts>(property: IProperty<Ts>, given?: Parameters<Ts>): void;
export function assert<Ts>(
  property: IProperty<Ts> | IAsyncProperty<Ts>,
  given?: Parameters<Ts>,
): void | Promise<void> {
  return original.assert(property as IProperty<Ts>, withShare(given));
}

export function check<Ts>(property: IAsyncProperty<Ts>, given?: Parameters<Ts>): Promise<RunDetails<Ts>>;
export function check<Ts>(property: IProperty<Ts>, given?: Parameters<Ts>): RunDetails<Ts>;
export function check<Ts>(
  property: IProperty<Ts> | IAsyncProperty<Ts>,
  given?: Parameters<Ts>,
): RunDetails<Ts> | Promise<RunDetails<Ts>> {
  return original.check(property as IProperty<Ts>, withShare(given));
}

// oxlint-disable-next-line no-restricted-exports -- tests import the default export of fast-check
export default { ...original, assert, check };
