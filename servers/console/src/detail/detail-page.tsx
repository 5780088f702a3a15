import type { ComponentChildren } from 'preact';
import type { ApiFailure } from '../api/api-failure.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Status } from '../text/status.js';

interface DetailPageProps<Value> {
  readonly title: ComponentChildren;
  /** The object of the page; null until loaded. */
  readonly value: Value | null;
  /** Returns its states, shown next to the title. */
  readonly statuses: (value: Value) => readonly string[];
  readonly failure: ApiFailure | null;
  /** Name of the content that failed to load, such as `the node`, and the required rights. */
  readonly what: string;
  readonly right: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** The page of one object: its title and state, the failure if it cannot be read, and its content. */
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
