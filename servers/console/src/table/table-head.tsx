import type { Column } from './column.js';

/** The sort order of a table, with a function to change it. */
export interface SortOrder {
  /** Field, with a leading dash for descending order; empty for the list's own order. */
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

/** Returns the next order: descending first, because users usually want it, then ascending, then the list's own order. */
export function nextOrder(field: string, by: string): string {
  if (by === `-${field}`) return field;
  return by === field ? '' : `-${field}`;
}
