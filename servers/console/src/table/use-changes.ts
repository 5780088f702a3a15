import { useEffect, useRef, useState } from 'preact/hooks';

/** Duration for which changes are highlighted, in ms. */
const markTime = 4_000;

const nothing: ReadonlySet<string> = new Set();

/**
 * Returns the keys of the rows that are new or changed since the previous rows; empty if the request has changed.
 *
 * @param queryKey identifies the request; rows of a new request do not count as changed.
 */
export function useChanges<Row>(
  rows: readonly Row[],
  queryKey: string,
  keyOf: (row: Row) => string,
  versionOf: (row: Row) => string,
): ReadonlySet<string> {
  const [changed, setChanged] = useState(nothing);
  const last = useRef<{ readonly queryKey: string; readonly versions: ReadonlyMap<string, string> } | null>(
    null,
  );
  useEffect(() => {
    const versions = new Map(rows.map((row) => [keyOf(row), versionOf(row)]));
    const before = last.current;
    last.current = { queryKey, versions };
    if (before === null || before.queryKey !== queryKey || before.versions.size === 0) {
      setChanged(nothing);
      return;
    }
    const found = [...versions].filter(([key, version]) => before.versions.get(key) !== version);
    if (found.length === 0) return;
    setChanged(new Set(found.map(([key]) => key)));
    const timer = setTimeout(() => {
      setChanged(nothing);
    }, markTime);
    return () => {
      clearTimeout(timer);
    };
  }, [rows]);
  return changed;
}
