import { t } from 'tamis';
import { affinityShape, constraintShape, spreadShape, updateShape } from './placement.js';
import { restartPolicyShape, taskShape } from './task.js';
import { interned, mebibytes, nanoseconds, type Input, type Row } from './row-type.js';

/** Whether and how a failed allocation is rescheduled. Durations are in ns. */
export const reschedulePolicyShape = t.struct({
  Attempts: t.int,
  Interval: nanoseconds,
  Delay: nanoseconds,
  DelayFunction: interned,
  MaxDelay: nanoseconds,
  Unlimited: t.bool,
});

/** The pace at which allocations leave a draining node. Durations are in ns. */
export const migrateShape = t.struct({
  MaxParallel: t.int,
  HealthCheck: interned,
  MinHealthyTime: nanoseconds,
  HealthyDeadline: nanoseconds,
});

const ephemeralDiskShape = t.struct({ Sticky: t.bool, SizeMB: mebibytes, Migrate: t.bool });

/** Bounds of a group's count, and the policy of an autoscaler. */
export const scalingShape = t.struct({
  ID: t.string,
  Type: interned,
  Min: t.int,
  Max: t.int,
  Enabled: t.bool,
  Policy: t.map(t.any),
});

/** Tasks that are placed together on one node, `Count` times. Durations are in ns, null if not given. */
export const taskGroupShape = t.struct({
  Name: t.string,
  Count: t.int,
  Update: t.nullable(updateShape),
  Migrate: t.nullable(migrateShape),
  Constraints: t.list(constraintShape),
  Scaling: t.nullable(scalingShape),
  RestartPolicy: t.nullable(restartPolicyShape),
  Disconnect: t.any,
  Tasks: t.list(taskShape),
  EphemeralDisk: t.nullable(ephemeralDiskShape),
  Meta: t.map(t.string),
  ReschedulePolicy: t.nullable(reschedulePolicyShape),
  Affinities: t.list(affinityShape),
  Spreads: t.list(spreadShape),
  Networks: t.list(t.any),
  Consul: t.any,
  Services: t.list(t.any),
  Volumes: t.map(t.any),
  ShutdownDelay: t.nullable(nanoseconds),
  MaxRunDuration: t.nullable(nanoseconds),
  StopAfterClientDisconnect: t.nullable(nanoseconds),
  MaxClientDisconnect: t.nullable(nanoseconds),
  PreventRescheduleOnLost: t.bool,
});

export type TaskGroup = Row<typeof taskGroupShape>;
export type TaskGroupInput = Input<typeof taskGroupShape>;
