import { RowLink } from '../detail/links.js';
import type { Column } from './column.js';

/** Creates the first column of a list whose rows have no names: their IDs with links to their pages, in order of creation. */
export function idColumn<Row extends { readonly ID: string }>(
  title: string,
  to: 'allocations' | 'deployments' | 'evaluations',
): Column<Row> {
  return {
    title,
    width: '12ch',
    sort: 'CreateIndex',
    render: ({ ID }) => (
      <code>
        <RowLink to={to} id={ID} />
      </code>
    ),
  };
}
