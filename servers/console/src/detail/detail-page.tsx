import type { ComponentChildren } from 'preact';
import type { ApiFailure } from '../api/api-failure.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Status } from '../text/status.js';

interface DetailPageProps<Value> {
  readonly title: ComponentChildren;
  /** What the page is about; null until it has been read. */
  readonly value: Value | null;
  /** The words of its state, which stand beside the title. */
  readonly statuses: (value: Value) => readonly string[];
  readonly failure: ApiFailure | null;
  /** What was to be shown, `the node`, and what a token needs for it. */
  readonly what: string;
  readonly right: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** The page of one thing: its title and state, why it cannot be read, and what there is of it. */
export function DetailPage<Value>(props: DetailPageProps<Value>) {
  const { title, value, statuses, failure, what, right, children } = props;
  return (
    <div class="detail">
      <div class="detail-head">
        <h1>{title}</h1>
        {value !== null && statuses(value).map((status, at) => <Status key={at} status={status} />)}
      </div>
      {failure !== null && <FailureNotice failure={failure} what={what} right={right} />}
      {value !== null && children(value)}
    </div>
  );
}
