import { auditCases } from './audit-cases.js';
import { bodyCases } from './body-cases.js';
import { clockCases } from './clock-cases.js';
import { etcdCases } from './etcd-cases.js';
import { figureCases } from './figure-cases.js';
import { lawCases } from './law-cases.js';
import { networkCases } from './network-cases.js';
import { serverCases } from './server-cases.js';
import type { ClusterCase } from './stage.js';
import { standbyCases } from './standby-cases.js';
import { startCases } from './start-cases.js';
import { storeCases } from './store-cases.js';

export const cases: readonly ClusterCase[] = [
  ...serverCases,
  ...etcdCases,
  ...networkCases,
  ...startCases,
  ...lawCases,
  ...standbyCases,
  ...clockCases,
  ...storeCases,
  ...figureCases,
  ...bodyCases,
  ...auditCases,
];
