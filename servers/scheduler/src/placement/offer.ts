import type {
  AllocatedPort,
  AllocatedResources,
  AllocatedTask,
  TaskLifecycle,
} from '../model/allocated-resources.js';
import type { NodeCapacity, NodeUsage } from '../model/node-capacity.js';
import type { Node } from '../model/node.js';
import type { TaskGroup } from '../model/task-group.js';

/** The demand of a task group, read from its row once for all nodes. */
export interface Demand {
  readonly tasks: readonly TaskDemand[];
  readonly disk: number;
  readonly networks: readonly NetworkDemand[];
}

interface TaskDemand {
  readonly name: string;
  readonly cpu: number;
  readonly cores: number;
  readonly memory: number;
  readonly memoryMax: number;
  readonly lifecycle: TaskLifecycle | null;
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

/** Most ports of one network. Stops a job from making every look at a node long. */
const maxPorts = 1_000;

export function demandOf(group: TaskGroup): Demand {
  const tasks = (group.Tasks ?? []).map(({ Name, Resources, Lifecycle }) => ({
    name: Name,
    cpu: amount(Resources?.CPU),
    cores: amount(Resources?.Cores),
    memory: amount(Resources?.MemoryMB),
    memoryMax: amount(Resources?.MemoryMaxMB),
    lifecycle: Lifecycle,
  }));
  const ofTasks = (group.Tasks ?? []).flatMap(({ Resources }) => Resources?.Networks ?? []);
  return {
    tasks,
    disk: amount(group.EphemeralDisk?.SizeMB),
    networks: [...(group.Networks ?? []), ...ofTasks].map(readNetwork),
  };
}

/** An amount of resources, 0 at least: nobody gives back room by asking for less than nothing. */
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

/**
 * The offer of a node to a demand, or the dimension that it lacks. CPU, memory and disk are for the caller to
 * compare.
 */
export type Offer =
  | { readonly kind: 'resources'; readonly resources: AllocatedResources }
  | { readonly kind: 'lacking'; readonly dimension: string };

/** Chooses cores and ports of a node for a demand. */
export function makeOffer(node: Node, capacity: NodeCapacity, usage: NodeUsage, demand: Demand): Offer {
  const ports = choosePorts(node, capacity, usage, demand);
  if (typeof ports === 'string') return { kind: 'lacking', dimension: ports };
  const wanted = demand.tasks.reduce((sum, { cores }) => sum + cores, 0);
  const free = wanted === 0 ? [] : capacity.cores.filter((core) => !usage.cores.has(core));
  if (free.length < wanted) return { kind: 'lacking', dimension: 'cores' };
  const tasks = demand.tasks.map(
    (task) => [task.name, taskResources(task, free.splice(0, task.cores), capacity)] as const,
  );
  const resources: AllocatedResources = {
    Tasks: Object.fromEntries(tasks),
    TaskLifecycles: Object.fromEntries(demand.tasks.map(({ name, lifecycle }) => [name, lifecycle])),
    Shared: {
      DiskMB: demand.disk,
      Networks: demand.networks.length === 0 ? null : describeNetworks(node, demand, ports),
      Ports: ports.length === 0 ? null : ports,
    },
  };
  return { kind: 'resources', resources };
}

function taskResources(task: TaskDemand, cores: readonly number[], capacity: NodeCapacity): AllocatedTask {
  return {
    Cpu: {
      CpuShares: cores.length > 0 ? cores.length * capacity.cpuPerCore : task.cpu,
      ReservedCores: cores.length > 0 ? cores : null,
    },
    Memory: { MemoryMB: task.memory, MemoryMaxMB: task.memoryMax },
    Networks: null,
    Devices: null,
  };
}

/** The ports of a demand on a node, or what stands in their way. */
function choosePorts(
  node: Node,
  capacity: NodeCapacity,
  usage: NodeUsage,
  { networks }: Demand,
): readonly AllocatedPort[] | string {
  const HostIP = addressOf(node);
  const chosen: AllocatedPort[] = [];
  const mine = new Set<number>();
  const isTaken = (port: number): boolean =>
    mine.has(port) || usage.ports.has(port) || capacity.reservedPorts.has(port);
  for (const { label, value, to } of networks.flatMap(({ fixed }) => fixed)) {
    if (isTaken(value)) return `network: reserved port collision ${label}=${value}`;
    mine.add(value);
    chosen.push({ Label: label, Value: value, To: to, HostIP });
  }
  let next = capacity.minDynamicPort;
  for (const { label, to } of networks.flatMap(({ dynamic }) => dynamic)) {
    while (next <= capacity.maxDynamicPort && isTaken(next)) next += 1;
    if (next > capacity.maxDynamicPort) return 'network: dynamic port selection failed';
    mine.add(next);
    chosen.push({ Label: label, Value: next, To: to === -1 ? next : to, HostIP });
  }
  return chosen;
}

function addressOf(node: Node): string {
  return node.Attributes?.['unique.network.ip-address'] ?? '';
}

function describeNetworks(
  node: Node,
  { networks }: Demand,
  ports: readonly AllocatedPort[],
): readonly object[] {
  const byLabel = new Map(ports.map((port) => [port.Label, port]));
  const show = (demands: readonly PortDemand[]): readonly object[] =>
    demands.map(({ label }) => {
      const port = byLabel.get(label);
      return { Label: label, Value: port?.Value ?? 0, To: port?.To ?? 0 };
    });
  return networks.map(({ mode, fixed, dynamic }) => ({
    Mode: mode,
    Device: '',
    IP: addressOf(node),
    ReservedPorts: show(fixed),
    DynamicPorts: show(dynamic),
  }));
}
