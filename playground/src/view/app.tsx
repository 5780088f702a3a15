import { useEffect, useState } from 'preact/hooks';
import { sampleChoices } from '../samples.js';
import type { Playground } from '../state/playground.js';
import { FilterField } from './filter-field.js';
import { ListToolbar } from './list-toolbar.js';
import { RowList } from './row-list.js';
import { SidePanel } from './side-panel.js';
import { SourceBar } from './source-bar.js';
import { StatusLine } from './status-line.js';

/** The whole page. */
export function App({ playground }: { readonly playground: Playground }) {
  const isDropping = useDrop(playground);
  return (
    <div class={isDropping ? 'page dropping' : 'page'}>
      <SourceBar playground={playground} />
      <main>
        <FilterField playground={playground} />
        <Examples playground={playground} />
        <StatusLine playground={playground} />
        <div class="work">
          <section class="list" aria-label="Rows and their states">
            <ListToolbar playground={playground} />
            <RowList playground={playground} />
            {playground.listed.value === 0 && <p class="none quiet">{whyNoRows(playground)}</p>}
          </section>
          <SidePanel playground={playground} />
        </div>
      </main>
    </div>
  );
}

function whyNoRows({ dataset, selection }: Playground): string {
  if (dataset.value === null) return 'Rows will be here.';
  return selection.value === 'failed' ? 'No row has failed.' : 'No row matches: the tab Clauses tells why.';
}

/** Filters to try on a sample. */
function Examples({ playground }: { readonly playground: Playground }) {
  const sample = sampleChoices.find(({ id }) => id === playground.dataset.value?.name);
  if (sample === undefined) return null;
  return (
    <ul class="examples" aria-label="Filters to try">
      {sample.filters.map((filter) => (
        <li key={filter}>
          <button
            type="button"
            aria-pressed={playground.text.value === filter}
            onClick={() => {
              playground.setText(filter);
              playground.enter(filter);
            }}
          >
            <code>{filter}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Takes files and text that are dropped anywhere. True while something is held over the page. */
function useDrop(playground: Playground): boolean {
  const [shouldYield, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      void playground.load({ kind: 'file', file });
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [playground]);
  return shouldYield;
}
