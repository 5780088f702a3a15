import { signal, type ReadonlySignal } from '@preact/signals';

/** Saved filters, by name. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: string;
}

/** The filters of one list stored in this browser: previously entered and saved ones. */
export interface FilterMemory {
  /** Newest first. */
  readonly history: ReadonlySignal<readonly string[]>;
  readonly saved: ReadonlySignal<readonly SavedFilter[]>;
  enter(filter: string): void;
  /** Saves a filter, replacing one with the same name. */
  save(name: string, filter: string): void;
  forget(name: string): void;
}

const maxEntered = 50;
const maxSaved = 100;
/** Maximum length of a saved filter and of its name, in UTF-16 units: all lists share the browser's storage. */
const maxFilterLength = 4_000;
const maxNameLength = 80;

export function createFilterMemory(
  list: string,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): FilterMemory {
  const history = signal<readonly string[]>(read(`scheduler-history-${list}`, isText));
  const saved = signal<readonly SavedFilter[]>(read(`scheduler-saved-${list}`, isSaved));

  function read<T>(place: string, is: (value: unknown) => value is T): readonly T[] {
    try {
      const value: unknown = JSON.parse(storage.getItem(place) ?? '[]');
      return Array.isArray(value) ? value.filter(is).slice(0, maxSaved) : [];
    } catch {
      // Invalid or outdated data in the storage must not break the page.
      return [];
    }
  }
  function write(place: string, value: unknown): void {
    try {
      storage.setItem(place, JSON.stringify(value));
    } catch {
      // If the browser's storage is full, they are lost when the tab closes.
    }
  }
  function retain(next: readonly SavedFilter[]): void {
    saved.value = next;
    write(`scheduler-saved-${list}`, next);
  }
  return {
    history,
    saved,
    enter(filter) {
      if (filter.trim() === '' || filter.length > maxFilterLength) return;
      const others = history.value.filter((each) => each !== filter);
      history.value = [filter, ...others].slice(0, maxEntered);
      write(`scheduler-history-${list}`, history.value);
    },
    save(name, filter) {
      const given = name.trim().slice(0, maxNameLength);
      if (given === '' || filter.trim() === '' || filter.length > maxFilterLength) return;
      const others = saved.value.filter((each) => each.name !== given);
      retain([...others, { name: given, filter }].slice(-maxSaved));
    },
    forget(name) {
      retain(saved.value.filter((each) => each.name !== name));
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxFilterLength;
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, filter } = value as Partial<Record<keyof SavedFilter, unknown>>;
  return isText(name) && name.length <= maxNameLength && isText(filter);
}
