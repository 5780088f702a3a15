import { useState } from 'preact/hooks';
import { UntrustedText } from '../text/untrusted-text.js';
import type { FilterMemory } from './filter-memory.js';
import type { ListView } from './list-view.js';

interface SavedFiltersProps {
  readonly view: ListView;
  readonly memory: FilterMemory;
  readonly examples: readonly string[];
}

/** Links to saved filters and examples. */
export function SavedFilters({ view, memory, examples }: SavedFiltersProps) {
  const [name, setName] = useState('');
  const saved = memory.saved.value;
  return (
    <details class="saved">
      <summary>Saved filters{saved.length > 0 && ` (${saved.length})`}</summary>
      <div class="saved-body">
        {saved.length > 0 && (
          <ul class="plain">
            {saved.map((each) => (
              <li key={each.name}>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    view.change({ filter: each.filter });
                  }}
                >
                  <UntrustedText text={each.name} />
                </button>{' '}
                <code>
                  <UntrustedText text={each.filter} maxLength={120} />
                </code>{' '}
                <button
                  type="button"
                  aria-label={`Forget ${each.name}`}
                  onClick={() => {
                    memory.forget(each.name);
                  }}
                >
                  Forget
                </button>
              </li>
            ))}
          </ul>
        )}
        {view.filter === '' ? (
          <p class="quiet">A filter that is shown can be saved under a name, in this browser.</p>
        ) : (
          <p class="save">
            <label>
              Save this one as{' '}
              <input
                type="text"
                value={name}
                maxLength={80}
                onInput={({ currentTarget }) => {
                  setName(currentTarget.value);
                }}
              />
            </label>{' '}
            <button
              type="button"
              disabled={name.trim() === ''}
              onClick={() => {
                memory.save(name, view.filter);
                setName('');
              }}
            >
              Save
            </button>
          </p>
        )}
        <p class="quiet">To begin with:</p>
        <ul class="plain">
          {examples.map((filter) => (
            <li key={filter}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  view.change({ filter });
                }}
              >
                <code>{filter}</code>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
