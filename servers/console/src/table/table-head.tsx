import type { Column } from './column.js';

/** How the rows of a table are sorted, and how to sort them otherwise. */
export interface SortOrder {
  /** A field, with a dash before it for the greatest first; empty for the own order of the list. */
  readonly by: string;
  readonly onSort: (by: string) => void;
}

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly order: SortOrder | null;
}

export function TableHead<Row>({ columns, order }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ title, sort, isNumeric = false }) => (
          <th
            key={title}
            scope="col"
            class={isNumeric ? 'number' : ''}
            aria-sort={sort === undefined || order === null ? undefined : ariaSort(sort, order.by)}
          >
            {sort === undefined || order === null ? (
              title
            ) : (
              <button
                type="button"
                class="sort"
                onClick={() => {
                  order.onSort(nextOrder(sort, order.by));
                }}
              >
                {title}
                <span
                  class={order.by.replace('-', '') === sort ? 'arrow chosen' : 'arrow'}
                  aria-hidden="true"
                >
                  {order.by === sort ? '↑' : order.by === `-${sort}` ? '↓' : '↕'}
                </span>
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function ariaSort(field: string, by: string): 'ascending' | 'descending' | 'none' {
  if (by === field) return 'ascending';
  return by === `-${field}` ? 'descending' : 'none';
}

/** Descending first, as users usually want; then ascending; then the list's own order. */
export function nextOrder(field: string, by: string): string {
  if (by === `-${field}`) return field;
  return by === field ? '' : `-${field}`;
}
