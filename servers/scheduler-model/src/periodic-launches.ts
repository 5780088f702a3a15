import { t } from 'tamis';
import { defineResource } from './resource.js';
import { jobOfRow } from './row-orders.js';
import { interned } from './row-type.js';

/**
 * `Due`: when a periodic job was last due. `Previous`: the due time before that, or when the job was submitted. Both are in ms
 * since 1970. A due time is recorded even if its launch is skipped because the previous launch still runs. Stored separately
 * because the child jobs may be deleted.
 */
export const periodicLaunches = defineResource({
  shape: t.struct({
    Namespace: interned,
    JobID: t.string,
    Due: t.int,
    Previous: t.int,
    CreateIndex: t.uint,
    ModifyIndex: t.uint,
  }),
  key: jobOfRow,
  idField: 'JobID',
});
