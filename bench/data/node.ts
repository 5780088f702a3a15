import type { Random } from './random.js';

/** A machine registered with a scheduler: a map of about forty attributes in addition to its fields. */
export interface Node {
  readonly ID: string;
  readonly Name: string;
  readonly Datacenter: string;
  readonly NodeClass: string;
  readonly NodePool: string;
  readonly HTTPAddr: string;
  readonly Drain: boolean;
  readonly SchedulingEligibility: string;
  readonly Status: string;
  readonly CPUTemp: number;
  readonly CPUTemp32: number;
  readonly Attributes: Readonly<Record<string, string>>;
  readonly Meta: Readonly<Record<string, string>>;
  readonly NodeResources: {
    readonly Cpu: { readonly Arch: string; readonly CpuShares: number; readonly TotalCpuCores: number };
    readonly Memory: { readonly MemoryMB: number };
    readonly Disk: { readonly DiskMB: number };
  };
  readonly Drivers: unknown;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

export function makeNode(random: Random, index: number): Node {
  const arch = random.chance(0.2) ? 'arm64' : 'amd64';
  const cores = random.pick([4, 8, 16, 32, 64]);
  const address = `10.${random.int(256)}.${random.int(256)}.${random.int(256)}`;
  const created = 500 + index * 3;
  return {
    ID: `${hex(random, 8)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 12)}`,
    Name: `node-${index}.${random.pick(['rack1', 'rack2', 'rack3'])}`,
    Datacenter: random.pick(['dc1', 'dc2', 'dc3']),
    NodeClass: random.pick(['', 'compute', 'storage', 'gpu']),
    NodePool: random.pick(['default', 'default', 'edge', 'build']),
    HTTPAddr: `${address}:4646`,
    Drain: random.chance(0.05),
    SchedulingEligibility: random.chance(0.9) ? 'eligible' : 'ineligible',
    Status: random.pick(['ready', 'ready', 'ready', 'ready', 'down', 'initializing']),
    CPUTemp: 30 + random.int(500) / 10,
    CPUTemp32: 30.5,
    Attributes: makeAttributes(random, arch, cores, address),
    Meta: { bay: `rack-${random.int(80)}`, zone: random.pick(['east', 'west', 'south']) },
    NodeResources: {
      Cpu: { Arch: arch, CpuShares: cores * 2400, TotalCpuCores: cores },
      Memory: { MemoryMB: cores * 4096 },
      Disk: { DiskMB: 102_400 },
    },
    Drivers: {
      docker: {
        Attributes: { version: '27.1' },
        Detected: true,
        Healthy: true,
        HealthDescription: 'Healthy',
      },
      exec: { Attributes: {}, Detected: true, Healthy: random.chance(0.9), HealthDescription: 'Healthy' },
    },
    CreateIndex: created,
    ModifyIndex: created + random.int(5000),
  };
}

function makeAttributes(
  random: Random,
  arch: string,
  cores: number,
  address: string,
): Record<string, string> {
  const attributes: Record<string, string> = {
    'cpu.arch': arch,
    'cpu.frequency': '2400',
    'cpu.modelname': random.pick(['Xeon Platinum 8375C', 'EPYC 7R13 Processor', 'Graviton 3']),
    'cpu.numcores': `${cores}`,
    'cpu.reservablecores': `${cores}`,
    'cpu.totalcompute': `${cores * 2400}`,
    'cpu.usablecompute': `${cores * 2400}`,
    'driver.docker': '1',
    'driver.docker.bridge_ip': '172.17.0.1',
    'driver.docker.os_type': 'linux',
    'driver.docker.runtimes': 'io.containerd.runc.v2,runc',
    'driver.docker.version': random.pick(['26.1.4', '27.0.3', '27.1.1']),
    'driver.docker.volumes.enabled': 'true',
    'driver.exec': '1',
    'driver.java': random.chance(0.5) ? '1' : '0',
    'driver.java.runtime': 'OpenJDK Runtime Environment',
    'driver.java.version': '17.0.11',
    'driver.raw_exec': '0',
    'kernel.arch': arch === 'arm64' ? 'aarch64' : 'x86_64',
    'kernel.landlock': 'v4',
    'kernel.name': 'linux',
    'kernel.version': random.pick(['6.1.0-21-cloud', '6.5.0-1022-aws', '6.8.0-31-generic']),
    'memory.totalbytes': `${cores * 4096 * 1_048_576}`,
    'network.ip-address': address,
    'os.build': random.pick(['', '22H2']),
    'os.name': random.pick(['ubuntu', 'debian', 'fedora']),
    'os.signals': 'SIGTERM,SIGUSR1,SIGHUP,SIGINT',
    'os.version': random.pick(['22.04', '24.04', '12.5']),
  };
  for (const plugin of ['bridge', 'firewall', 'host-local', 'loopback', 'portmap', 'vlan']) {
    attributes[`plugins.cni.version.${plugin}`] = 'v1.5.1';
  }
  for (const fact of [
    'advertise.address',
    'hostname',
    'storage.volume',
    'storage.bytestotal',
    'storage.bytesfree',
    'cgroups',
  ]) {
    attributes[`unique.${fact}`] = `${fact}-${random.int(1e6)}`;
  }
  return attributes;
}

function hex(random: Random, digits: number): string {
  let text = '';
  while (text.length < digits) text += random.int(16).toString(16);
  return text;
}
