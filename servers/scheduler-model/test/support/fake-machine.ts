import type { Machine } from '@tamis/scheduler-model/host/machine.js';

/** A machine with two addresses and one disk, of which parts can be replaced. */
export function createFakeMachine(parts: Partial<Machine> = {}): Machine {
  const files: Readonly<Record<string, string>> = {
    '/etc/resolv.conf': 'nameserver 10.0.0.53\n',
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/proc/mounts': '/dev/sda1 / ext4 rw 0 0\nproc /proc proc rw 0 0\n',
  };
  return {
    cpuCount: 4,
    hostName: 'machine',
    systemName: 'Linux machine 6.1.0 #1 SMP x86_64',
    kernelName: 'linux',
    kernelVersion: '6.1.0',
    architecture: 'x64',
    memoryBytes: 8 * 2 ** 30,
    temporaryDirectory: '/tmp',
    runtimeVersion: 'v20.19.0',
    environment: { PATH: '/bin', SCHEDULER_TOKEN: 'very-secret' },
    addresses: () => [
      { address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', mac: '', internal: true, cidr: null },
      { address: '10.0.0.7', netmask: '255.255.255.0', family: 'IPv4', mac: '', internal: false, cidr: null },
    ],
    async readText(path) {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return text;
    },
    diskSize: async () => ({ total: 10 * 2 ** 30, available: 4 * 2 ** 30 + 5 }),
    ...parts,
  };
}
