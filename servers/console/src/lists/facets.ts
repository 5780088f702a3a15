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

/** The answer of a list to `facets`. */
export interface FacetAnswer {
  readonly RowsMatched: number;
  readonly Facets: Readonly<
    Record<
      string,
      {
        readonly Values: readonly { readonly Value: string | number | boolean; readonly Count: number }[];
        readonly Others: number;
      }
    >
  >;
}

/** Reads an answer; null for one of an agent that does not count. */
export function readFacets(answer: FacetAnswer | readonly unknown[] | null): Facets | null {
  if (answer === null || !('Facets' in answer)) return null;
  return {
    matched: answer.RowsMatched,
    fields: Object.entries(answer.Facets).map(([field, { Values, Others }]) => ({
      field,
      values: Values.map(({ Value, Count }) => ({ value: Value, count: Count })),
      others: Others,
    })),
  };
}
