import { t, type StructType } from 'tamis';
import { defineResource, type Resource } from './resource.js';
import type { Row } from './row-type.js';

/** A stored fact about the cluster that no response contains. Its index is the index of the write that set it. */
const clusterFlagFields = { Key: t.string, CreateIndex: t.uint, ModifyIndex: t.uint };

export type ClusterFlag = Row<StructType<typeof clusterFlagFields>>;

function defineFlags(): Resource<ClusterFlag, never> {
  const shape = t.struct(clusterFlagFields);
  return defineResource({ shape, key: ({ Key }) => Key, idField: 'Key' });
}

/** Flags of the cluster as a whole; their keys are declared below. */
export const clusterFlags = defineFlags();

/** Flags by computed node class, set when capacity of that class last increased. */
export const classCapacityFlags = defineFlags();

/** Flags by node ID, set when the allocations of a node last changed. */
export const nodeUsageFlags = defineFlags();

export function createFlag(Key: string, index: number): ClusterFlag {
  return { Key, CreateIndex: index, ModifyIndex: index };
}

/** Returns the key of the flag set by the first heartbeat of a node. A node without it was imported: nothing is placed on it. */
export function nodeRegisteredKey(nodeId: string): string {
  return `${nodeRegisteredPrefix}${nodeId}`;
}

/** Prefix of the keys of these flags, as stored. */
export const nodeRegisteredPrefix = 'heard ';

/**
 * Key of the flag with the last imported index. Imported rows are shown but not acted on: no evaluations, deployment deadlines or
 * periodic launches.
 */
export const importedKey = 'imported';

/** Key of the flag set with the first ACL token. Only one token can be created without authorization. */
export const aclBootstrapKey = 'acl bootstrap';
