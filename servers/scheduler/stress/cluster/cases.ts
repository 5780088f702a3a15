import { enduranceCases } from './endurance-cases.js';
import { etcdCases } from './etcd-cases.js';
import { eventCases } from './event-cases.js';
import { figureCases } from './figure-cases.js';
import { leaderCases } from './leader-cases.js';
import { networkCases } from './network-cases.js';
import { nodeCases } from './node-cases.js';
import { fillCases } from './fill-cases.js';
import { readCases } from './read-cases.js';
import type { ClusterCase } from './stage.js';
import { startCases } from './start-cases.js';

/** All cases, in the order of their numbers. */
export const clusterCases: readonly ClusterCase[] = [
  ...enduranceCases,
  ...etcdCases,
  ...eventCases,
  ...figureCases,
  ...leaderCases,
  ...networkCases,
  ...nodeCases,
  ...fillCases,
  ...readCases,
  ...startCases,
].sort((a, b) => a.number - b.number);
