import type { RowSelection } from '../protocol.js';
import type { Playground } from '../state/playground.js';
import { countText } from './numbers.js';

/** Which rows the list shows. */
export function ListToolbar({ playground }: { readonly playground: Playground }) {
  const { dataset, result, selection } = playground;
  const total = dataset.value?.rows ?? 0;
  const choices: readonly { readonly id: RowSelection; readonly title: string; readonly count: number }[] = [
    { id: 'matching', title: 'Matching', count: result.value?.matched ?? total },
    { id: 'all', title: 'All', count: total },
    { id: 'failed', title: 'Failed', count: result.value?.failed ?? 0 },
  ];
  const hidden = dataset.value?.hiddenColumns ?? 0;
  return (
    <div class="list-tools">
      <div class="segments" role="group" aria-label="Rows to list">
        {choices.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            aria-pressed={selection.value === id}
            onClick={() => {
              selection.value = id;
            }}
          >
            {title} <span class="quiet">{countText(count)}</span>
          </button>
        ))}
      </div>
      {hidden > 0 && <span class="quiet">{countText(hidden)} more fields are not listed</span>}
    </div>
  );
}
