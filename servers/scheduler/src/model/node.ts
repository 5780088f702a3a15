import { defineResource } from './resource.js';
import { s, type Input, type Row } from './shape.js';

/** A machine that runs tasks, in full. `StatusUpdatedAt` counts seconds, durations are nanoseconds. */
export const nodeShape = s.struct({
  ID: s.string,
  SecretID: s.hidden(s.string),
  Datacenter: s.label,
  Name: s.string,
  CgroupParent: s.label,
  HTTPAddr: s.string,
  TLSEnabled: s.bool,
  Attributes: s.map(s.label),
  NodeResources: s.nullable(
    s.struct({
      Cpu: s.struct({ CpuShares: s.int, TotalCpuCores: s.uint, ReservableCpuCores: s.list(s.uint) }),
      Processors: s.any,
      Memory: s.struct({ MemoryMB: s.int }),
      Disk: s.struct({ DiskMB: s.int }),
      Devices: s.list(s.any),
      NodeNetworks: s.list(s.any),
      Networks: s.list(s.any),
      MinDynamicPort: s.int,
      MaxDynamicPort: s.int,
    }),
  ),
  ReservedResources: s.nullable(
    s.struct({
      Cpu: s.struct({ CpuShares: s.int, ReservedCpuCores: s.list(s.uint) }),
      Memory: s.struct({ MemoryMB: s.int }),
      Disk: s.struct({ DiskMB: s.int }),
      Networks: s.struct({ ReservedHostPorts: s.string }),
    }),
  ),
  Links: s.map(s.string),
  Meta: s.map(s.label),
  NodeClass: s.label,
  NodePool: s.label,
  ComputedClass: s.string,
  DrainStrategy: s.nullable(
    s.struct({ Deadline: s.int, IgnoreSystemJobs: s.bool, ForceDeadline: s.time, StartedAt: s.time }),
  ),
  SchedulingEligibility: s.label,
  Status: s.label,
  StatusDescription: s.label,
  StatusUpdatedAt: s.int,
  Events: s.list(
    s.struct({
      Message: s.label,
      Subsystem: s.label,
      Details: s.map(s.string),
      Timestamp: s.time,
      CreateIndex: s.uint,
    }),
  ),
  Drivers: s.map(
    s.nullable(
      s.struct({
        Attributes: s.map(s.label),
        Detected: s.bool,
        Healthy: s.bool,
        HealthDescription: s.label,
        UpdateTime: s.time,
      }),
    ),
  ),
  CSIControllerPlugins: s.map(s.any),
  CSINodePlugins: s.map(s.any),
  HostVolumes: s.map(s.nullable(s.struct({ Name: s.label, Path: s.string, ReadOnly: s.bool, ID: s.string }))),
  GCVolumesOnNodeGC: s.bool,
  HostNetworks: s.map(s.any),
  LastDrain: s.nullable(
    s.struct({
      StartedAt: s.time,
      UpdatedAt: s.time,
      Status: s.label,
      AccessorID: s.string,
      Meta: s.map(s.string),
    }),
  ),
  NodeMaxAllocs: s.int,
  IdentitySigningKeyID: s.string,
  LastMissedHeartbeatIndex: s.uint,
  LastAllocUpdateIndex: s.uint,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
});

export type Node = Row<typeof nodeShape>;
export type NodeInput = Input<typeof nodeShape>;

/** Which parts of a node the list adds on request. */
export interface NodeStubFields {
  readonly resources: boolean;
  readonly os: boolean;
}

/** What the node list shows of a node; the last three fields only on request. */
export interface NodeStub {
  readonly Address: string;
  readonly ID: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly Datacenter: string;
  readonly Name: string;
  readonly NodePool: string;
  readonly NodeClass: string;
  readonly Version: string;
  readonly Drain: boolean;
  readonly SchedulingEligibility: string;
  readonly Status: string;
  readonly StatusDescription: string;
  readonly Drivers: Node['Drivers'];
  readonly HostVolumes: Node['HostVolumes'];
  readonly NodeResources?: Node['NodeResources'];
  readonly ReservedResources?: Node['ReservedResources'];
  readonly LastDrain: Node['LastDrain'];
  readonly CreateIndex: Node['CreateIndex'];
  readonly ModifyIndex: Node['ModifyIndex'];
}

export function nodeStub(node: Node, fields: NodeStubFields): NodeStub {
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

/** A node as the single read shows it: without its secret, and with the drain as a word. */
export function publicNode(node: Node): Node & { readonly Drain: boolean } {
  return { ...node, SecretID: '', Drain: node.DrainStrategy !== null };
}

export const nodes = defineResource({
  name: 'Node',
  shape: nodeShape,
  key: ({ ID }) => ID,
  idField: 'ID',
  values: ['Status', 'Datacenter', 'NodeClass', 'NodePool', 'SchedulingEligibility'],
  exported: { list: '/v1/nodes', object: '/v1/node/' },
  views: {
    Node: { show: publicNode },
    NodeListStub: { show: (node) => nodeStub(node, { resources: true, os: true }) },
  },
});

function attribute(node: Node, name: string): string {
  const attributes = node.Attributes;
  return attributes !== null && Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '';
}

/** The host of `host:port`, IPv6 addresses without their brackets; the whole text when there is no port. */
function hostOf(address: string): string {
  const match = /^(?:\[(.*)\]|([^:]*)):\d+$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}
