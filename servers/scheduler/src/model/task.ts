import { affinityShape, constraintShape } from './placement.js';
import { s, type Input, type Row } from './shape.js';

/** How often a failed task is started again. Durations are nanoseconds. */
export const restartPolicyShape = s.struct({
  Attempts: s.int,
  Interval: s.int,
  Delay: s.int,
  Mode: s.label,
  RenderTemplates: s.bool,
});

export const resourcesShape = s.struct({
  CPU: s.int,
  Cores: s.int,
  MemoryMB: s.int,
  MemoryMaxMB: s.int,
  DiskMB: s.int,
  IOPS: s.int,
  SecretsMB: s.int,
  Networks: s.list(s.any),
  Devices: s.list(
    s.struct({
      Name: s.label,
      Count: s.uint,
      Constraints: s.list(constraintShape),
      Affinities: s.list(affinityShape),
    }),
  ),
  NUMA: s.any,
});

export const logConfigShape = s.struct({ MaxFiles: s.int, MaxFileSizeMB: s.int, Disabled: s.bool });

/** One unit of work of a task group. Durations are nanoseconds. */
export const taskShape = s.struct({
  Name: s.string,
  Driver: s.label,
  User: s.label,
  Config: s.map(s.any),
  Env: s.map(s.string),
  Services: s.list(s.any),
  Secrets: s.list(s.any),
  Vault: s.any,
  Consul: s.any,
  Templates: s.list(s.any),
  Constraints: s.list(constraintShape),
  Affinities: s.list(affinityShape),
  Resources: s.nullable(resourcesShape),
  RestartPolicy: s.nullable(restartPolicyShape),
  DispatchPayload: s.nullable(s.struct({ File: s.string })),
  Lifecycle: s.nullable(s.struct({ Hook: s.label, Sidecar: s.bool })),
  Meta: s.map(s.string),
  KillTimeout: s.int,
  LogConfig: s.nullable(logConfigShape),
  Artifacts: s.list(s.any),
  Leader: s.bool,
  ShutdownDelay: s.int,
  VolumeMounts: s.list(s.any),
  ScalingPolicies: s.list(s.any),
  KillSignal: s.label,
  Kind: s.label,
  CSIPluginConfig: s.any,
  Identity: s.any,
  Identities: s.list(s.any),
  Actions: s.list(s.any),
  Schedule: s.any,
});

export type Task = Row<typeof taskShape>;
export type TaskInput = Input<typeof taskShape>;
