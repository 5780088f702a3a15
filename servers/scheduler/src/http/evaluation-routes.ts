import type { FastifyInstance } from 'fastify';
import { evaluations, evaluationStub, type Evaluation } from '../model/evaluation.js';
import { omitEmpty } from '../model/omit-empty.js';
import { getRow } from '../state/table.js';
import type { Tables } from '../state/tables.js';
import { ifVisible, refuse, visibleAnywhere, visibleRows, type Visible } from './access.js';
import { allocationsWhere, stubAllocations } from './allocation-routes.js';
import type { HttpContext } from './context.js';
import { selectCreated } from './created-rows.js';
import { addListRoute, type ListResource } from './list-route.js';
import { parseSwitch } from '../requests/query.js';
import { addReadRoute, rowsPart, type ReadResource } from './read-route.js';
import { rowList } from './row-list.js';

const evaluationList: ListResource<Evaluation> = {
  path: '/v1/evaluations',
  tables: ['evaluations'],
  schema: evaluations.schema,
  indexes: evaluations.filterIndexes,
  filteringParameters: ['prefix', 'job', 'status'],
  canReverse: true,
  authorise: (access, query) => visibleRows(access, 'read-job', query),
  select: ({ tables }, query) => selectCreated(tables.evaluations, query, { job: 'JobID', status: 'Status' }),
  stub: () => omitEmpty,
};

const evaluationRead: ReadResource = {
  prefix: '/v1/evaluation/',
  authorise: (access, query) => visibleAnywhere(access, 'read-job', query),
  parts: [
    {
      suffix: '',
      tables: ['evaluations'],
      missing: 'eval not found',
      find({ tables }, id, { parameters }, isVisible) {
        const withRelated = parseSwitch(parameters, 'related');
        const evaluation = getRow(tables.evaluations, id);
        if (evaluation === null) return null;
        if (!isVisible(evaluation)) refuse();
        const show = (): object =>
          withRelated
            ? {
                ...omitEmpty(evaluation),
                RelatedEvals: relatedEvaluations(tables, evaluation, isVisible).map(evaluationStub),
              }
            : omitEmpty(evaluation);
        return { index: evaluation.ModifyIndex, show };
      },
    },
    rowsPart('/allocations', 'allocations', (query) => {
      const stub = stubAllocations(query);
      return (snapshot, id, isVisible) => rowList(allocationsWhere(snapshot, 'EvalID', id), isVisible, stub);
    }),
  ],
};

/** Adds the routes of evaluations. */
export function addEvaluationRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, evaluationList);
  addReadRoute(app, context, evaluationRead);
}

/**
 * The evaluations that led to this one, follow it or wait for it, and theirs; oldest first, without itself. What the
 * caller may not see is no way to others either.
 */
function relatedEvaluations(
  { evaluations }: Tables,
  start: Evaluation,
  isVisible: Visible,
): readonly Evaluation[] {
  const found = new Map([[start.ID, start]]);
  // A map goes on to what is added to it while it is gone through.
  for (const { NextEval, PreviousEval, BlockedEval } of found.values()) {
    for (const id of [NextEval, PreviousEval, BlockedEval]) {
      const related = found.has(id) ? null : ifVisible(getRow(evaluations, id), isVisible);
      if (related !== null) found.set(id, related);
    }
  }
  found.delete(start.ID);
  return [...found.values()].sort((a, b) => Number(a.CreateIndex) - Number(b.CreateIndex));
}
