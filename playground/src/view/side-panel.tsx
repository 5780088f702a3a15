import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Playground } from '../state/playground.js';
import { ClausesPanel } from './clauses-panel.js';
import { DiagramPanel } from './diagram-panel.js';
import { PortablePanel } from './portable-panel.js';
import { RowPanel } from './row-panel.js';
import { SchemaPanel } from './schema-panel.js';
import { SqlPanel } from './sql-panel.js';

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly Panel: (props: { readonly playground: Playground }) => JSX.Element;
}

const tabs: readonly [Tab, ...Tab[]] = [
  { id: 'row', title: 'Row', Panel: RowPanel },
  { id: 'clauses', title: 'Clauses', Panel: ClausesPanel },
  { id: 'diagram', title: 'Diagram', Panel: DiagramPanel },
  { id: 'sql', title: 'SQL', Panel: SqlPanel },
  { id: 'level-0', title: 'Level 0', Panel: PortablePanel },
  { id: 'schema', title: 'Schema', Panel: SchemaPanel },
];

/** The panels next to the rows. Arrow keys go from tab to tab. */
export function SidePanel({ playground }: { readonly playground: Playground }) {
  const [chosen, setChosen] = useState(1);
  const list = useRef<HTMLDivElement>(null);
  const { id, Panel } = tabs[chosen] ?? tabs[0];
  const row = playground.selectedRow.value;
  const lastRow = useRef(row);
  if (lastRow.current !== row) {
    lastRow.current = row;
    if (row !== null && chosen !== 0) setChosen(0);
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (chosen + 1) % tabs.length,
      ArrowLeft: (chosen + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <section class="side" aria-label="Details">
      <div class="tabs" role="tablist" aria-label="Details" ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            id={`tab-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={index === chosen}
            aria-controls="side-panel"
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => {
              setChosen(index);
            }}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div id="side-panel" class="panel" role="tabpanel" aria-labelledby={`tab-${id}`} tabIndex={0}>
        <Panel playground={playground} />
      </div>
    </section>
  );
}
