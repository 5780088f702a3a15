import type { FastifyInstance } from 'fastify';
import { evaluationFilterSchema, type Evaluation } from '../model/evaluation.js';
import { omitEmpty } from '../model/omit-empty.js';
import { getRow } from '../state/table.js';
import { allocationsWhere, stubAllocations } from './allocation-routes.js';
import type { HttpContext } from './context.js';
import { selectCreated } from './created-rows.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addReadRoute, rowPart, rowsPart, type ReadResource } from './read-route.js';

const evaluationList: ListResource<Evaluation> = {
  path: '/v1/evaluations',
  tables: ['evaluations'],
  schema: evaluationFilterSchema,
  filteringParameters: ['prefix', 'job', 'status'],
  canReverse: true,
  select: ({ tables }, query) => selectCreated(tables.evaluations, query, { job: 'JobID', status: 'Status' }),
  stub: () => omitEmpty,
};

const evaluationRead: ReadResource = {
  prefix: '/v1/evaluation/',
  parts: [
    rowPart(
      'evaluations',
      ({ tables }, id) => getRow(tables.evaluations, id),
      (evaluation: Evaluation) => omitEmpty(evaluation),
      'eval not found',
    ),
    rowsPart('/allocations', 'allocations', (query) => {
      const show = stubAllocations(query);
      return (snapshot, id) => show(allocationsWhere(snapshot, ({ EvalID }) => EvalID === id));
    }),
  ],
  otherSuffixes: [],
};

/** Adds the routes of evaluations. */
export function addEvaluationRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, evaluationList);
  addReadRoute(app, context, evaluationRead);
}
