import { defaultLimits, type Limits } from '../../src/language/diagnostics/limits.js';

/** No limits at all. */
export const unlimited: Limits = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, Infinity]),
) as unknown as Limits;
