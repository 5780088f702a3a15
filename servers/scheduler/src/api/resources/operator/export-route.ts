import { Readable } from 'node:stream';
import { jsonPieces } from '@tamis/http';
import type { Access } from '../../../services/acl/access.js';
import { exportedResources, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';
import { printBody } from '../../kernel/requests/response-body.js';
import { exportedEntry, rowsToExport, type RowToExport } from '@tamis/scheduler-state/state/exported-rows.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { refuse, visibleAnywhere } from '../../kernel/access.js';
import type { Right } from '../../kernel/rights.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { defineRoute } from '../../kernel/pipeline.js';
import { parseStale } from '../../kernel/query.js';

type IsVisible = (row: RowToExport) => boolean;

/** The right to nodes and all other rows that the caller can read: rows of namespaces, and the namespaces themselves. */
const right: Right<Access, unknown, IsVisible> = {
  name: 'node:read and namespace:read-job',
  async grant(getAccess) {
    const access = await getAccess();
    if (!access.node('read')) refuse();
    const isVisible = visibleAnywhere(access, 'read-job');
    return ({ resource: { table }, row }) => {
      if (table === 'namespaces') return access.seesNamespace((row as Rows['namespaces']).Name);
      return !('Namespace' in row) || isVisible(row);
    };
  },
};

/** Exports the cluster as lines for an import, from one snapshot. */
export const exportRoute: ClusterRoute = defineRoute<
  HttpContext,
  Access,
  { readonly stale: boolean },
  IsVisible
>({
  path: '/v1/operator/export',
  summary: 'Export the cluster as lines that an import takes',
  tag: 'operator',
  right,
  parameters: ['region', 'stale'],
  response: { kind: 'lines' },
  headers: 'read',
  failures: [429, 503],
  open({ state, slices, rowBudget, leader }) {
    return {
      parse: ({ parameters }) => ({ stale: parseStale(parameters) }),
      isStale: ({ stale }) => stale,
      async handle(_input, isVisible, { signal }) {
        const snapshot = state.snapshot();
        // The snapshot stays unchanged while it is read, regardless of writes.
        const reservation = rowBudget.reserve();
        reservation.grow(countRows(snapshot));
        const body = await printBody(piecesOf(snapshot, isVisible), slices, signal).catch(
          (error: unknown) => {
            reservation.release();
            throw error;
          },
        );
        if (body instanceof Readable) body.once('close', reservation.release);
        else reservation.release();
        const read = { index: snapshot.index, ...leader.contact() };
        return { type: 'application/x-ndjson', read, body };
      },
    };
  },
});

function countRows({ tables }: Snapshot): number {
  return exportedResources.reduce((sum, { table }) => sum + tables[table].primary.size, 0);
}

function* piecesOf(snapshot: Snapshot, isVisible: IsVisible): Generator<string, void, undefined> {
  for (const { resource, row } of rowsToExport(snapshot)) {
    if (isVisible({ resource, row })) {
      const { withoutSecrets = (whole: Rows[TableName]) => whole } = resource;
      yield* jsonPieces(exportedEntry({ resource, row: withoutSecrets(row) }));
      yield '\n';
      // An empty chunk, so that other work can run.
    } else yield '';
  }
}
