import type { Schema } from '../../language/schema/schema.js';
import { checkOptions, checkSchema, describe, type OptionNames } from '../../language/diagnostics/options.js';
import { filterOptionNames, type FilterOptions } from '../compile/filter-options.js';

/** How the filters of a set are parsed and evaluated, and how many there may be. */
export interface FilterSetOptions extends Omit<FilterOptions, 'schema' | 'check' | 'unknownValue'> {
  /** Maximum number of ids in the set. Default: 100,000. Prevents users from saving filters without end. */
  readonly maxFilters?: number;
  /**
   * Maximum total length of the sources of all filters, in UTF-16 units, equal sources counted once. Default: 33,554,432. A
   * filter takes memory in proportion to its source. Prevents the same.
   */
  readonly maxTotalLength?: number;
}

/** The bounds of a set. */
export interface SetBounds {
  readonly maxFilters: number;
  readonly maxTotalLength: number;
}

const optionNames = [
  ...filterOptionNames.filter((name) => name !== 'schema' && name !== 'check' && name !== 'unknownValue'),
  'maxFilters',
  'maxTotalLength',
] as const satisfies OptionNames<FilterSetOptions>;

/** @throws TypeError for a wrong option. */
export function readSetOptions(
  schema: Schema,
  options: FilterSetOptions,
): { readonly filterOptions: FilterOptions & { readonly schema: Schema }; readonly bounds: SetBounds } {
  checkSchema('createFilterSet', schema);
  checkOptions('createFilterSet', options, optionNames);
  const { maxFilters = 100_000, maxTotalLength = 32 * 1024 * 1024, ...rest } = options;
  for (const [name, bound] of Object.entries({ maxFilters, maxTotalLength })) {
    if (typeof bound === 'number' && bound > 0) continue;
    throw new TypeError(
      `createFilterSet: ${name} must be a positive number or Infinity, got ${describe(bound)}`,
    );
  }
  return { filterOptions: { ...rest, schema }, bounds: { maxFilters, maxTotalLength } };
}
