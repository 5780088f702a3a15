import type {
  AllocatedNetwork,
  AllocatedPort,
  AllocatedResources,
  AllocatedTask,
  TaskLifecycle,
} from '@tamis/scheduler-model/allocated-resources.js';
import type { NodeCapacity, NodeUsage } from '@tamis/scheduler-model/node-capacity.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';

/** The resources that a task group requires. They are computed once for all nodes. */
export interface Demand {
  readonly tasks: readonly TaskDemand[];
  readonly disk: number;
  /** The networks of the group. Networks of tasks are an older form; each belongs to its own task. */
  readonly networks: readonly NetworkDemand[];
}

interface TaskDemand {
  readonly name: string;
  readonly cpu: number;
  readonly cores: number;
  readonly memory: number;
  readonly memoryMax: number;
  readonly lifecycle: TaskLifecycle | null;
  readonly networks: readonly NetworkDemand[];
}

interface NetworkDemand {
  readonly mode: string;
  readonly fixed: readonly PortDemand[];
  readonly dynamic: readonly PortDemand[];
}

interface PortDemand {
  readonly label: string;
  readonly value: number;
  readonly to: number;
}

/**
 * Maximum number of fixed ports, and of dynamic ports, per network. Further ones are ignored, so that a job cannot make every
 * check of a node slow.
 */
const maxPorts = 1_000;

export function demandOf(group: TaskGroup): Demand {
  const tasks = (group.Tasks ?? []).map(({ Name, Resources, Lifecycle }) => ({
    name: Name,
    cpu: amount(Resources?.CPU),
    cores: amount(Resources?.Cores),
    memory: amount(Resources?.MemoryMB),
    memoryMax: amount(Resources?.MemoryMaxMB),
    lifecycle: Lifecycle,
    networks: (Resources?.Networks ?? []).map(readNetwork),
  }));
  return {
    tasks,
    disk: amount(group.EphemeralDisk?.SizeMB),
    networks: (group.Networks ?? []).map(readNetwork),
  };
}

/** Returns an amount of resources that is at least 0, because a negative demand must not free capacity. */
function amount(given: number | bigint | undefined): number {
  return Math.max(0, Number(given ?? 0));
}

function readNetwork(given: unknown): NetworkDemand {
  const network = isRecord(given) ? given : {};
  const mode = network['Mode'];
  return {
    mode: typeof mode === 'string' && mode !== '' ? mode : 'host',
    fixed: readPortDemands(network['ReservedPorts']).filter(({ value }) => value > 0),
    dynamic: readPortDemands(network['DynamicPorts']),
  };
}

function readPortDemands(list: unknown): PortDemand[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, maxPorts)
    .filter(isRecord)
    .map((port) => ({
      label: typeof port['Label'] === 'string' ? port['Label'] : '',
      value: Number(port['Value'] ?? 0) || 0,
      to: Number(port['To'] ?? 0) || 0,
    }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The resources that a node offers, or the resource that it lacks. The caller checks CPU, memory and disk. */
export type Offer =
  | { readonly kind: 'resources'; readonly resources: AllocatedResources }
  | { readonly kind: 'lacking'; readonly dimension: string };

/** Selects cores and ports of a node for a demand. */
export function makeOffer(node: Node, capacity: NodeCapacity, usage: NodeUsage, demand: Demand): Offer {
  const ports = choosePorts(node, capacity, usage, demand);
  if (typeof ports === 'string') return { kind: 'lacking', dimension: ports };
  const required = demand.tasks.reduce((sum, { cores }) => sum + cores, 0);
  const free = required === 0 ? [] : capacity.cores.filter((core) => !usage.cores.has(core));
  if (free.length < required) return { kind: 'lacking', dimension: 'cores' };
  const describe = (networks: readonly NetworkDemand[]): readonly AllocatedNetwork[] | null =>
    networks.length === 0 ? null : networks.map((network) => describeNetwork(node, network, ports));
  const tasks = demand.tasks.map((task) => {
    const given = {
      ...taskResources(task, free.splice(0, task.cores), capacity),
      Networks: describe(task.networks),
    };
    return [task.name, given] as const;
  });
  const shared = demand.networks.flatMap((network) => ports.get(network) ?? []);
  const resources: AllocatedResources = {
    Tasks: Object.fromEntries(tasks),
    TaskLifecycles: Object.fromEntries(demand.tasks.map(({ name, lifecycle }) => [name, lifecycle])),
    Shared: {
      DiskMB: demand.disk,
      Networks: describe(demand.networks),
      Ports: shared.length === 0 ? null : shared,
    },
  };
  return { kind: 'resources', resources };
}

function taskResources(
  task: TaskDemand,
  cores: readonly number[],
  capacity: NodeCapacity,
): Omit<AllocatedTask, 'Networks'> {
  return {
    Cpu: {
      CpuShares: cores.length > 0 ? cores.length * capacity.cpuPerCore : task.cpu,
      ReservedCores: cores.length > 0 ? cores : null,
    },
    Memory: { MemoryMB: task.memory, MemoryMaxMB: task.memoryMax },
    Devices: null,
  };
}

/** The ports of each network, fixed ones first. Labels are unique only within a network. */
type ChosenPorts = ReadonlyMap<NetworkDemand, readonly AllocatedPort[]>;

/** Returns the ports of a demand on a node, or why they are unavailable. */
function choosePorts(
  node: Node,
  capacity: NodeCapacity,
  usage: NodeUsage,
  { networks: ofGroup, tasks }: Demand,
): ChosenPorts | string {
  const HostIP = addressOf(node);
  const networks = [...ofGroup, ...tasks.flatMap((task) => task.networks)];
  const chosen = new Map(networks.map((network) => [network, [] as AllocatedPort[]]));
  const mine = new Set<number>();
  const isTaken = (port: number): boolean =>
    mine.has(port) || usage.ports.has(port) || capacity.reservedPorts.has(port);
  for (const [network, ports] of chosen) {
    for (const { label, value, to } of network.fixed) {
      if (isTaken(value)) return `network: reserved port collision ${label}=${value}`;
      mine.add(value);
      ports.push({ Label: label, Value: value, To: to, HostIP });
    }
  }
  let next = capacity.minDynamicPort;
  for (const [network, ports] of chosen) {
    for (const { label, to } of network.dynamic) {
      while (next <= capacity.maxDynamicPort && isTaken(next)) next += 1;
      if (next > capacity.maxDynamicPort) return 'network: dynamic port selection failed';
      mine.add(next);
      ports.push({ Label: label, Value: next, To: to === -1 ? next : to, HostIP });
    }
  }
  return chosen;
}

function addressOf(node: Node): string {
  return node.Attributes?.['unique.network.ip-address'] ?? '';
}

function describeNetwork(node: Node, network: NetworkDemand, chosen: ChosenPorts): AllocatedNetwork {
  const ports = (chosen.get(network) ?? []).map(({ Label, Value, To }) => ({ Label, Value, To }));
  return {
    Mode: network.mode,
    Device: '',
    IP: addressOf(node),
    ReservedPorts: ports.slice(0, network.fixed.length),
    DynamicPorts: ports.slice(network.fixed.length),
  };
}
