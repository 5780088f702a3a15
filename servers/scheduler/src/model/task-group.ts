import { affinityShape, constraintShape, spreadShape, updateShape } from './placement.js';
import { s, type Input, type Row } from './shape.js';
import { restartPolicyShape, taskShape } from './task.js';

/** Whether and how a failed allocation is placed again. Durations are nanoseconds. */
export const reschedulePolicyShape = s.struct({
  Attempts: s.int,
  Interval: s.int,
  Delay: s.int,
  DelayFunction: s.label,
  MaxDelay: s.int,
  Unlimited: s.bool,
});

/** How allocations leave a draining node. Durations are nanoseconds. */
export const migrateShape = s.struct({
  MaxParallel: s.int,
  HealthCheck: s.label,
  MinHealthyTime: s.int,
  HealthyDeadline: s.int,
});

export const ephemeralDiskShape = s.struct({ Sticky: s.bool, SizeMB: s.int, Migrate: s.bool });

/** The bounds of a group's count, and what an autoscaler would do within them. */
export const scalingShape = s.struct({
  ID: s.string,
  Type: s.label,
  Min: s.int,
  Max: s.int,
  Enabled: s.bool,
  Policy: s.map(s.any),
});

/** Tasks that are placed together on one node, `Count` times. Durations are nanoseconds, null where none was given. */
export const taskGroupShape = s.struct({
  Name: s.string,
  Count: s.int,
  Update: s.nullable(updateShape),
  Migrate: s.nullable(migrateShape),
  Constraints: s.list(constraintShape),
  Scaling: s.nullable(scalingShape),
  RestartPolicy: s.nullable(restartPolicyShape),
  Disconnect: s.any,
  Tasks: s.list(taskShape),
  EphemeralDisk: s.nullable(ephemeralDiskShape),
  Meta: s.map(s.string),
  ReschedulePolicy: s.nullable(reschedulePolicyShape),
  Affinities: s.list(affinityShape),
  Spreads: s.list(spreadShape),
  Networks: s.list(s.any),
  Consul: s.any,
  Services: s.list(s.any),
  Volumes: s.map(s.any),
  ShutdownDelay: s.nullable(s.int),
  MaxRunDuration: s.nullable(s.int),
  StopAfterClientDisconnect: s.nullable(s.int),
  MaxClientDisconnect: s.nullable(s.int),
  PreventRescheduleOnLost: s.bool,
});

export type TaskGroup = Row<typeof taskGroupShape>;
export type TaskGroupInput = Input<typeof taskGroupShape>;
