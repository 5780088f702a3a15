import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '@tamis/scheduler-model/secret.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { getRow } from 'tamis/table';
import { nodeIdHeader, nodeSecretHeader } from './protocol.js';

/**
 * The node that a request comes from, by the secret that it registered with. A node without one, such as one that came
 * from a file, cannot be proven to be anybody.
 *
 * @throws SchedulerError `permission-denied`, the same for a node that is not known.
 */
export function authenticateNode(headers: IncomingHttpHeaders, snapshot: Snapshot): Node {
  const node = getRow(snapshot.tables.nodes, textOf(headers[nodeIdHeader]));
  const secret = textOf(headers[nodeSecretHeader]);
  // The comparison is made in any case, so that the time it takes tells nobody which nodes there are.
  const isSame = isSameSecret(node?.SecretID ?? '', secret);
  if (node === null || node.SecretID === '' || !isSame) {
    throw new SchedulerError('permission-denied', 'Permission denied');
  }
  return node;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
