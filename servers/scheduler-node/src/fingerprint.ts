import { cpus } from 'node:os';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import type { NodeInput } from '@tamis/scheduler-model/node.js';
import type { TaskDriver } from './driver.js';
import type { NodeIdentity } from './node-identity.js';
import type { NodeFacts } from './task-environment.js';

/** Settings of a node from the configuration. */
export interface NodeSettings extends Pick<NodeFacts, 'name' | 'datacenter' | 'nodeClass' | 'meta'> {
  readonly nodePool: string;
  /** Range of ports for tasks without fixed ports. */
  readonly minDynamicPort: number;
  readonly maxDynamicPort: number;
  /** `host:port` of the HTTP listener. */
  readonly httpAddress: string;
  readonly tls: boolean;
  readonly version: string;
  /** Directory for files of allocations. */
  readonly directory: string;
}

export interface FingerprintDependencies {
  readonly machine: Machine;
  readonly drivers: Iterable<TaskDriver>;
  /** Returns ms since 1970. */
  readonly now: number;
}

/** Assumed processor speed in MHz if the system does not report it. */
const unknownClock = 1_000;

/** Describes this machine as a ready node. */
export async function describeNode(
  identity: NodeIdentity,
  settings: NodeSettings,
  { machine, drivers, now }: FingerprintDependencies,
): Promise<NodeInput> {
  const processors = cpus();
  const clockSpeed = processors[0]?.speed || unknownClock;
  const disk = await machine.diskSize(settings.directory).catch(() => null);
  const shares = machine.cpuCount * clockSpeed;
  return {
    ID: identity.id,
    SecretID: identity.secret,
    Name: settings.name,
    Datacenter: settings.datacenter,
    NodeClass: settings.nodeClass,
    NodePool: settings.nodePool,
    HTTPAddr: settings.httpAddress,
    TLSEnabled: settings.tls,
    Status: 'ready',
    SchedulingEligibility: 'eligible',
    Meta: Object.fromEntries(settings.meta),
    Attributes: {
      ...machineAttributes(machine, processors[0]?.model ?? '', clockSpeed, shares),
      'scheduler.version': settings.version,
      ...driverAttributes(drivers),
    },
    NodeResources: {
      Cpu: { CpuShares: shares, TotalCpuCores: machine.cpuCount },
      Memory: { MemoryMB: Math.trunc(machine.memoryBytes / 1_048_576) },
      Disk: { DiskMB: Math.trunc((disk?.available ?? 0) / 1_048_576) },
      MinDynamicPort: settings.minDynamicPort,
      MaxDynamicPort: settings.maxDynamicPort,
    },
    ReservedResources: {},
    Drivers: describeDrivers(drivers, now),
  };
}

function machineAttributes(
  machine: Machine,
  model: string,
  clockSpeed: number,
  shares: number,
): Record<string, string> {
  const address = machine.addresses().find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  return {
    // Named as in job constraints.
    'cpu.arch': machine.architecture === 'x64' ? 'amd64' : machine.architecture,
    'cpu.frequency': String(clockSpeed),
    'cpu.modelname': model,
    'cpu.numcores': String(machine.cpuCount),
    'cpu.totalcompute': String(shares),
    'kernel.arch': machine.architecture,
    'kernel.name': machine.kernelName,
    'kernel.version': machine.kernelVersion,
    'memory.totalbytes': String(machine.memoryBytes),
    'os.name': machine.kernelName,
    'unique.hostname': machine.hostName,
    // A machine without a network can still reach itself.
    'unique.network.ip-address': address ?? '127.0.0.1',
  };
}

function driverAttributes(drivers: Iterable<TaskDriver>): Record<string, string> {
  const detected = [...drivers].filter((driver) => driver.health().detected);
  return Object.fromEntries(detected.map(({ name }) => [`driver.${name}`, '1']));
}

function describeDrivers(drivers: Iterable<TaskDriver>, now: number): NonNullable<NodeInput['Drivers']> {
  const entries = [...drivers].map((driver) => {
    const { detected, healthy, description } = driver.health();
    const info = {
      Attributes: detected ? { [`driver.${driver.name}`]: '1' } : {},
      Detected: detected,
      Healthy: healthy,
      HealthDescription: description,
      UpdateTime: new Date(now).toISOString(),
    };
    return [driver.name, info] as const;
  });
  return Object.fromEntries(entries);
}
