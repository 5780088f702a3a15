import { etcdCases } from './etcd-cases.js';
import { leaderCases } from './leader-cases.js';
import { readCases } from './read-cases.js';
import type { ClusterCase } from './stage.js';

/** All cases, in the order of their numbers. */
export const clusterCases: readonly ClusterCase[] = [...etcdCases, ...leaderCases, ...readCases].sort(
  (a, b) => a.number - b.number,
);
