import type { Claim } from './allocated-resources.js';
import type { Node } from './node.js';

/** The capacity of a node. CPU in MHz, memory and disk in MB. */
export interface NodeCapacity {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  /** Numbers of the cores that can be reserved as a whole. */
  readonly cores: readonly number[];
  /** CPU per core, in MHz. */
  readonly cpuPerCore: number;
  /** Ports that the machine itself uses. */
  readonly reservedPorts: ReadonlySet<number>;
  readonly minDynamicPort: number;
  readonly maxDynamicPort: number;
  /** Maximum number of concurrent allocations; 0 for no limit. */
  readonly maxAllocations: number;
}

/** Cached by row, because rows are immutable. */
const capacities = new WeakMap<Node, NodeCapacity>();

export function capacityOf(node: Node): NodeCapacity {
  let capacity = capacities.get(node);
  if (capacity === undefined) capacities.set(node, (capacity = readCapacity(node)));
  return capacity;
}

function readCapacity({
  NodeResources: given,
  ReservedResources: reserved,
  NodeMaxAllocs,
}: Node): NodeCapacity {
  const cpu = Number(given?.Cpu.CpuShares ?? 0);
  const totalCores = Number(given?.Cpu.TotalCpuCores ?? 0);
  const cached = new Set((reserved?.Cpu.ReservedCpuCores ?? []).map(Number));
  const reservable = given?.Cpu.ReservableCpuCores?.map(Number) ?? countTo(totalCores);
  return {
    cpu: cpu - Number(reserved?.Cpu.CpuShares ?? 0),
    memory: Number(given?.Memory.MemoryMB ?? 0) - Number(reserved?.Memory.MemoryMB ?? 0),
    disk: Number(given?.Disk.DiskMB ?? 0) - Number(reserved?.Disk.DiskMB ?? 0),
    cores: reservable.filter((core) => !cached.has(core)),
    cpuPerCore: totalCores > 0 ? Math.floor(cpu / totalCores) : 0,
    reservedPorts: readPorts(reserved?.Networks.ReservedHostPorts ?? ''),
    minDynamicPort: Math.max(Number(given?.MinDynamicPort ?? 0) || 20_000, 1),
    maxDynamicPort: Math.min(Number(given?.MaxDynamicPort ?? 0) || 32_000, 65_535),
    maxAllocations: Number(NodeMaxAllocs),
  };
}

/** Maximum number of cores counted. Prevents a node that claims 2^60 cores from filling the memory. */
const maxCores = 4_096;

function countTo(count: number): number[] {
  return Array.from({ length: Math.min(Math.max(0, count), maxCores) }, (_, at) => at);
}

const maxPort = 65_535;

/**
 * Parses ports such as `22,80,8000-8010`. Malformed parts are skipped. Ranges are recorded by their start and expanded once, so
 * repeated ranges cost nothing extra.
 */
function readPorts(text: string): ReadonlySet<number> {
  const lastFrom = new Map<number, number>();
  for (const part of text.split(',')) {
    const [, from = '', to = from] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    if (from === '') continue;
    const first = Number(from);
    lastFrom.set(first, Math.max(lastFrom.get(first) ?? 0, Math.min(Number(to), maxPort)));
  }
  const ports = new Set<number>();
  let next = 0;
  for (const [first, last] of [...lastFrom].sort(([a], [b]) => a - b)) {
    for (next = Math.max(next, first); next <= last; next += 1) ports.add(next);
  }
  return ports;
}

/** The used resources of a node. It changes while a plan is made. */
export interface NodeUsage {
  cpu: number;
  memory: number;
  disk: number;
  allocations: number;
  readonly cores: Set<number>;
  readonly ports: Set<number>;
}

export function usageOf(claims: Iterable<Claim>): NodeUsage {
  const usage = {
    cpu: 0,
    memory: 0,
    disk: 0,
    allocations: 0,
    cores: new Set<number>(),
    ports: new Set<number>(),
  };
  for (const claim of claims) take(usage, claim);
  return usage;
}

export function copyUsage(usage: NodeUsage): NodeUsage {
  return { ...usage, cores: new Set(usage.cores), ports: new Set(usage.ports) };
}

export function take(usage: NodeUsage, { cpu, memory, disk, cores, ports }: Claim): void {
  usage.cpu += cpu;
  usage.memory += memory;
  usage.disk += disk;
  usage.allocations += 1;
  for (const core of cores) usage.cores.add(core);
  for (const port of ports) usage.ports.add(port);
}

export function giveBack(usage: NodeUsage, { cpu, memory, disk, cores, ports }: Claim): void {
  usage.cpu -= cpu;
  usage.memory -= memory;
  usage.disk -= disk;
  usage.allocations -= 1;
  for (const core of cores) usage.cores.delete(core);
  for (const port of ports) usage.ports.delete(port);
}

/** Returns the resource that a node lacks for an additional claim; null if the claim fits. */
export function lacking(capacity: NodeCapacity, usage: NodeUsage, claim: Claim): string | null {
  if (capacity.maxAllocations > 0 && usage.allocations >= capacity.maxAllocations) return 'max allocations';
  if (usage.cpu + claim.cpu > capacity.cpu) return 'cpu';
  if (usage.memory + claim.memory > capacity.memory) return 'memory';
  if (usage.disk + claim.disk > capacity.disk) return 'disk';
  if (claim.cores.some((core) => usage.cores.has(core) || !capacity.cores.includes(core))) return 'cores';
  const taken = claim.ports.find((port) => usage.ports.has(port) || capacity.reservedPorts.has(port));
  return taken === undefined ? null : `network: reserved port collision ${taken}`;
}
