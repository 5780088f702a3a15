import type { Query } from '../api/api-client.js';
import type { ResourceName } from '../language/protocol.js';
import type { Column } from '../table/column.js';

/** The declaration of a list. All list pages behave alike. */
export interface ListDeclaration<Row> {
  readonly resource: ResourceName;
  readonly title: string;
  /** Path of the route. */
  readonly path: string;
  /** Parameters of every request. */
  readonly query: Query;
  /** Parameters that return more fields of a row, as a source for completion. */
  readonly sample: Query;
  /** Returns the route of a complete row. */
  readonly objectOf: (row: Row) => string;
  /** Topics of events that affect it. */
  readonly topics: readonly string[];
  readonly columns: readonly Column<Row>[];
  /** Default sort; empty for the list's own order. */
  readonly sort: string;
  /** Fields with few values, which are counted. */
  readonly facets: readonly string[];
  readonly keyOf: (row: Row) => string;
  /** Returns a string that changes with the row. */
  readonly versionOf: (row: Row) => string;
  /** Required rights, as in policies. */
  readonly right: string;
  /** Example filters. */
  readonly examples: readonly string[];
}
