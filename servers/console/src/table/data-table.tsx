import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Clause } from '../language/protocol.js';
import type { Column } from './column.js';
import { DisplayValue } from '../text/untrusted-text.js';
import { rowHeight, visibleRange } from './row-window.js';
import { TableHead, type SortOrder } from './table-head.js';

export interface DataTableProps<Row> {
  /** Label for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Whether the rows still belong to the previous request. */
  readonly isOld?: boolean;
  /** Keys of rows to mark as changed. */
  readonly changed?: ReadonlySet<string>;
  /** The current sort; omitted if not sortable. */
  readonly order?: SortOrder;
  /** Filters by a value; omitted without a filter. */
  readonly onAddClause?: (clause: Clause) => void;
}

/**
 * A table that renders only visible rows. All rows have the same height and one line. The first column names the row: it should
 * be a link if the row has a page.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, isOld = false, changed, order, onAddClause } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { scrollTop, height } = useScroll(scroller);
  const width = useWidth();
  const visibleColumns = columns.filter(({ from = 0 }) => width >= from);
  const { from, to } = visibleRange(scrollTop, height, rows.length);
  return (
    <div
      class={isOld ? 'table-scroll old' : 'table-scroll'}
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ '--columns': visibleColumns.map((column) => column.width).join(' ') }}
    >
      <table aria-label={label} aria-rowcount={rows.length + 1}>
        <TableHead columns={visibleColumns} order={order ?? null} />
        <tbody style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(from, to).map((row, offset) => {
            const position = from + offset;
            const key = keyOf(row);
            return (
              <tr
                key={key}
                aria-rowindex={position + 2}
                class={changed?.has(key) === true ? 'changed' : ''}
                style={{ transform: `translateY(${position * rowHeight}px)` }}
              >
                {visibleColumns.map((column, index) => (
                  <Cell
                    key={column.title}
                    row={row}
                    column={column}
                    isName={index === 0}
                    onAddClause={onAddClause}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps<Row> {
  readonly row: Row;
  readonly column: Column<Row>;
  readonly isName: boolean;
  readonly onAddClause: ((clause: Clause) => void) | undefined;
}

function Cell<Row>({ row, column, isName, onAddClause }: CellProps<Row>) {
  const { render, clauseFor, isNumeric = false } = column;
  const content = <DisplayValue value={render(row)} />;
  const className = isNumeric ? 'number' : '';
  if (isName) {
    return (
      <th scope="row" class={className}>
        {content}
      </th>
    );
  }
  if (clauseFor === undefined || onAddClause === undefined) return <td class={className}>{content}</td>;
  // Only for the pointer: keyboard users write the filter or select a facet.
  return (
    <td class={className}>
      <button
        type="button"
        class="ask"
        tabIndex={-1}
        title={`Show only these (${column.title}); with Alt, all but these`}
        onClick={({ altKey }) => {
          onAddClause({ ...clauseFor(row), isNegated: altKey });
        }}
      >
        {content}
      </button>
    </td>
  );
}

/** Returns the visible part of a scrolled element. */
function useScroll(element: { readonly current: HTMLElement | null }) {
  const [view, setView] = useState({ scrollTop: 0, height: 600 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = (): void => {
      setView({ scrollTop: current.scrollTop, height: current.clientHeight });
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  return view;
}

function useWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useLayoutEffect(() => {
    const look = (): void => {
      setWidth(innerWidth);
    };
    addEventListener('resize', look);
    return () => {
      removeEventListener('resize', look);
    };
  }, []);
  return width;
}
