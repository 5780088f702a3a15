import { t } from 'tamis';
import { defineResource } from './resource.js';
import { jobOfRow } from './row-orders.js';
import { interned } from './row-type.js';

/**
 * The last due time of a periodic job for which it was launched, or was not because its last launch still runs, and the one before
 * it. Milliseconds since 1970. Stored next to the job, because its children may have been deleted.
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
