import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '@tamis/scheduler-model/secret.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { getRow } from 'tamis/table';
import { nodeIdHeader, nodeSecretHeader } from './protocol.js';

/**
 * Returns the node that sent a request, identified by the secret with which it registered. A node without a secret, such as an
 * imported one, cannot authenticate.
 *
 * @throws SchedulerError `permission-denied`, also for an unknown node.
 */
export function authenticateNode(headers: IncomingHttpHeaders, snapshot: Snapshot): Node {
  const node = getRow(snapshot.tables.nodes, textOf(headers[nodeIdHeader]));
  const secret = textOf(headers[nodeSecretHeader]);
  // Compares even for an unknown node, so that timing does not reveal which nodes exist.
  const isSame = isSameSecret(node?.SecretID ?? '', secret);
  if (node === null || node.SecretID === '' || !isSame) {
    throw new SchedulerError('permission-denied', 'Permission denied');
  }
  return node;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
