import type { Schema } from '../../language/schema/schema.js';
import { checkOptions, checkSchema, describe, type OptionNames } from '../../language/diagnostics/options.js';
import { filterOptionNames, type FilterOptions } from '../compile/filter-options.js';

/** Options for parsing and evaluating the filters of a set, and limits of their number. */
export interface FilterSetOptions extends Omit<FilterOptions, 'schema' | 'check' | 'unknownValue'> {
  /** Maximum number of ids in the set. Default: 100,000. Prevents users from saving unlimited filters. */
  readonly maxFilters?: number;
  /**
   * Maximum total length of the sources of all distinct filters, in UTF-16 units. Default: 33,554,432. Limits memory, which is
   * proportional to the sources.
   */
  readonly maxTotalLength?: number;
}

/** The limits of a set. */
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
