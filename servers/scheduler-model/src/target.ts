import { suggestName } from '@tamis/config';
import type { Node } from './node.js';

/**
 * Returns the value of a constraint's, affinity's or spread's target on a node: `${attr.kernel.name}`, `${meta.rack}`,
 * `${node.datacenter}` and so on; a string without `${` is returned unchanged. Null if the node has no such value.
 */
export function resolveTarget(target: string, node: Node): string | null {
  if (!target.startsWith('${')) return target;
  const name = target.endsWith('}') ? target.slice(2, -1) : target.slice(2);
  const fixed = nodeFields.get(name);
  if (fixed !== undefined) return fixed(node);
  if (name.startsWith('attr.')) return own(node.Attributes, name.slice('attr.'.length));
  if (name.startsWith('meta.')) return own(node.Meta, name.slice('meta.'.length));
  return null;
}

/** Whether nodes of one class may differ in a target, so that a check of one does not cover all. */
export function isUnique(target: string): boolean {
  return (
    target.startsWith('${node.unique.') ||
    target.startsWith('${attr.unique.') ||
    target.startsWith('${meta.unique.')
  );
}

const nodeFields: ReadonlyMap<string, (node: Node) => string> = new Map([
  ['node.unique.id', (node) => node.ID],
  ['node.unique.name', (node) => node.Name],
  ['node.datacenter', (node) => node.Datacenter],
  ['node.class', (node) => node.NodeClass],
  ['node.pool', (node) => node.NodePool],
]);

function own(values: Readonly<Record<string, string>> | null, name: string): string | null {
  return values !== null && Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** Returns why no node can have the value of a target; null if one can. */
export function targetProblem(target: string): string | null {
  if (!target.startsWith('${')) return null;
  const name = target.endsWith('}') ? target.slice(2, -1) : target.slice(2);
  if (nodeFields.has(name) || name.startsWith('attr.') || name.startsWith('meta.')) return null;
  const near = suggestName(name, [...nodeFields.keys()]);
  const hint = near === null ? '' : `: did you mean \${${near}}?`;
  return `${JSON.stringify(target.slice(0, 100))} is nothing that nodes have${hint}`;
}
