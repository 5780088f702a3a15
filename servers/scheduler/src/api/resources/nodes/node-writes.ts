import { t } from 'tamis';
import { drainNode } from '@tamis/scheduler-state/state/node-drain.js';
import { setEligibility, purgeNode, reevaluateNode } from '@tamis/scheduler-state/state/node-status.js';
import type { NodeWritten } from '@tamis/scheduler-state/state/node-rows.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { accessorOf } from '../../kernel/access.js';
import { readBody } from '../../kernel/requests/body.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { nodeRight } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { sameId, writeRoute } from '../../lists/write-route.js';

export const eligibilityShape = t.struct({ NodeID: t.string, Eligibility: t.string });
export const drainShape = t.struct({
  NodeID: t.string,
  DrainSpec: t.nullable(t.struct({ Deadline: t.int, IgnoreSystemJobs: t.bool })),
  MarkEligible: t.bool,
  Meta: t.map(t.string),
});

const requireSame = sameId('Node ID does not match');

type Action = (transaction: Transaction) => NodeWritten;

/** A write to a node, selected by the path segment after its ID. */
function nodeWrite(
  word: string,
  summary: string,
  schema: string | null,
  parse: (call: Call, context: HttpContext) => Action,
): ClusterRoute {
  return writeRoute({
    path: `/v1/node/{node_id}/${word}`,
    summary,
    tag: 'nodes',
    right: nodeRight('write'),
    failures: [404],
    body: schema === null ? null : { schema, required: true },
    response: { kind: 'json', schema: 'NodeWritten' },
    parse,
    write: (action, { state }) => state.write(action),
    project: (written) => ({ index: written.Index, body: written }),
  });
}

/** The writes to nodes. */
export const nodeWrites: readonly ClusterRoute[] = [
  nodeWrite('eligibility', 'Let a node take new work, or not', 'NodeEligibility', ({ request, id }) => {
    const { NodeID, Eligibility } = readBody(eligibilityShape, request.body);
    requireSame(NodeID, id);
    return (transaction) => setEligibility(transaction, id, Eligibility ?? '');
  }),
  nodeWrite('drain', 'Begin or end the drain of a node', 'NodeDrain', ({ request, id }, context) => {
    const { NodeID, DrainSpec, MarkEligible, Meta } = readBody(drainShape, request.body);
    requireSame(NodeID, id);
    const spec =
      DrainSpec === undefined
        ? null
        : {
            deadline: Number(DrainSpec.Deadline ?? 0),
            ignoreSystemJobs: DrainSpec.IgnoreSystemJobs === true,
          };
    const accessor = accessorOf(request, context);
    const drain = { spec, markEligible: MarkEligible === true, meta: Meta ?? null, accessor };
    return (transaction) => drainNode(transaction, id, drain);
  }),
  nodeWrite(
    'evaluate',
    'Evaluate what concerns a node',
    null,
    ({ id }) =>
      (transaction) =>
        reevaluateNode(transaction, id),
  ),
  nodeWrite(
    'purge',
    'Forget a node',
    null,
    ({ id }) =>
      (transaction) =>
        purgeNode(transaction, id),
  ),
];
