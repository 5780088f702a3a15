import type { ListView } from './list-view.js';
import type { ScanExplanation } from './scan-explanation.js';
import { WhyEmpty } from './why-empty.js';

interface EmptyListProps {
  readonly view: ListView;
  /** Null while loading, and without a filter. */
  readonly explanation: ScanExplanation | null;
  readonly title: string;
  readonly onReplace: (clause: string, instead: string | null) => void;
}

/** Explains why the list is empty, and how to see rows. */
export function EmptyList({ view, explanation, title, onReplace }: EmptyListProps) {
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
  const empty = explanation?.Empty ?? null;
  return (
    <div class="empty">
      {empty === null ? <p>No row matches.</p> : <WhyEmpty empty={empty} onReplace={onReplace} />}
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
