import type { Query } from '../api/api-client.js';
import type { ResourceName } from '../language/protocol.js';
import type { Column } from '../table/column.js';

/** The declaration of a list. All list pages behave alike. */
export interface ListDeclaration<Row> {
  readonly resource: ResourceName;
  readonly title: string;
  /** The route. */
  readonly path: string;
  /** Parameters that it always has. */
  readonly query: Query;
  /** Parameters that show more of a row, as a source for completion. */
  readonly sample: Query;
  /** The route of a row in full. */
  readonly objectOf: (row: Row) => string;
  /** The topics of the events that may change it. */
  readonly topics: readonly string[];
  readonly columns: readonly Column<Row>[];
  /** The default sort; empty for its own order. */
  readonly sort: string;
  /** Fields of few values, which are counted. */
  readonly facets: readonly string[];
  readonly keyOf: (row: Row) => string;
  /** A string that differs if the row has changed. */
  readonly versionOf: (row: Row) => string;
  /** The rights needed to see it, as in policies. */
  readonly right: string;
  /** Filters to begin with. */
  readonly examples: readonly string[];
}
