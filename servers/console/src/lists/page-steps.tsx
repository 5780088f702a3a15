import type { ListView } from './list-view.js';

/** Links to other pages. Back uses the browser history, because each page has its own address. */
export function PageSteps({
  view,
  nextToken,
}: {
  readonly view: ListView;
  readonly nextToken: string | null;
}) {
  if (nextToken === null && view.page === '') return null;
  return (
    <nav class="steps" aria-label="Pages of the list">
      <button
        type="button"
        disabled={view.page === ''}
        onClick={() => {
          view.goTo('');
        }}
      >
        First page
      </button>
      <button
        type="button"
        disabled={nextToken === null}
        onClick={() => {
          view.goTo(nextToken ?? '');
        }}
      >
        Next page
      </button>
    </nav>
  );
}
