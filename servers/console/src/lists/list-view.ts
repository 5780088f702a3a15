import { useConsole } from '../app/console.js';
import { addressOf } from '../app/location.js';

/** The view of a list, defined entirely by the address. */
export interface ListView {
  readonly filter: string;
  /** Field, with a leading dash for descending order; empty for the list's own order. */
  readonly sort: string;
  /** The start of the page; empty for the first one. */
  readonly page: string;
  /** Changes the view and returns to the first page. Typing does not add a history entry per letter. */
  change(next: { readonly filter?: string; readonly sort?: string }, isTyping?: boolean): void;
  goTo(page: string): void;
}

export function useListView(): ListView {
  const { location } = useConsole();
  const { path, query } = location.place.value;
  const view = {
    filter: query.get('filter') ?? '',
    sort: query.get('sort') ?? '',
    page: query.get('page') ?? '',
  };
  const parts = path.split('/').map(decodeURIComponent);
  return {
    ...view,
    change(next, isTyping = false) {
      const changed = { ...view, ...next, page: '' };
      if (changed.filter === view.filter && changed.sort === view.sort) return;
      location.go(addressOf(parts, changed), { replace: isTyping });
    },
    goTo(page) {
      location.go(addressOf(parts, { ...view, page }));
    },
  };
}
