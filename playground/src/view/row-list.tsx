import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Column, RowView } from '../protocol.js';
import type { Playground } from '../state/playground.js';
import { countText } from './numbers.js';
import { rowHeight, scrollFor, stretchFor, type RowStretch } from './row-window.js';

interface Loaded {
  /** The requested rows. */
  readonly key: string;
  readonly from: number;
  readonly rows: readonly RowView[];
}

const stateTitles: Readonly<Record<RowView['state'], string>> = {
  unknown: '',
  miss: 'no match',
  match: 'match',
  failed: 'failed',
};

/** The rows, of which only the visible ones are fetched and rendered. */
export function RowList({ playground }: { readonly playground: Playground }) {
  const viewport = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 400 });
  const total = playground.listed.value;
  const columns = playground.dataset.value?.columns ?? [];
  const stretch = stretchFor(view.scrollTop, view.height, total);
  const loaded = useRows(playground, stretch);
  const [active, setActive] = useState(0);

  useLayoutEffect(() => {
    const element = viewport.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setView((old) => ({ ...old, height: element.clientHeight }));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    setActive((old) => Math.max(0, Math.min(old, total - 1)));
  }, [total]);

  const move = (to: number): void => {
    const next = Math.max(0, Math.min(to, total - 1));
    setActive(next);
    const element = viewport.current;
    if (element !== null)
      element.scrollTop = scrollFor(next, element.scrollTop, element.clientHeight - rowHeight);
  };
  const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: total - 1,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step !== undefined) move(step);
    else if (event.key === 'Enter' || event.key === ' ') select(active);
    else return;
    event.preventDefault();
  };
  const select = (position: number): void => {
    const row = loaded?.rows[position - loaded.from];
    if (row !== undefined) playground.select(row.index);
  };

  return (
    <div
      class="rows"
      ref={viewport}
      role="grid"
      aria-label="Rows"
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={total > 0 ? `row-${active}` : undefined}
      tabIndex={0}
      style={{ '--columns': columns.map(({ width }) => `${width + 3}ch`).join(' ') }}
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        setView((old) => ({ ...old, scrollTop }));
      }}
      onKeyDown={onKeyDown}
    >
      <Header columns={columns} />
      <div class="rows-body" role="rowgroup" style={{ height: `${total * rowHeight}px` }}>
        {loaded?.rows.map((row, offset) => {
          const position = loaded.from + offset;
          return position < total ? (
            <Row
              key={position}
              row={row}
              position={position}
              columns={columns}
              isActive={position === active}
              isSelected={playground.selectedRow.value === row.index}
              onSelect={() => {
                setActive(position);
                playground.select(row.index);
              }}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

/** The rows of a range. One request is pending at a time; the previous rows stay until its result is there. */
function useRows(playground: Playground, { from, count }: RowStretch): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const isFetching = useRef(false);
  const selection = playground.selection.value;
  const key = [playground.revision.value, selection, from, count].join(' ');
  useEffect(() => {
    if (isFetching.current || loaded?.key === key) return;
    isFetching.current = true;
    const render = (rows: readonly RowView[] | null): void => {
      isFetching.current = false;
      // Renders the list again, and then fetches the rows that are needed by now.
      if (rows !== null) setLoaded({ key, from, rows });
    };
    playground.engine.call('rows', selection, from, count).then(render, () => {
      render(null);
    });
  }, [key, loaded]);
  return loaded;
}

function Header({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div class="rows-head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1}>
        <span class="cell mark" role="columnheader">
          <span class="visually-hidden">State</span>
        </span>
        {columns.map(({ name, isNumeric }) => (
          <span key={name} class={isNumeric ? 'cell number' : 'cell'} role="columnheader" title={name}>
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: RowView;
  readonly position: number;
  readonly columns: readonly Column[];
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Row({ row, position, columns, isActive, isSelected, onSelect }: RowProps) {
  return (
    <div
      id={`row-${position}`}
      class={`row ${row.state}${isActive ? ' active' : ''}`}
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${position * rowHeight}px)` }}
      onClick={onSelect}
    >
      <span class="cell mark" role="gridcell" title={`Row ${countText(row.index + 1)}`}>
        <span class="visually-hidden">{stateTitles[row.state]}</span>
      </span>
      {row.cells.map((cell, index) => (
        <span
          key={columns[index]?.name ?? index}
          class={`cell ${cell.kind}${columns[index]?.isNumeric === true ? ' number' : ''}`}
          role="gridcell"
        >
          {cell.text}
        </span>
      ))}
    </div>
  );
}
