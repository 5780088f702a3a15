import { t } from 'tamis';
import { defineResource } from './resource.js';
import { jobOfRow } from './row-orders.js';
import { interned } from './row-type.js';

/**
 * The last due time of a periodic job and the previous one, in ms since 1970. It counts even if the launch was skipped because
 * the last one still runs. Stored separately because the child jobs may be deleted.
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
