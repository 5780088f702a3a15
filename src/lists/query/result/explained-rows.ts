import type { Schema } from '../../../language/schema/schema.js';
import { readAccessPath } from '../scan/access-path.js';
import { scanPage, type RowScan } from './row-scan.js';
import { explainEmpty, type NoMatchRequest } from './no-match.js';
import { explainScan, type ListExplanation } from './explain-scan.js';
import type { RowReservation } from '../source/row-budget.js';
import type { ParsedQuery } from '../request/query.js';
import { scanRequestOf, type RowQuery, type SqlExplanation } from '../source/row-source.js';

/** A scan to be explained, with the data that explanations need. */
export interface ExplainedRows<T> extends Omit<RowScan<T>, 'query'> {
  readonly query: RowQuery<T> & Pick<ParsedQuery<T>, 'sort'>;
  readonly reservation: RowReservation;
  /** The rows without the filter, in any order; null if an empty result cannot be explained. */
  readonly whole: RowScan<T>['view'] | null;
  /** The SQL statement that found the rows. */
  readonly statement?: SqlExplanation;
  /** Options for parsing filters. */
  readonly reading: NoMatchRequest<T>['options'] & { readonly schema: Schema };
  /** The fields whose values may be reported. Default: all fields that filters can use. */
  readonly reportedFields?: ReadonlySet<string> | undefined;
}

/** Implements `explainRows` of `lazy-features.ts`. */
export async function explainRows<T extends object>(
  request: ExplainedRows<T>,
  signal: AbortSignal | null,
): Promise<{ readonly explanation: ListExplanation; readonly nextToken: string | null }> {
  const { query, slices, whole, statement, reading, reportedFields } = request;
  const { plan, sort } = query;
  const found = await scanPage(request, signal, true);
  const explanation = await explainScan(
    {
      ...{ ...found, plan, sort, slices },
      ...(statement === undefined ? {} : { statement }),
      explainEmpty:
        whole === null
          ? null
          : () => {
              const { path, where } = scanRequestOf(whole, { ...query, plan: null });
              const pieces = readAccessPath(path, null, false);
              return explainEmpty({
                clauses: plan?.clauses ?? [],
                pieces,
                where,
                reportedFields,
                options: reading,
              });
            },
    },
    signal,
  );
  return { explanation, nextToken: found.page.nextToken };
}
