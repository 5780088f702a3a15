/** Maximum number of filters in a history. */
const maxEntries = 30;
/** Maximum length of a filter that is stored, in characters. Prevents a history from filling the storage of the site. */
const maxLength = 4_000;

/** Returns the filters stored under a key, newest first; empty without a key or if the storage is not accessible. */
export function readHistory(key: string): readonly string[] {
  if (key === '') return [];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores a filter as the newest one. Does nothing without a key or if the storage is full or not accessible. */
export function rememberFilter(key: string, filter: string): void {
  if (key === '' || filter.trim() === '' || filter.length > maxLength) return;
  const entries = [filter, ...readHistory(key).filter((each) => each !== filter)].slice(0, maxEntries);
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // The filter works without its history.
  }
}
