import type { Schema } from 'tamis';
import { applySuggestion, lint } from 'tamis/lint';
import type { FacetCounts as Counts, ListExplanation } from 'tamis/query';

/** A value with capitalised field names, as in all responses of this server. */
type InCapitals<V> = V extends string | number | bigint | boolean | null
  ? V
  : V extends readonly (infer E)[]
    ? readonly InCapitals<E>[]
    : { readonly [K in keyof V & string as Capitalize<K>]: InCapitals<V[K]> };

/** Number of rows in a list and counts of field values, as clients receive them. */
export interface FacetCounts {
  readonly Total: number;
  readonly Facets: Readonly<Record<string, InCapitals<Counts['facets'][string]>>>;
}

export function facetBody({ total, facets }: Counts): FacetCounts {
  const counts = Object.entries(facets).map(([name, count]) => [name, inCapitals(count)] as const);
  return { Total: total, Facets: Object.fromEntries(counts) };
}

/** Explanation of a list's scan, as clients receive it. Times are in ns. */
export type ScanExplanation = ReturnType<typeof explanationBody>;

/** Reason why a filter selects nothing. */
export type EmptyExplanation = NonNullable<ScanExplanation['Empty']>;
export type BlockingClause = EmptyExplanation['Clauses'][number];

export function explanationBody(reported: ListExplanation, schema: Schema) {
  const { filter, index, residual, sort, examined, matched, clauses, duration, columns, empty } = reported;
  const found = { rowsExamined: examined, rowsMatched: matched, clauses, duration, columns };
  // Describes literals that no value of their field's type equals.
  const notes = filter === '' ? [] : notesOn(filter, schema);
  return inCapitals({ filter, index, residual, sort, ...found, notes, empty: emptyBody(empty) });
}

function emptyBody(reported: ListExplanation['empty']) {
  if (reported === null) return null;
  const { clauses, rowsWithout, sampled, examined, isPartial } = reported;
  return { clauses, rowsWithout, rowsSampled: sampled, rowsExamined: examined, isPartial };
}

function inCapitals<V>(value: V): InCapitals<V> {
  return capitalized(value) as InCapitals<V>;
}

function capitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capitalized);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([name, each]) => [`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, capitalized(each)]),
  );
}

const maxNotes = 10;

/** Returns the findings of `lint` about the first literals that nothing equals, and the suggested filter, if known. */
function notesOn(source: string, schema: Schema) {
  return lint(source, { schema })
    .filter(({ code }) => code === 'never-equal')
    .slice(0, maxNotes)
    .map(({ message, suggestions: [first] }) => ({
      text: message,
      instead: first === undefined ? null : applySuggestion(source, first),
    }));
}
