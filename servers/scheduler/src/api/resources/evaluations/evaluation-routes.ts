import { evaluations, evaluationStub, type Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import { getRow } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { ifVisible, refuse, type Visible } from '../../kernel/access.js';
import { allocationsOf } from '../allocations/allocation-routes.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { selectCreated } from '../../lists/creation-order.js';
import { listRoute } from '../../lists/list-route.js';
import { parseSwitch } from '../../kernel/query.js';
import { foundRow, readRoute } from '../../lists/read-route.js';
import { rowsAnywhere, rowsOfNamespace } from '../../kernel/rights.js';

/** The routes of evaluations. */
export const evaluationRoutes: readonly ClusterRoute[] = [
  listRoute<Evaluation>({
    path: '/v1/evaluations',
    summary: 'List evaluations',
    tag: 'evaluations',
    right: rowsOfNamespace('read-job'),
    entry: 'Evaluation',
    tables: ['evaluations'],
    resource: evaluations,
    parameters: ['namespace', 'reverse', 'job', 'status'],
    filteringParameters: ['job', 'status'],
    select: ({ tables }, query) =>
      selectCreated(tables.evaluations, query, { job: 'JobID', status: 'Status' }),
    stub: () => omitEmpty,
  }),
  readRoute({
    tag: 'evaluations',
    right: rowsAnywhere('read-job'),
    path: '/v1/evaluation/{eval_id}',
    summary: 'Read an evaluation',
    parameters: ['namespace', 'related'],
    response: { kind: 'json', schema: 'Evaluation' },
    tables: ['evaluations'],
    missing: 'eval not found',
    find({ parameters }, id) {
      const withRelated = parseSwitch(parameters, 'related');
      return ({ tables }, isVisible) => {
        const found = getRow(tables.evaluations, id);
        if (found !== null && !isVisible(found)) refuse();
        return foundRow(found, (row) => {
          if (!withRelated) return omitEmpty(row);
          const related = relatedEvaluations(tables, row, isVisible);
          return { ...omitEmpty(row), RelatedEvals: related.map(evaluationStub) };
        });
      };
    },
  }),
  allocationsOf('EvalID', {
    path: '/v1/evaluation/{eval_id}/allocations',
    summary: 'List the allocations of an evaluation',
    tag: 'evaluations',
  }),
];

/**
 * Returns the predecessors, successors and blocked evaluations of this one, and theirs in turn. They are sorted oldest first,
 * without the evaluation itself. Evaluations that the caller cannot see are not followed.
 */
function relatedEvaluations(tables: Tables, start: Evaluation, isVisible: Visible): readonly Evaluation[] {
  const found = new Map([[start.ID, start]]);
  // Iterating a map includes entries added during the iteration.
  for (const { NextEval, PreviousEval, BlockedEval } of found.values()) {
    for (const id of [NextEval, PreviousEval, BlockedEval]) {
      const related = found.has(id) ? null : ifVisible(getRow(tables.evaluations, id), isVisible);
      if (related !== null) found.set(id, related);
    }
  }
  found.delete(start.ID);
  return [...found.values()].sort((a, b) => Number(a.CreateIndex) - Number(b.CreateIndex));
}
