import { etcdCases } from './etcd-cases.js';
import { serverCases } from './server-cases.js';
import type { ClusterCase } from './stage.js';

export const cases: readonly ClusterCase[] = [...serverCases, ...etcdCases];
