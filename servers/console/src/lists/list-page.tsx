import { useEffect, useMemo, useState } from 'preact/hooks';
import { FailureNotice } from '../app/failure-notice.js';
import { languages } from '../language/languages.js';
import type { Clause } from '../language/protocol.js';
import { useReading } from '../live/use-reading.js';
import { DataTable } from '../table/data-table.js';
import { useChanges } from '../table/use-changes.js';
import { EmptyList } from './empty-list.js';
import { FacetBar } from './facet-bar.js';
import { readFacets, type FacetResponse, type Facets } from './facets.js';
import { FilterField } from './filter-field.js';
import { createFilterMemory } from './filter-memory.js';
import type { ListDeclaration } from './list-declaration.js';
import { useListView, type ListView } from './list-view.js';
import { PageSteps } from './page-steps.js';
import { ResultLine } from './result-line.js';
import { SavedFilters } from './saved-filters.js';
import type { ScanExplanation } from './scan-explanation.js';
import { useKnowledge } from './use-knowledge.js';

/** Number of rows per page, as many as a user scans before refining the filter. */
const pageLength = 100;
/** Interval between counts, in ms: they evaluate all matching rows, a page only a hundred. */
const countInterval = 3_000;

/** Shows a list with its filter, sorted and in pages, kept up to date. */
export function ListPage<Row extends object>({ list }: { readonly list: ListDeclaration<Row> }) {
  const { resource, title, path, query, topics, columns, keyOf, versionOf, right } = list;
  const view = useListView();
  const { filter, page } = view;
  const sort = view.sort === '' ? list.sort : view.sort;
  const memory = useMemo(() => createFilterMemory(resource, localStorage), [resource]);
  const language = useMemo(() => languages.of(resource), [resource]);
  const listQuery = { ...query, filter, sort };
  const rowsQuery = { ...listQuery, per_page: String(pageLength), next_token: page };
  const found = useReading<readonly Row[]>({ path, query: rowsQuery, topics, isList: true });
  const rows = found.value ?? [];
  const facets = useFacets(list, filter);
  const explanation = useReading<ScanExplanation>(
    filter === '' ? null : { path, query: { ...rowsQuery, explain: 'true' }, topics: [] },
  );
  const describeOutcome = filter !== '' && explanation.isCurrent ? explanation.value : null;
  const changed = useChanges(rows, JSON.stringify(rowsQuery), keyOf, versionOf);
  const knowledge = useKnowledge(list, language);
  const { addClause, replace } = useEdits(view, language);
  const [isRich, setIsRich] = useState(false);
  const isMistaken = useIsMistaken(filter, language);
  const { failure } = found;
  // The filter box shows the errors of a filter, with corrections.
  const isRefused = failure?.kind === 'refused';
  const isSaidThere = isRich && isMistaken && isRefused;
  // For an invalid filter nothing is counted, and the rows belong to the previous filter.
  const isOfBefore = isRefused && found.value !== null && rows.length > 0;
  return (
    <div class="list-page">
      <h1>{title}</h1>
      <FilterField
        view={view}
        memory={memory}
        language={language}
        knowledge={knowledge.known}
        placeholder={`Filter, such as ${list.examples[0] ?? ''}`}
        onRich={() => {
          setIsRich(true);
          knowledge.request();
        }}
      />
      <SavedFilters view={view} memory={memory} examples={list.examples} />
      <FacetBar facets={isRefused ? [] : (facets.counts?.fields ?? [])} onAddClause={addClause} />
      {!isRefused && (
        <ResultLine
          {...{ found }}
          facets={facets.counts}
          explanation={describeOutcome}
          isFiltered={filter !== ''}
          isWhole={page === '' && found.nextToken === null}
          isCurrent={found.isCurrent && facets.isCurrent}
        />
      )}
      {failure !== null && !isSaidThere && (
        <FailureNotice failure={failure} what={`the ${title.toLowerCase()}`} right={right} />
      )}
      {isOfBefore && <p class="quiet">These are the rows of before: the filter has a mistake.</p>}
      {found.value !== null && failure?.kind !== 'denied' && (!isRefused || isOfBefore) && (
        <>
          {rows.length === 0 ? (
            <EmptyList {...{ view, title }} explanation={describeOutcome} onReplace={replace} />
          ) : (
            <DataTable
              label={title}
              isOld={!found.isCurrent}
              {...{ columns, rows, keyOf, changed }}
              order={{
                by: sort,
                onSort: (by) => {
                  view.change({ sort: by });
                },
              }}
              onAddClause={addClause}
            />
          )}
          <PageSteps view={view} nextToken={found.nextToken} />
        </>
      )}
    </div>
  );
}

/** The distribution of the matching rows; null if unknown. */
function useFacets<Row>({ path, query, facets, topics }: ListDeclaration<Row>, filter: string) {
  const { value, isCurrent, failure } = useReading<FacetResponse>({
    path,
    query: { ...query, filter, facets: facets.join(',') },
    topics,
    interval: countInterval,
  });
  const counts = useMemo((): Facets | null => readFacets(value), [value]);
  // If counts fail, there is nothing to wait for.
  return { counts: failure === null ? counts : null, isCurrent: isCurrent || failure !== null };
}

/** Returns whether the filter is invalid. */
function useIsMistaken(filter: string, language: ReturnType<typeof languages.of>): boolean {
  const [mistaken, setMistaken] = useState<string | null>(null);
  useEffect(() => {
    let isLeft = false;
    language.problems(filter).then(
      (marks) => {
        if (!isLeft && marks.some(({ severity }) => severity === 'error')) setMistaken(filter);
      },
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [filter, language]);
  return mistaken === filter;
}

/** Changes of the filter by the page. An invalid filter is left for the user to correct. */
function useEdits(view: ListView, language: ReturnType<typeof languages.of>) {
  const render = (edited: Promise<string | null>): void => {
    edited.then(
      (filter) => {
        if (filter !== null) view.change({ filter });
      },
      () => undefined,
    );
  };
  return {
    addClause: (clause: Clause): void => {
      render(language.withClause(view.filter, clause));
    },
    replace: (clause: string, instead: string | null): void => {
      render(language.replaceClause(view.filter, clause, instead));
    },
  };
}
