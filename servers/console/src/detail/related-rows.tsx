import type { Query } from '../api/api-client.js';
import { FailureNotice } from '../app/failure-notice.js';
import { useReading } from '../live/use-reading.js';
import type { Column } from '../table/column.js';
import { DataTable } from '../table/data-table.js';
import { useChanges } from '../table/use-changes.js';

interface RelatedRowsProps<Row> {
  /** Plural name of the rows: `allocations`. */
  readonly what: string;
  /** A list route of the agent and its parameters: at most `most` rows are read. */
  readonly path: string;
  readonly query: Query;
  readonly topics: readonly string[];
  readonly columns: readonly Column<Row>[];
  readonly right: string;
  /** Address of the complete list; null if none exists. */
  readonly all: string | null;
}

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
  const { what, path, query, topics, columns, right, all } = props;
  const { value, failure, nextToken } = useReading<readonly Row[]>({
    path,
    query: { ...query, per_page: String(maxRelated) },
    topics,
    isList: true,
  });
  const rows = value ?? [];
  const changed = useChanges(rows, '', keyOf, versionOf);
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} what={`the ${what}`} right={right} />}
      {value !== null && rows.length === 0 && <p class="quiet">There are no {what}.</p>}
      {rows.length > 0 && <DataTable label={what} {...{ columns, rows, keyOf, changed }} />}
      {nextToken !== null && all !== null && (
        <p>
          These are the first {maxRelated}. <a href={all}>All {what}</a>
        </p>
      )}
    </>
  );
}
