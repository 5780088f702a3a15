import { checkNames, checkSchema, describe } from '../language/diagnostics/options.js';
import type { Order } from '../lists/list/order.js';
import type { Schema } from '../language/schema/schema.js';
import type { TableColumns } from '../lists/table/define-table.js';
import { keepAnswers } from '../lists/columns/keep-answers.js';
import { Keeper } from '../lists/columns/keeper.js';
import type { KeeperOptions } from '../lists/columns/question.js';
import { Verifying } from '../lists/columns/verify.js';
import { Views, viewShare } from '../lists/columns/views.js';

/** What may be kept beside the rows of a table. */
export interface ColumnsOptions {
  /**
   * Bytes of all that is kept: 16 for each row, and 64 MiB at most. What is kept of parts of the rows, those that an index finds or
   * that somebody sees who may not see all, has as much again together.
   */
  readonly budget?: number | undefined;
  /**
   * While a program is made: compares one row in a thousand at each question with what is kept of it, and throws an Error that
   * names the row and the field where it was changed after it was put, as rows must not be that a table trusts.
   */
  readonly verify?: boolean | undefined;
}

const rowBytes = 16;
const mostBytes = 64 * 1_048_576;
/** Tables below that are searched in less time than it takes to think about it. */
const leastRows = 1_000;

/**
 * Has a table keep, beside its rows, codes of their values and answers of clauses that were asked before, so that most questions
 * are answered without a look at rows: by names the fields whose values have codes, from the first question on, or `auto`
 * for those that are asked for often enough.
 *
 * ```ts
 * const jobs = createTable(jobSchema, { key: 'ID', columns: columns('auto', { budget: 32 << 20 }) });
 * ```
 *
 * @throws TypeError for what are no names of fields, and for a wrong budget.
 */
export function columns(
  fields: 'auto' | readonly string[] = 'auto',
  options: ColumnsOptions = {},
): TableColumns {
  checkNames<ColumnsOptions>('columns', 'option', options, ['budget', 'verify']);
  const { budget, verify = false } = options;
  if (budget !== undefined && !(typeof budget === 'number' && budget >= 0)) {
    throw new TypeError(`columns: the budget must be a number of bytes, not ${describe(budget)}`);
  }
  if (typeof verify !== 'boolean') {
    throw new TypeError(`columns: verify is true or false, not ${describe(verify)}`);
  }
  const isNamed = Array.isArray(fields);
  if (!isNamed && fields !== 'auto') {
    throw new TypeError(`columns: fields are 'auto' or an array of names, not ${describe(fields)}`);
  }
  const names = new Set<unknown>(isNamed ? fields : []);
  return Object.freeze({
    attach<T extends object>(schema: Schema, order: Order<T>): void {
      checkSchema('columns', schema);
      for (const name of names) {
        const field = typeof name === 'string' ? schema.root.properties.get(name) : undefined;
        if (field !== undefined && !field.hidden) continue;
        const what = typeof name === 'string' ? JSON.stringify(name) : describe(name);
        throw new TypeError(
          `columns: fields name ${what}, and the schema has no such field that filters see`,
        );
      }
      const hasColumns = isNamed ? (property: string): boolean => names.has(property) : () => true;
      const make = (options: Omit<KeeperOptions, 'hasColumns'>): Keeper<T> | Verifying<T> => {
        const keeper = new Keeper<T>(schema, { ...options, hasColumns });
        return verify ? new Verifying(keeper) : keeper;
      };
      const all = make({
        isEager: isNamed,
        budget: (rows) => budget ?? Math.min(mostBytes, rowBytes * rows),
        leastRows: isNamed ? 0 : leastRows,
      });
      const parts = {
        // A part may be asked for once and never again: its columns are paid for first.
        make: (budget: () => number) => make({ isEager: false, budget, leastRows }),
        room: (rows: number) => Math.min((budget ?? mostBytes) * viewShare, rowBytes * rows),
        leastRows,
      };
      keepAnswers<T>(order, new Views(all, parts));
    },
  });
}
