import type { Engine } from '../engine.js';
import type { RowKind } from './rows.js';

type Schema = ReturnType<Engine['defineSchema']>;

/** The schemas of the rows, as a server declares them. */
export function createSchemas({ defineSchema, t }: Engine): Readonly<Record<RowKind, Schema>> {
  return { jobs: defineSchema(jobFields(t)), nodes: defineSchema(nodeFields(t)) };
}

/** The schema of the events, with kinds that only the standard dialect knows. */
export function createEventSchema({ defineSchema, t }: Engine): ReturnType<Engine['defineSchema']> {
  return defineSchema({
    Title: t.string,
    Outcome: t.string,
    Zone: t.string,
    Weight: t.int,
    Quota: t.int,
    Owner: t.string,
    ColumnCache: t.string,
    Labels: t.list(t.string),
    Begun: t.time,
    Seen: t.time('ns'),
    Steps: t.list(
      t.struct({
        ...{ Name: t.string, Next: t.string, Code: t.string, Limit: t.string },
        ...{ Begun: t.time, Due: t.time },
      }),
    ),
  });
}

function jobFields(t: Engine['t']): Parameters<Engine['defineSchema']>[0] {
  const task = t.struct({ Name: t.string, Driver: t.string, Config: t.map(t.any), Meta: t.map(t.string) });
  const group = t.struct({ Name: t.string, Count: t.int, Tasks: t.list(t.nullable(task)) });
  return {
    ID: t.string,
    ParentID: t.string,
    Name: t.string,
    Namespace: t.string,
    Region: t.string,
    Type: t.string,
    Priority: t.int,
    Status: t.string,
    StatusDescription: t.string,
    Stop: t.bool,
    Periodic: t.bool,
    ParameterizedJob: t.bool,
    Datacenters: t.list(t.string),
    Multiregion: t.any,
    Meta: t.map(t.string),
    TaskGroups: t.list(t.nullable(group)),
    JobSummary: t.struct({
      JobID: t.string,
      Namespace: t.string,
      Summary: t.map(t.any),
      Children: t.struct({ Pending: t.int, Running: t.int, Dead: t.int }),
      CreateIndex: t.uint,
      ModifyIndex: t.uint,
    }),
    SubmitTime: t.int,
    CreateIndex: t.uint,
    ModifyIndex: t.uint,
    JobModifyIndex: t.uint,
  };
}

function nodeFields(t: Engine['t']): Parameters<Engine['defineSchema']>[0] {
  return {
    ID: t.string,
    Name: t.string,
    Datacenter: t.string,
    NodeClass: t.string,
    NodePool: t.string,
    HTTPAddr: t.string,
    Drain: t.bool,
    SchedulingEligibility: t.string,
    Status: t.string,
    CPUTemp: t.float64,
    CPUTemp32: t.float32,
    Attributes: t.map(t.string),
    Meta: t.map(t.string),
    NodeResources: t.struct({
      Cpu: t.struct({ Arch: t.string, CpuShares: t.int, TotalCpuCores: t.uint }),
      Memory: t.struct({ MemoryMB: t.int }),
      Disk: t.struct({ DiskMB: t.int }),
    }),
    Drivers: t.any,
    CreateIndex: t.uint,
    ModifyIndex: t.uint,
  };
}
