import type { Schema } from 'tamis';
import { applySuggestion, lint } from 'tamis/lint';
import type { EmptyResult, FacetCounts as Counts, ListExplanation } from 'tamis/query';

/** How many rows a list has, and how often which values occur in them, as clients get it. */
export interface FacetCounts {
  readonly Total: number;
  readonly Facets: Readonly<Record<string, FacetCount>>;
}

export interface FacetCount {
  /** At most a hundred, the most frequent first. Of a field of lists every element of a row counts, each once. */
  readonly Values: readonly { readonly Value: string | boolean | bigint; readonly Count: number }[];
  /** The counts of all other values together. */
  readonly Others: number;
}

export function facetBody({ total, facets }: Counts): FacetCounts {
  const counts = Object.entries(facets).map(([name, { values, others }]) => [
    name,
    { Values: values.map(({ value, count }) => ({ Value: value, Count: count })), Others: others },
  ]);
  return { Total: total, Facets: Object.fromEntries(counts) as FacetCounts['Facets'] };
}

/** How a list found its rows, as clients get it. Times are nanoseconds. */
export interface ScanExplanation {
  readonly Filter: string;
  /** The index that found the rows, null for a scan. */
  readonly Index: {
    readonly Field: string;
    readonly Keys: readonly string[];
    readonly Range: string | null;
  } | null;
  readonly Residual: string | null;
  readonly Sort: {
    readonly Field: string;
    readonly Descending: boolean;
    readonly By: 'index' | 'rows';
  } | null;
  readonly RowsExamined: number;
  readonly RowsMatched: number;
  readonly Clauses: readonly ClauseExplanation[];
  readonly Duration: number;
  /** What is wrong with literals that no value of their field's kind equals, the first ten of them. */
  readonly Notes: readonly FilterNote[];
  readonly Empty: EmptyExplanation | null;
}

/** A literal that no value of its field's kind equals, whatever rows there are. */
export interface FilterNote {
  readonly Text: string;
  /** The filter as it was probably meant; null where that is not known. */
  readonly Instead: string | null;
}

export interface ClauseExplanation {
  readonly Filter: string;
  readonly By: 'index' | 'scan';
  readonly Rows: number;
  readonly Matched: number;
  readonly Duration: number;
}

/** Why a filter selects nothing. */
export interface EmptyExplanation {
  readonly Clauses: readonly EmptyingClause[];
  readonly RowsWithout: number;
  readonly RowsExamined: number;
  readonly IsPartial: boolean;
}

export interface EmptyingClause {
  readonly Filter: string;
  readonly Values: readonly { readonly Text: string; readonly Count: number }[];
  readonly HasMoreValues: boolean;
  readonly Range: { readonly Least: string; readonly Greatest: string } | null;
  readonly Instead: string | null;
}

export function explanationBody(told: ListExplanation, schema: Schema): ScanExplanation {
  const { filter, index, residual, sort, examined, matched, clauses, duration, empty } = told;
  return {
    ...(inCapitals({ filter, index, residual, sort }) as Pick<
      ScanExplanation,
      'Filter' | 'Index' | 'Residual' | 'Sort'
    >),
    RowsExamined: examined,
    RowsMatched: matched,
    Clauses: inCapitals(clauses) as ScanExplanation['Clauses'],
    Duration: duration,
    Notes: filter === '' ? [] : notesOn(filter, schema),
    Empty: empty === null ? null : emptyBody(empty),
  };
}

export function emptyBody({ clauses, rowsWithout, examined, isPartial }: EmptyResult): EmptyExplanation {
  return {
    Clauses: inCapitals(clauses) as EmptyExplanation['Clauses'],
    RowsWithout: rowsWithout,
    RowsExamined: examined,
    IsPartial: isPartial,
  };
}

/** A value whose fields have names that begin with capitals, as all of this server's. */
function inCapitals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCapitals);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([name, each]) => [`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, inCapitals(each)]),
  );
}

const mostNotes = 10;

function notesOn(source: string, schema: Schema): readonly FilterNote[] {
  return lint(source, { schema })
    .filter(({ code }) => code === 'never-equal')
    .slice(0, mostNotes)
    .map(({ message, suggestions: [first] }) => ({
      Text: message,
      Instead: first === undefined ? null : applySuggestion(source, first),
    }));
}
