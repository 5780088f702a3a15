import type { ListView } from './list-view.js';
import type { ScanExplanation } from './scan-explanation.js';

interface EmptyListProps {
  readonly view: ListView;
  readonly explanation: ScanExplanation | null;
  readonly title: string;
}

/** Why there is nothing to see, and how to see something. */
export function EmptyList({ view, title }: EmptyListProps) {
  if (view.page !== '') {
    return (
      <p class="empty">
        There is nothing on this page any more.{' '}
        <button
          type="button"
          onClick={() => {
            view.goTo('');
          }}
        >
          First page
        </button>
      </p>
    );
  }
  if (view.filter === '') return <p class="empty">There are no {title.toLowerCase()}.</p>;
  return (
    <div class="empty">
      <p>No row matches.</p>
      <p>
        <button
          type="button"
          onClick={() => {
            view.change({ filter: '' });
          }}
        >
          Without the filter
        </button>
      </p>
    </div>
  );
}
