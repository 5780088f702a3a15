import { t, type StructType } from 'tamis';
import { defineResource, type Resource } from './resource.js';
import type { Row } from './row-type.js';

/** A stored fact of the cluster that no response contains. Its index is that of the write that set it. */
const clusterFlagFields = { Key: t.string, CreateIndex: t.uint, ModifyIndex: t.uint };

export type ClusterFlag = Row<StructType<typeof clusterFlagFields>>;

function defineFlags(): Resource<ClusterFlag, never> {
  const shape = t.struct(clusterFlagFields);
  return defineResource({ shape, key: ({ Key }) => Key, idField: 'Key' });
}

/** The flags below. */
export const clusterFlags = defineFlags();

/** By the computed classes of nodes, when there last came to be more room on nodes of a class. */
export const classCapacityFlags = defineFlags();

/** By the IDs of nodes, when the allocations on a node last changed. */
export const nodeUsageFlags = defineFlags();

export function createFlag(Key: string, index: number): ClusterFlag {
  return { Key, CreateIndex: index, ModifyIndex: index };
}

/** The key of the flag made by the first heartbeat of a node. A node without it came from a file: nothing is placed on it. */
export function nodeRegisteredKey(nodeId: string): string {
  return `${nodeRegisteredPrefix}${nodeId}`;
}

/** The beginning of the keys of all these flags, as stores know it. */
export const nodeRegisteredPrefix = 'heard ';

/**
 * The key of the flag whose index is the last one that came from a file. What was written up to it is shown and not acted on: evaluations are
 * not processed, deployments meet no deadline, periodic jobs are not launched.
 */
export const importedKey = 'imported';

/** The key of the flag set with the first ACL token: only one token is created without authorization. */
export const aclBootstrapKey = 'acl bootstrap';
