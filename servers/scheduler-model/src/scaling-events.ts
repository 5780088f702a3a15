import { t } from 'tamis';
import { defineResource } from './resource.js';
import { jobOfRow } from './row-orders.js';
import { interned, nanosecondTime, type Row } from './row-type.js';

/** A scaling request for a group and its outcome: a new count, or only a message such as an error. */
export const scalingEventShape = t.struct({
  Time: nanosecondTime,
  Count: t.nullable(t.int),
  PreviousCount: t.int,
  Error: t.bool,
  Message: t.string,
  Meta: t.map(t.any),
  /** Null if there is no evaluation. */
  EvalID: t.nullable(t.string),
  CreateIndex: t.uint,
});

/** The scaling events of a job by group, newest first. Stored next to the job. */
const scalingEventsShape = t.struct({
  Namespace: interned,
  JobID: t.string,
  Events: t.map(t.list(scalingEventShape)),
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type ScalingEvent = Row<typeof scalingEventShape>;
export type ScalingEvents = Row<typeof scalingEventsShape>;

/** Maximum number of events kept per group. */
export const maxScalingEvents = 20;

export const scalingEvents = defineResource({
  shape: scalingEventsShape,
  key: jobOfRow,
  idField: 'JobID',
});
