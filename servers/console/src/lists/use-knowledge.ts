import { useEffect, useState } from 'preact/hooks';
import type { ApiClient } from '../api/api-client.js';
import { useConsole } from '../app/console.js';
import type { Knowledge, ResourceLanguage } from '../language/protocol.js';
import { readFacets, type FacetResponse } from './facets.js';
import type { ListDeclaration } from './list-declaration.js';

/** Number of rows used for completion, and of those read in full. */
const learntRows = 20;
const learntObjects = 2;

/** The completion data of a filter box: compared by identity, null if not loaded. */
export interface UsedKnowledge {
  readonly known: Knowledge | null;
  /** Requests the data, once an editor is in use. */
  readonly request: () => void;
}

/** Loads completion data of a list once an editor is in use. */
export function useKnowledge<Row extends object>(
  list: ListDeclaration<Row>,
  language: ResourceLanguage,
): UsedKnowledge {
  const { api, session } = useConsole();
  const [isRequested, setIsRequested] = useState(false);
  const [known, setKnown] = useState<Knowledge | null>(null);
  useEffect(() => {
    if (!isRequested) return;
    const end = new AbortController();
    const load = async (): Promise<void> => {
      const found = await gather(api, list, end.signal);
      if (end.signal.aborted) return;
      await language.setCompletionData(found);
      setKnown(found);
    };
    // Without this data the box completes fields but no values.
    load().catch(() => undefined);
    return () => {
      end.abort();
    };
  }, [isRequested, list, session.token.value]);
  const request = (): void => {
    setIsRequested(true);
  };
  return { known, request };
}

/** Loads a few rows, some in full, and the values of counted fields. */
async function gather<Row>(
  api: ApiClient,
  { path, query, sample, facets, objectOf }: ListDeclaration<Row>,
  signal: AbortSignal,
): Promise<Knowledge> {
  const [counted, found] = await Promise.all([
    api.get<FacetResponse>(path, { query: { ...query, facets: facets.join(',') }, signal }),
    api.get<readonly (Row & object)[]>(path, {
      query: { ...query, ...sample, per_page: String(learntRows) },
      signal,
    }),
  ]);
  const rows = found.ok ? found.value : [];
  const objects = await Promise.all(
    rows.slice(0, learntObjects).map((row) => api.get<object>(objectOf(row), { signal })),
  );
  const values = (counted.ok ? (readFacets(counted.value)?.fields ?? []) : []).map(
    ({ field, values: all }) => [field, all.map(({ value }) => String(value))],
  );
  return {
    rows: [...objects.flatMap((object) => (object.ok ? [object.value] : [])), ...rows],
    values: Object.fromEntries(values) as Record<string, string[]>,
  };
}
