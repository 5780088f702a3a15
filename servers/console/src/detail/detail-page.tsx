import type { ComponentChildren } from 'preact';
import { FailureNotice } from '../app/failure-notice.js';
import type { UsedReading } from '../live/use-reading.js';
import { Status } from '../text/status.js';
import { UntrustedText } from '../text/untrusted-text.js';

interface DetailPageProps<Value> {
  readonly title: string;
  /** The object of the page. */
  readonly reading: UsedReading<Value>;
  /** Returns its states, shown next to the title. */
  readonly statuses: (value: Value) => readonly string[];
  /** Name of the content that failed to load, such as `the node`, and the required rights. */
  readonly what: string;
  readonly right: string;
  readonly children: (value: Value, refresh: () => void) => ComponentChildren;
}

/** The page of one object: its title and state, the failure if it cannot be read, and its content. */
export function DetailPage<Value>(props: DetailPageProps<Value>) {
  const { title, statuses, what, right, children } = props;
  const { value, failure, refresh } = props.reading;
  return (
    <div class="detail">
      <div class="detail-head">
        <h1>
          <UntrustedText text={title} />
        </h1>
        {value !== null && statuses(value).map((status, at) => <Status key={at} status={status} />)}
      </div>
      {failure !== null && <FailureNotice failure={failure} what={what} right={right} />}
      {value !== null && children(value, refresh)}
    </div>
  );
}
