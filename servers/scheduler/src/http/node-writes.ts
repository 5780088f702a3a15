import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { s } from '../model/shape.js';
import { drainNode } from '../state/node-drain.js';
import { setEligibility } from '../state/node-eligibility.js';
import type { NodeWritten } from '../state/node-rows.js';
import { purgeNode, reevaluateNode } from '../state/node-status.js';
import type { Transaction } from '../state/transaction.js';
import { accessOf, accessorOf, requireNode } from './access.js';
import { sendText } from '../requests/answer.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { pathAfter } from '../requests/request.js';
import { explainMissing } from './unbuilt-routes.js';
import { answerWrite } from './write-route.js';

export const eligibilityShape = s.struct({ NodeID: s.string, Eligibility: s.string });
export const drainShape = s.struct({
  NodeID: s.string,
  DrainSpec: s.nullable(s.struct({ Deadline: s.int, IgnoreSystemJobs: s.bool })),
  MarkEligible: s.bool,
  Meta: s.map(s.string),
});

type Action = (transaction: Transaction) => NodeWritten;
type Reader = (request: FastifyRequest, id: string, context: HttpContext) => Action;

/** The writes by the words behind the id. */
const writes: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    '/eligibility',
    ({ body }, id, context) => {
      const { NodeID, Eligibility } = readBody(eligibilityShape, body);
      requireSame(NodeID, id);
      return (transaction) => setEligibility(transaction, id, Eligibility ?? '', context);
    },
  ],
  [
    '/drain',
    (given, id, context) => {
      const { NodeID, DrainSpec, MarkEligible, Meta } = readBody(drainShape, given.body);
      requireSame(NodeID, id);
      const spec =
        DrainSpec === undefined
          ? null
          : {
              deadline: Number(DrainSpec.Deadline ?? 0),
              ignoreSystemJobs: DrainSpec.IgnoreSystemJobs === true,
            };
      const accessor = accessorOf(given, context);
      const request = { spec, markEligible: MarkEligible === true, meta: Meta ?? null, accessor };
      return (transaction) => drainNode(transaction, id, request, context);
    },
  ],
  ['/evaluate', (_request, id, context) => (transaction) => reevaluateNode(transaction, id, context)],
  ['/purge', (_request, id, context) => (transaction) => purgeNode(transaction, id, context)],
]);

function requireSame(given: string | undefined, id: string): void {
  if (given !== undefined && given !== '' && given !== id) {
    throw new SchedulerError('bad-node-request', 'Node ID does not match');
  }
}

/** Adds the writes to nodes. */
export function addNodeWrites(app: FastifyInstance, context: HttpContext, prefix: string): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathAfter(request, prefix);
    const found = [...writes].find(([suffix]) => path.endsWith(suffix));
    if (found === undefined) {
      const missing = explainMissing(prefix + path);
      return missing === '' ? sendText(reply, 405, 'Invalid method') : sendText(reply, 404, missing);
    }
    const [suffix, read] = found;
    requireNode(accessOf(request, context), 'write');
    const action = read(request, path.slice(0, -suffix.length), context);
    return answerWrite(context, request, reply, { action, show });
  };
  for (const method of ['PUT', 'POST'] as const) app.route({ method, url: `${prefix}*`, handler });
}

function show({ evalIds, evalCreateIndex, nodeModifyIndex }: NodeWritten): object {
  return {
    EvalIDs: evalIds.length === 0 ? null : evalIds,
    EvalCreateIndex: evalCreateIndex,
    NodeModifyIndex: nodeModifyIndex,
  };
}
