import { jobAddress } from '../app/location.js';
import { UntrustedText } from '../text/untrusted-text.js';
import type { Column } from './column.js';

/** Creates a column with a link to the job of a row, because users usually continue there. */
export function jobColumn<Row extends { readonly JobID: string; readonly Namespace: string }>(): Column<Row> {
  return {
    title: 'Job',
    width: 'minmax(14ch, 2fr)',
    render: ({ JobID, Namespace }) => (
      <a href={jobAddress({ ID: JobID, Namespace })}>
        <UntrustedText text={JobID} />
      </a>
    ),
  };
}
