import { declaredField, nearestField } from '../language/schema/declared-field.js';
import { checkNames, checkSchema, describe } from '../language/diagnostics/options.js';
import type { Order } from '../lists/list/order.js';
import type { Schema } from '../language/schema/schema.js';
import type { TableColumns } from '../lists/table/define-table.js';
import { attachColumns } from '../lists/columns/attach-columns.js';
import { ColumnCache } from '../lists/columns/column-cache.js';
import type { ColumnCacheOptions } from '../lists/columns/column-query.js';
import { Verifying } from '../lists/columns/verify.js';
import { ViewerCaches, viewerBudgetShare } from '../lists/columns/views.js';

/** Options of `columns`. */
export interface ColumnsOptions {
  /**
   * Maximum size of all columns, in bytes. Default: 16 per row, at most 64 MiB. Columns of parts of the rows (groups of an index,
   * rows visible to a viewer) share a second budget of the same size.
   */
  readonly budget?: number | undefined;
  /**
   * For development: compares one row in a thousand with its columns at each query, and throws an Error that names the row and
   * the field if the row was modified after it was put, which is not allowed with `rows: 'share'`.
   */
  readonly verify?: boolean | undefined;
}

const rowBytes = 16;
const maxBytes = 64 * 1_048_576;
/** Minimum number of rows of a table with columns. Smaller tables are scanned faster than columns are chosen. */
const minRows = 1_000;

/**
 * Creates columns for a table: dictionary codes of values and cached match bitmaps of clauses, so that most repeated queries do
 * not read rows. Pass the names of the fields to encode from the first query on, or `auto` to encode those that are queried often
 * enough.
 *
 * ```ts
 * const jobs = createTable(jobSchema, { key: 'ID', columns: columns('auto', { budget: 32 << 20 }) });
 * ```
 *
 * @throws TypeError for unknown fields and for an invalid budget.
 */
export function columns(
  fields: 'auto' | readonly string[] = 'auto',
  options: ColumnsOptions = {},
): TableColumns {
  checkNames<ColumnsOptions>('columns', 'option', options, ['budget', 'verify']);
  const { budget, verify = false } = options;
  if (budget !== undefined && !(typeof budget === 'number' && budget >= 0)) {
    throw new TypeError(`columns: the budget must be a number of bytes, got ${describe(budget)}`);
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
      const named = new Set<string>();
      for (const name of names) {
        const field = declaredField(schema.root, name);
        if (field === null) throw unknownField(schema, name);
        named.add(field.property);
      }
      const hasColumns = isNamed ? (property: string): boolean => named.has(property) : () => true;
      const make = (options: Omit<ColumnCacheOptions, 'hasColumns'>): ColumnCache<T> | Verifying<T> => {
        const cache = new ColumnCache<T>(schema, { ...options, hasColumns });
        return verify ? new Verifying(cache) : cache;
      };
      const all = make({
        isEager: isNamed,
        budget: (rows) => budget ?? Math.min(maxBytes, rowBytes * rows),
        minRows: isNamed ? 0 : minRows,
      });
      const parts = {
        // A part may be queried once and never again: its columns are built only after enough queries.
        make: (budget: () => number) => make({ isEager: false, budget, minRows }),
        budget: (rows: number) => Math.min((budget ?? maxBytes) * viewerBudgetShare, rowBytes * rows),
        minRows,
      };
      attachColumns<T>(order, new ViewerCaches(all, parts));
    },
  });
}

function unknownField({ root }: Schema, name: unknown): TypeError {
  const what = typeof name === 'string' ? JSON.stringify(name) : describe(name);
  const near = nearestField(root, name);
  const help = near === null ? '' : `. Did you mean ${near}?`;
  return new TypeError(
    `columns: fields name ${what}, and the schema has no such field that filters see${help}`,
  );
}
