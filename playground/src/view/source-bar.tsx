import { useRef } from 'preact/hooks';
import { sampleChoices } from '../samples.js';
import type { Playground } from '../state/playground.js';
import { PasteDialog } from './paste-dialog.js';
import { ShareDialog } from './share-dialog.js';

/** Where rows come from, and where the filter goes. */
export function SourceBar({ playground }: { readonly playground: Playground }) {
  const file = useRef<HTMLInputElement>(null);
  const name = playground.dataset.value?.name ?? '';
  const isSample = sampleChoices.some(({ id }) => id === name);
  return (
    <header class="bar">
      <h1>
        Tamis <span class="quiet">playground</span>
      </h1>
      <div class="bar-tools">
        <select
          aria-label="Sample rows"
          value={isSample ? name : ''}
          onChange={(event) => {
            const choice = sampleChoices.find(({ id }) => id === event.currentTarget.value);
            if (choice !== undefined)
              void playground.load({ kind: 'sample', id: choice.id }, choice.filters[0]);
          }}
        >
          {!isSample && <option value="">Samples…</option>}
          {sampleChoices.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => file.current?.click()}>
          Open file…
        </button>
        <input
          ref={file}
          class="visually-hidden"
          type="file"
          accept=".json,.ndjson,.jsonl,.csv,.tsv,.txt"
          aria-label="File of rows"
          tabIndex={-1}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen !== undefined) void playground.load({ kind: 'file', file: chosen });
            event.currentTarget.value = '';
          }}
        />
        <PasteDialog playground={playground} />
        <ShareDialog playground={playground} />
      </div>
    </header>
  );
}
