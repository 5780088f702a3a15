import { t } from 'tamis';
import { affinityShape, constraintShape } from './placement.js';
import { interned, mebibytes, nanoseconds, type Input, type Row } from './row-type.js';

/** Limits for restarting a failed task. Durations are in ns. */
export const restartPolicyShape = t.struct({
  Attempts: t.int,
  Interval: nanoseconds,
  Delay: nanoseconds,
  Mode: interned,
  RenderTemplates: t.bool,
});

export const resourcesShape = t.struct({
  CPU: t.int,
  Cores: t.int,
  MemoryMB: mebibytes,
  MemoryMaxMB: mebibytes,
  DiskMB: mebibytes,
  IOPS: t.int,
  SecretsMB: mebibytes,
  Networks: t.list(t.any),
  Devices: t.list(
    t.struct({
      Name: interned,
      Count: t.uint,
      Constraints: t.list(constraintShape),
      Affinities: t.list(affinityShape),
    }),
  ),
  NUMA: t.any,
});

const logConfigShape = t.struct({ MaxFiles: t.int, MaxFileSizeMB: mebibytes, Disabled: t.bool });

/** One unit of work of a task group. Durations are in ns. */
export const taskShape = t.struct({
  Name: t.string,
  Driver: interned,
  User: interned,
  Config: t.map(t.any),
  Env: t.map(t.string),
  Services: t.list(t.any),
  Secrets: t.list(t.any),
  Vault: t.any,
  Consul: t.any,
  Templates: t.list(t.any),
  Constraints: t.list(constraintShape),
  Affinities: t.list(affinityShape),
  Resources: t.nullable(resourcesShape),
  RestartPolicy: t.nullable(restartPolicyShape),
  DispatchPayload: t.nullable(t.struct({ File: t.string })),
  Lifecycle: t.nullable(t.struct({ Hook: interned, Sidecar: t.bool })),
  Meta: t.map(t.string),
  KillTimeout: nanoseconds,
  LogConfig: t.nullable(logConfigShape),
  Artifacts: t.list(t.any),
  Leader: t.bool,
  ShutdownDelay: nanoseconds,
  VolumeMounts: t.list(t.any),
  ScalingPolicies: t.list(t.any),
  KillSignal: interned,
  Kind: interned,
  CSIPluginConfig: t.any,
  Identity: t.any,
  Identities: t.list(t.any),
  Actions: t.list(t.any),
  Schedule: t.any,
});

export type Task = Row<typeof taskShape>;
export type TaskInput = Input<typeof taskShape>;
