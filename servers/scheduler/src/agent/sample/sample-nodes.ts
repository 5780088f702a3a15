import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape, type NodeInput, type Node } from '@tamis/scheduler-model/node.js';
import { datacenters, teams } from './fixtures.js';
import type { SampleRandom } from './random.js';
import { instantOf } from './sample-tasks.js';

const nodeClasses = [
  ['general', 55],
  ['compute', 20],
  ['memory', 15],
  ['gpu', 6],
  ['edge', 4],
] as const;

const systems = [
  ['debian', '12.5', '6.1.0-21-amd64'],
  ['ubuntu', '24.04', '6.8.0-31-generic'],
  ['alpine', '3.20.1', '6.6.34-0-lts'],
] as const;

const hour = 3_600_000;
const day = 24 * hour;

/** Time that nodes have been draining, in ms. */
export const drainAge = 600_000;

/** Returns the `at`-th node of the sample, registered at `index`. One is starting and a few drain; the others are ready. */
export function sampleNode(random: SampleRandom, at: number, index: number, now: number): Node {
  const datacenter = random.pick(datacenters);
  const nodeClass = random.weighted(nodeClasses);
  const isStarting = at === 11;
  const cores = random.pick([8, 16, 32]);
  const drains = at % 100 === 63;
  const name = `${datacenter}-${nodeClass}-${String(at).padStart(4, '0')}`;
  const address = `10.${datacenters.indexOf(datacenter) + 1}.${at >> 8}.${at & 255}`;
  const registered = now - random.int(121, 300) * day;
  const node: NodeInput = {
    ID: random.uuid(),
    SecretID: random.uuid(),
    Datacenter: datacenter,
    Name: name,
    CgroupParent: 'scheduler.slice',
    HTTPAddr: `${address}:4646`,
    Attributes: sampleAttributes(random, name, address, cores),
    Meta: {
      rack: `r${random.int(1, 40)}`,
      'net.zone': `${datacenter}-${random.pick(['a', 'b', 'c'])}`,
      'owner.team': random.pick(teams),
    },
    ...sampleResources(random, nodeClass, cores),
    NodeClass: nodeClass,
    NodePool: nodeClass === 'gpu' || nodeClass === 'edge' ? nodeClass : 'default',
    ComputedClass: `v1:${random.hex(16)}`,
    SchedulingEligibility: drains ? 'ineligible' : 'eligible',
    Status: isStarting ? 'initializing' : 'ready',
    StatusUpdatedAt: Math.floor((isStarting ? now : registered) / 1000),
    Events: [
      {
        Message: 'Node registered',
        Subsystem: 'Cluster',
        Timestamp: instantOf(registered),
      },
    ],
    Drivers: sampleDrivers(random, now),
    ...(random.chance(0.2)
      ? { HostVolumes: { scratch: { Name: 'scratch', Path: '/mnt/scratch', ReadOnly: random.chance(0.3) } } }
      : {}),
    ...(drains
      ? {
          DrainStrategy: {
            Deadline: hour * 1e6,
            IgnoreSystemJobs: true,
            StartedAt: instantOf(now - drainAge),
          },
          LastDrain: {
            StartedAt: instantOf(now - drainAge),
            UpdatedAt: instantOf(now - drainAge),
            Status: 'draining',
          },
        }
      : {}),
    CreateIndex: index,
    ModifyIndex: index,
  };
  return completeShape(nodeShape, node);
}

function sampleAttributes(
  random: SampleRandom,
  name: string,
  address: string,
  cores: number,
): Record<string, string> {
  const arch = random.chance(0.25) ? 'arm64' : 'amd64';
  const [os, osVersion, kernel] = random.pick(systems);
  return {
    'cpu.arch': arch,
    'cpu.numcores': String(cores),
    'cpu.modelname':
      arch === 'arm64' ? 'Ampere Altra Q80-30' : random.pick(['AMD EPYC 9354', 'Intel Xeon Gold 6430']),
    'driver.docker': '1',
    'driver.docker.version': random.pick(['26.1.4', '25.0.5', '24.0.9']),
    'driver.exec': '1',
    'kernel.name': 'linux',
    'kernel.version': kernel,
    'os.name': os,
    'os.version': osVersion,
    'platform.aws.instance-type': random.pick(['m7i.xlarge', 'c7g.4xlarge', 'r7i.8xlarge']),
    'scheduler.version': random.pick(['1.9.0', '1.9.3', '1.8.4']),
    'unique.hostname': name,
    'unique.network.ip-address': address,
  };
}

function sampleResources(
  random: SampleRandom,
  nodeClass: string,
  cores: number,
): Pick<NodeInput, 'NodeResources' | 'ReservedResources'> {
  const memory = cores * (nodeClass === 'memory' ? 4_096 : 2_048);
  return {
    NodeResources: {
      Cpu: { CpuShares: cores * 2_600, TotalCpuCores: cores },
      Memory: { MemoryMB: memory },
      Disk: { DiskMB: random.pick([102_400, 204_800, 512_000]) },
      ...(nodeClass === 'gpu'
        ? { Devices: [{ Vendor: 'nvidia', Type: 'gpu', Name: 'L40S', Instances: random.pick([1, 2, 4]) }] }
        : {}),
      MinDynamicPort: 20_000,
      MaxDynamicPort: 32_000,
    },
    ReservedResources: {
      Cpu: { CpuShares: 200 },
      Memory: { MemoryMB: 512 },
      Networks: { ReservedHostPorts: '22,4646' },
    },
  };
}

function sampleDrivers(random: SampleRandom, now: number): NonNullable<NodeInput['Drivers']> {
  const info = {
    Detected: true,
    Healthy: true,
    HealthDescription: 'Healthy',
    UpdateTime: instantOf(now - 60_000),
  };
  return {
    docker: { ...info, Attributes: { 'driver.docker.cgroup': 'v2' } },
    exec: info,
    raw_exec: { ...info, Detected: random.chance(0.5) },
    java: info,
  };
}
