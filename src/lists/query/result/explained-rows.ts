import type { Schema } from '../../../language/schema/schema.js';
import { readAccessPath } from '../scan/access-path.js';
import { searchRows, type AskedRows } from './asked-rows.js';
import { explainEmpty, type EmptyList } from './empty-result.js';
import { explainScan, type ListExplanation } from './explain-scan.js';
import type { Held } from '../source/held-rows.js';
import type { ReadQuestion } from '../request/query.js';
import { scanRequestOf, type RowsQuestion, type StatementExplanation } from '../source/row-source.js';

/** Rows whose search is to be explained. */
export interface ExplainedRows<T> extends Omit<AskedRows<T>, 'question'> {
  readonly question: RowsQuestion<T> & Pick<ReadQuestion<T>, 'sort'>;
  readonly held: Held;
  /** The rows without the filter, in any order; null if there is no explanation of why nothing matches. */
  readonly whole: AskedRows<T>['view'] | null;
  /** What found the rows in a database. */
  readonly statement?: StatementExplanation;
  /** How filters are read. */
  readonly reading: EmptyList<T>['options'] & { readonly schema: Schema };
  /** The fields whose values may be reported; all that filters see if omitted. */
  readonly told?: ReadonlySet<string> | undefined;
}

/** As the function of this name in `on-demand.ts`. */
export async function explainRows<T extends object>(
  asked: ExplainedRows<T>,
  signal: AbortSignal | null,
): Promise<{ readonly explanation: ListExplanation; readonly nextToken: string | null }> {
  const { question, slices, whole, statement, reading, told } = asked;
  const { plan, sort } = question;
  const found = await searchRows(asked, signal);
  const explanation = await explainScan(
    {
      ...{ ...found, plan, sort, slices },
      ...(statement === undefined ? {} : { statement }),
      explainEmpty:
        whole === null
          ? null
          : () => {
              const { path, where } = scanRequestOf(whole, { ...question, plan: null });
              const pieces = readAccessPath(path, null, false);
              return explainEmpty({ clauses: plan?.clauses ?? [], pieces, where, told, options: reading });
            },
    },
    signal,
  );
  return { explanation, nextToken: found.page.nextToken };
}
