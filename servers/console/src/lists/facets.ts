import type { FacetCounts } from '@tamis/scheduler-model/wire/aggregate-bodies.js';

/** Number of matching rows, and the distribution of some fields' values. */
export interface Facets {
  readonly matched: number;
  readonly fields: readonly Facet[];
}

export interface Facet {
  readonly field: string;
  /** Values of the field, most frequent first. */
  readonly values: readonly FacetValue[];
  /** Number of rows with other values. */
  readonly others: number;
}

export interface FacetValue {
  readonly value: string | number | boolean;
  readonly count: number;
}

/** Response of a list to `facets`. */
export type FacetResponse = FacetCounts;

/** Parses a response; null without one. */
export function readFacets(response: FacetResponse | null): Facets | null {
  if (response === null) return null;
  return {
    matched: response.Total,
    fields: Object.entries(response.Facets).map(([field, { Values, Others }]) => ({
      field,
      values: Values.map(({ Value, Count }) => ({
        // Integers are numbers here.
        value: typeof Value === 'bigint' ? Number(Value) : Value,
        count: Count,
      })),
      others: Others,
    })),
  };
}
