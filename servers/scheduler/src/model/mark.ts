/** Something that the cluster remembers and that no answer shows. */
export interface Mark {
  readonly Key: string;
  readonly CreateIndex: number;
  /** The index of the last write that made it. */
  readonly ModifyIndex: number;
}

export function createMark(Key: string, index: number): Mark {
  return { Key, CreateIndex: index, ModifyIndex: index };
}

/** Made by the first heartbeat of a node. A node without it came from a file: nothing is placed on it. */
export function heardKey(nodeId: string): string {
  return `heard ${nodeId}`;
}

/** Made when nodes of a computed class may have room or meet constraints that they did not before. */
export function capacityKey(computedClass: string): string {
  return `${capacityPrefix}${computedClass}`;
}

/** What the keys of all marks of capacity begin with. */
export const capacityPrefix = 'capacity ';

/**
 * Its index is the last one that came from a file. What was written up to it is shown and not acted on: evaluations are
 * not processed, deployments meet no deadline, periodic jobs are not launched.
 */
export const importedKey = 'imported';

/** Made with the first ACL token: there is only one that nobody had to allow. */
export const aclBootstrapKey = 'acl bootstrap';
