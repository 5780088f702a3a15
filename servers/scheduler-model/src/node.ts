import { t } from 'tamis';
import { defineResource } from './resource.js';
import { interned, instant, mebibytes, type Input, type Row } from './row-type.js';

/** A machine that runs tasks, in full. `StatusUpdatedAt` is in seconds, durations are in ns. */
export const nodeShape = t.struct({
  ID: t.string,
  SecretID: t.hidden(t.string),
  Datacenter: interned,
  Name: t.string,
  CgroupParent: interned,
  HTTPAddr: t.string,
  TLSEnabled: t.bool,
  Attributes: t.map(interned),
  NodeResources: t.nullable(
    t.struct({
      Cpu: t.struct({ CpuShares: t.int, TotalCpuCores: t.uint, ReservableCpuCores: t.list(t.uint) }),
      Processors: t.any,
      Memory: t.struct({ MemoryMB: mebibytes }),
      Disk: t.struct({ DiskMB: mebibytes }),
      Devices: t.list(t.any),
      NodeNetworks: t.list(t.any),
      Networks: t.list(t.any),
      MinDynamicPort: t.int,
      MaxDynamicPort: t.int,
    }),
  ),
  ReservedResources: t.nullable(
    t.struct({
      Cpu: t.struct({ CpuShares: t.int, ReservedCpuCores: t.list(t.uint) }),
      Memory: t.struct({ MemoryMB: mebibytes }),
      Disk: t.struct({ DiskMB: mebibytes }),
      Networks: t.struct({ ReservedHostPorts: t.string }),
    }),
  ),
  Links: t.map(t.string),
  Meta: t.map(interned),
  NodeClass: interned,
  NodePool: interned,
  ComputedClass: t.string,
  DrainStrategy: t.nullable(
    t.struct({ Deadline: t.int, IgnoreSystemJobs: t.bool, ForceDeadline: instant, StartedAt: instant }),
  ),
  SchedulingEligibility: interned,
  Status: interned,
  StatusDescription: interned,
  StatusUpdatedAt: t.int,
  Events: t.list(
    t.struct({
      Message: interned,
      Subsystem: interned,
      Details: t.map(t.string),
      Timestamp: instant,
      CreateIndex: t.uint,
    }),
  ),
  Drivers: t.map(
    t.nullable(
      t.struct({
        Attributes: t.map(interned),
        Detected: t.bool,
        Healthy: t.bool,
        HealthDescription: interned,
        UpdateTime: instant,
      }),
    ),
  ),
  CSIControllerPlugins: t.map(t.any),
  CSINodePlugins: t.map(t.any),
  HostVolumes: t.map(
    t.nullable(t.struct({ Name: interned, Path: t.string, ReadOnly: t.bool, ID: t.string })),
  ),
  GCVolumesOnNodeGC: t.bool,
  HostNetworks: t.map(t.any),
  LastDrain: t.nullable(
    t.struct({
      StartedAt: instant,
      UpdatedAt: instant,
      Status: interned,
      AccessorID: t.string,
      Meta: t.map(t.string),
    }),
  ),
  NodeMaxAllocs: t.int,
  IdentitySigningKeyID: t.string,
  LastMissedHeartbeatIndex: t.uint,
  LastAllocUpdateIndex: t.uint,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type Node = Row<typeof nodeShape>;
export type NodeInput = Input<typeof nodeShape>;

/** The optional fields of a node in lists. */
export interface NodeStubFields {
  readonly resources: boolean;
  readonly os: boolean;
}

/** Returns a node as lists show it. `Attributes`, `NodeResources` and `ReservedResources` are included only on request. */
export function nodeStub(node: Node, fields: NodeStubFields) {
  return {
    Address: hostOf(node.HTTPAddr),
    ID: node.ID,
    ...(fields.os ? { Attributes: { 'os.name': attribute(node, 'os.name') } } : {}),
    Datacenter: node.Datacenter,
    Name: node.Name,
    NodePool: node.NodePool,
    NodeClass: node.NodeClass,
    Version: attribute(node, 'scheduler.version') || attribute(node, 'nomad.version'),
    Drain: node.DrainStrategy !== null,
    SchedulingEligibility: node.SchedulingEligibility,
    Status: node.Status,
    StatusDescription: node.StatusDescription,
    Drivers: node.Drivers,
    HostVolumes: node.HostVolumes,
    ...(fields.resources
      ? { NodeResources: node.NodeResources, ReservedResources: node.ReservedResources }
      : {}),
    LastDrain: node.LastDrain,
    CreateIndex: node.CreateIndex,
    ModifyIndex: node.ModifyIndex,
  };
}

export type NodeStub = Readonly<ReturnType<typeof nodeStub>>;

/** Returns a node as the single read shows it: without its secret, with the drain as a boolean. */
export function publicNode(node: Node): Node & { readonly Drain: boolean } {
  return { ...withoutSecret(node), Drain: node.DrainStrategy !== null };
}

function withoutSecret(node: Node): Node {
  return { ...node, SecretID: '' };
}

export const nodes = defineResource({
  name: 'Node',
  shape: nodeShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  listField: 'ID',
  values: ['Status', 'Datacenter', 'NodeClass', 'NodePool', 'SchedulingEligibility'],
  ranges: ['CreateIndex', 'ModifyIndex'],
  sorts: [
    'ID',
    'Name',
    'Status',
    'Datacenter',
    'NodeClass',
    'NodePool',
    'SchedulingEligibility',
    'CreateIndex',
    'ModifyIndex',
  ],
  exported: { withoutSecrets: withoutSecret },
  views: {
    Node: { project: publicNode },
    NodeListStub: { project: (node) => nodeStub(node, { resources: true, os: true }) },
  },
});

function attribute(node: Node, name: string): string {
  const attributes = node.Attributes;
  return attributes !== null && Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '';
}

/** Returns the host of `host:port`, IPv6 without brackets; the whole string if there is no port. */
function hostOf(address: string): string {
  const match = /^(?:\[(.*)\]|([^:]*)):\d+$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}
