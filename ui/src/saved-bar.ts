import { createNode } from './create-node.js';

/** A filter with a name. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: string;
}

interface SavedBarHandlers {
  readonly onChoose: (filter: string) => void;
  readonly onSave: () => void;
  readonly onRemove: (entry: SavedFilter) => void;
}

export interface SavedBar {
  /** @param entries null hides the bar. */
  update(entries: readonly SavedFilter[] | null, canSave: boolean): void;
  destroy(): void;
}

/** Creates the buttons for saved filters. */
export function createSavedBar(root: ShadowRoot, handlers: SavedBarHandlers): SavedBar {
  const bar = createNode('div', 'saved', '');
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', 'Saved filters');
  const save = button('saved-new', 'Save filter', handlers.onSave);
  let rendered: readonly SavedFilter[] | null = null;
  root.append(bar);
  return {
    update(entries, canSave) {
      bar.hidden = entries === null;
      save.disabled = !canSave;
      if (entries === rendered) return;
      rendered = entries;
      const items = (entries ?? []).map((entry) => {
        const item = createNode('span', 'saved-item', '');
        const choose = button('saved-name', entry.name, () => handlers.onChoose(entry.filter));
        choose.title = entry.filter;
        const remove = button('saved-remove', '×', () => handlers.onRemove(entry));
        remove.setAttribute('aria-label', `Remove ${entry.name}`);
        item.append(choose, remove);
        return item;
      });
      bar.replaceChildren(...items, save);
    },
    destroy() {
      bar.remove();
    },
  };
}

function button(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const made = createNode('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
