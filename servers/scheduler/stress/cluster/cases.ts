import { leaderCases } from './leader-cases.js';
import type { ClusterCase } from './stage.js';

/** All cases, in the order of their numbers. */
export const clusterCases: readonly ClusterCase[] = [...leaderCases].sort((a, b) => a.number - b.number);
