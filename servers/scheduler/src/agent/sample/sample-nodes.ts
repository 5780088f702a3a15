import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape, type NodeInput, type Node } from '@tamis/scheduler-model/node.js';
import { datacenters, sampleTime, teams, timeBefore } from './fixtures.js';
import type { SampleRandom } from './random.js';

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

const day = 86_400_000;

/** One node of the sample, the `at`-th, written at `index`. */
export function sampleNode(random: SampleRandom, at: number, index: number): Node {
  const datacenter = random.pick(datacenters);
  const nodeClass = random.weighted(nodeClasses);
  const status = random.weighted([
    ['ready', 94],
    ['down', 4],
    ['initializing', 1],
    ['disconnected', 1],
  ] as const);
  const drains = status === 'ready' && random.chance(0.04);
  const name = `${datacenter}-${nodeClass}-${String(at).padStart(4, '0')}`;
  const address = `10.${datacenters.indexOf(datacenter) + 1}.${at >> 8}.${at & 255}`;
  const age = random.int(1, 90) * day;
  const node: NodeInput = {
    ID: random.uuid(),
    SecretID: random.uuid(),
    Datacenter: datacenter,
    Name: name,
    CgroupParent: 'scheduler.slice',
    HTTPAddr: `${address}:4646`,
    Attributes: sampleAttributes(random, name, address),
    Meta: {
      rack: `r${random.int(1, 40)}`,
      'net.zone': `${datacenter}-${random.pick(['a', 'b', 'c'])}`,
      'owner.team': random.pick(teams),
    },
    ...sampleResources(random, nodeClass),
    NodeClass: nodeClass,
    NodePool: nodeClass === 'gpu' || nodeClass === 'edge' ? nodeClass : 'default',
    ComputedClass: `v1:${random.hex(16)}`,
    SchedulingEligibility: drains || status === 'down' ? 'ineligible' : 'eligible',
    Status: status,
    StatusDescription: status === 'down' ? 'heartbeat missed' : '',
    StatusUpdatedAt: Math.floor((sampleTime - random.int(0, 600) * 1000) / 1000),
    Events: [
      {
        Message: 'Node registered',
        Subsystem: 'Cluster',
        Timestamp: timeBefore(age, random.int(0, 999_999_999)),
      },
    ],
    Drivers: sampleDrivers(random, status === 'ready'),
    ...(random.chance(0.2)
      ? { HostVolumes: { scratch: { Name: 'scratch', Path: '/mnt/scratch', ReadOnly: random.chance(0.3) } } }
      : {}),
    ...(drains
      ? {
          DrainStrategy: {
            Deadline: 3_600_000_000_000,
            IgnoreSystemJobs: true,
            StartedAt: timeBefore(600_000, 0),
          },
        }
      : {}),
    ...(drains || random.chance(0.1)
      ? {
          LastDrain: {
            StartedAt: timeBefore(600_000, 0),
            UpdatedAt: timeBefore(300_000, 0),
            Status: drains ? 'draining' : 'complete',
          },
        }
      : {}),
    CreateIndex: index,
    ModifyIndex: index + random.int(0, 400),
  };
  return completeShape(nodeShape, node);
}

function sampleAttributes(random: SampleRandom, name: string, address: string): Record<string, string> {
  const [os, osVersion, kernel] = random.pick(systems);
  return {
    'cpu.arch': random.chance(0.25) ? 'arm64' : 'amd64',
    'cpu.numcores': String(random.pick([4, 8, 16, 32, 64])),
    'cpu.modelname': random.pick(['AMD EPYC 9354', 'Intel Xeon Gold 6430', 'Ampere Altra Q80-30']),
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
): Pick<NodeInput, 'NodeResources' | 'ReservedResources'> {
  const cores = random.pick([4, 8, 16, 32, 64]);
  const memory = cores * (nodeClass === 'memory' ? 8_192 : 4_096);
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

function sampleDrivers(random: SampleRandom, healthy: boolean): NonNullable<NodeInput['Drivers']> {
  const info = {
    Detected: true,
    Healthy: healthy,
    HealthDescription: 'Healthy',
    UpdateTime: timeBefore(60_000, 0),
  };
  return {
    docker: { ...info, Attributes: { 'driver.docker.cgroup': 'v2' } },
    exec: info,
    raw_exec: { ...info, Detected: random.chance(0.5) },
    java: { Detected: false, Healthy: false, HealthDescription: 'java is not installed' },
  };
}
