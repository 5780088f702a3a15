import type { ComponentChildren } from 'preact';
import type { Query } from '../api/api-client.js';
import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import type { ResourceName } from '../language/protocol.js';
import { useReading } from '../live/use-reading.js';
import type { Column } from '../table/column.js';
import { Section } from './section.js';
import { DataTable } from '../table/data-table.js';
import { useChanges } from '../table/use-changes.js';

interface RelatedRowsProps<Row> {
  /** Title of the section. */
  readonly title: string;
  /** The list, and the parameters of the request. */
  readonly list: ResourceName;
  readonly query: Query & { readonly filter: string };
  /** Plural name of the rows; default: that of the list. */
  readonly what?: string;
  readonly topics: readonly string[];
  readonly columns: readonly Column<Row>[];
  readonly right: string;
  /** Filter of the complete list; default: that of the request. */
  readonly allFilter?: string;
  /** Shown above the rows. */
  readonly children?: ComponentChildren;
}

/** Parameters of a list of allocations, newest first. */
export const newestAllocations = { reverse: 'true', task_states: 'false' } as const;

/** Maximum number of rows shown on the page of another object. The list shows all of them. */
export const maxRelated = 50;

interface RelatedRow {
  readonly ID: string;
  readonly ModifyIndex: number | bigint;
}

const keyOf = ({ ID }: RelatedRow): string => ID;
const versionOf = ({ ModifyIndex }: RelatedRow): string => String(ModifyIndex);

/** Shows the first rows related to the object of a page. */
export function RelatedRows<Row extends RelatedRow>(props: RelatedRowsProps<Row>) {
  const {
    title,
    list,
    query,
    what = list,
    topics,
    columns,
    right,
    allFilter = query.filter,
    children,
  } = props;
  const { value, failure, nextToken } = useReading<readonly Row[]>({
    path: `/v1/${list}`,
    query: { ...query, per_page: String(maxRelated) },
    topics,
    isList: true,
  });
  const rows = value ?? [];
  const changed = useChanges(rows, '', keyOf, versionOf);
  return (
    <Section title={title}>
      {children}
      {failure !== null && <FailureNotice failure={failure} what={`the ${what}`} right={right} />}
      {value !== null && rows.length === 0 && <p class="quiet">There are no {what}.</p>}
      {rows.length > 0 && <DataTable label={what} {...{ columns, rows, keyOf, changed }} />}
      {nextToken !== null && (
        <p>
          These are the first {maxRelated}. <a href={addressOf([list], { filter: allFilter })}>All {what}</a>
        </p>
      )}
    </Section>
  );
}
