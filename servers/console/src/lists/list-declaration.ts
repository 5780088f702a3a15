import type { Query } from '../api/api-client.js';
import type { ResourceName } from '../language/protocol.js';
import type { Column } from '../table/column.js';

/** A list, declared. What a list page does is the same for all of them. */
export interface ListDeclaration<Row> {
  readonly resource: ResourceName;
  readonly title: string;
  /** The route. */
  readonly path: string;
  /** Parameters that it always has. */
  readonly query: Query;
  /** Parameters beside those that show more of a row, for completion to learn from. */
  readonly sample: Query;
  /** The route of a row in full. */
  readonly objectOf: (row: Row) => string;
  /** The topics of the events that may change it. */
  readonly topics: readonly string[];
  readonly columns: readonly Column<Row>[];
  /** How it is sorted where nobody says otherwise; empty for its own order. */
  readonly sort: string;
  /** Fields of few values, which are counted. */
  readonly facets: readonly string[];
  readonly keyOf: (row: Row) => string;
  /** What is another text when the row has changed. */
  readonly versionOf: (row: Row) => string;
  /** What a token needs to see it, in the words of policies. */
  readonly right: string;
  /** Filters to begin with. */
  readonly examples: readonly string[];
}
