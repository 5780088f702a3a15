import type { FacetCounts } from '@tamis/scheduler-model/wire/aggregate-bodies.js';

/** How many rows of a list match, and how they are spread over the values of some fields. */
export interface Facets {
  readonly matched: number;
  readonly fields: readonly Facet[];
}

export interface Facet {
  readonly field: string;
  /** The most frequent first. */
  readonly values: readonly FacetValue[];
  /** Rows whose values are not among these. */
  readonly others: number;
}

export interface FacetValue {
  readonly value: string | number | boolean;
  readonly count: number;
}

/** The response of a list to `facets`. */
export type FacetResponse = FacetCounts;

/** Parses a response; null without one. */
export function readFacets(response: FacetResponse | null): Facets | null {
  if (response === null) return null;
  return {
    matched: response.Total,
    fields: Object.entries(response.Facets).map(([field, { Values, Others }]) => ({
      field,
      values: Values.map(({ Value, Count }) => ({
        // Integers come as numbers here.
        value: typeof Value === 'bigint' ? Number(Value) : Value,
        count: Count,
      })),
      others: Others,
    })),
  };
}
