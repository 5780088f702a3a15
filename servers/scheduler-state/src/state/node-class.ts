import { createHash } from 'node:crypto';
import type { Node } from '@tamis/scheduler-model/node.js';

/**
 * Returns the computed class of a node: a hash of everything that constraints can use, except names under `unique.`. Nodes of one
 * class meet the same constraints, so that one check is enough for all of them.
 */
export function computedClass(node: Node): string {
  const devices = JSON.stringify(node.NodeResources?.Devices ?? null, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const facts = [
    node.Datacenter,
    node.NodeClass,
    node.NodePool,
    shared(node.Attributes),
    shared(node.Meta),
    devices,
  ];
  return `v1:${createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 20)}`;
}

function shared(values: Readonly<Record<string, string>> | null): readonly (readonly [string, string])[] {
  return Object.entries(values ?? {})
    .filter(([name]) => !name.startsWith('unique.'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
