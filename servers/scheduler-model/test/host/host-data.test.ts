import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDiskReader } from '@tamis/scheduler-model/host/disks.js';
import { createHostReader } from '@tamis/scheduler-model/host/host-data.js';
import { createMachine, type Machine } from '@tamis/scheduler-model/host/machine.js';
import { createFakeClock } from '../support/fake-clock.js';
import { createFakeMachine } from '../support/fake-machine.js';

function readerOf(machine: Machine): ReturnType<typeof createHostReader> {
  return createHostReader(machine, createDiskReader(machine, createFakeClock()));
}

describe('the data of a host', () => {
  it('contains the data of the machine, without secrets', async () => {
    const data = await readerOf(createFakeMachine())();
    expect(data).toMatchObject({
      OS: 'Linux machine 6.1.0 #1 SMP x86_64',
      ResolvConf: 'nameserver 10.0.0.53\n',
      Hosts: '127.0.0.1 localhost\n',
      Environment: { PATH: '/bin', SCHEDULER_TOKEN: '<redacted>' },
      Disk: { '/': { DiskMB: 10_240, UsedMB: 6_143 } },
    });
    expect(data.Network.map(({ string }) => string)).toEqual(['127.0.0.1/8', '10.0.0.7/24']);
  });

  it('says why a file cannot be read in the place of its text', async () => {
    const machine = createFakeMachine({
      async readText(path) {
        throw new Error(`EACCES: permission denied, open '${path}'`);
      },
    });
    const data = await readerOf(machine)();
    expect(data.ResolvConf).toBe("EACCES: permission denied, open '/etc/resolv.conf'");
    expect(data.Hosts).toBe("EACCES: permission denied, open '/etc/hosts'");
    // Without a table of mounts the root is all that is known.
    expect(Object.keys(data.Disk)).toEqual(['/']);
  });

  it('is collected once for all concurrent callers', async () => {
    let reads = 0;
    const fake = createFakeMachine();
    const read = readerOf({ ...fake, readText: (path, max) => ((reads += 1), fake.readText(path, max)) });
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toBe(second);
    expect(reads).toBe(3);
    await read();
    expect(reads).toBe(6);
  });

  it('of this machine has real addresses, files and disks', async () => {
    const machine = createMachine({ environment: { A: '1' }, runtimeVersion: 'v20' });
    const data = await readerOf(machine)();
    expect(data.Network.length).toBeGreaterThan(0);
    expect(
      data.Network.every((entry) => Object.values(entry).every((fact) => typeof fact === 'string')),
    ).toBe(true);
    expect(data.Environment).toEqual({ A: '1' });
    expect(data.Hosts).not.toBe('');
    for (const { DiskMB, UsedMB } of Object.values(data.Disk)) {
      expect([Number.isInteger(DiskMB), Number.isInteger(UsedMB), UsedMB <= DiskMB]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });
});

describe('the disks', () => {
  const mounts = [
    '/dev/a / ext4 rw 0 0',
    'tmpfs /tmp\\040dir tmpfs rw 0 0',
    'server:/x /far nfs4 rw 0 0',
    'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0',
    '/dev/a / ext4 rw 0 0',
    'broken',
  ].join('\n');

  it('are those of local file systems, each once', async () => {
    const machine = createFakeMachine({ readText: async () => mounts });
    const disks = await createDiskReader(machine, createFakeClock())();
    expect(Object.keys(disks)).toEqual(['/', '/tmp dir']);
  });

  it('are no more than the limit', async () => {
    const machine = createFakeMachine({
      readText: async () => Array.from({ length: 100 }, (_, at) => `d /m${at} xfs rw 0 0`).join('\n'),
    });
    const read = createDiskReader(machine, createFakeClock(), { maxMounts: 3, timeout: 1 });
    expect(Object.keys(await read())).toEqual(['/m0', '/m1', '/m2']);
  });

  it('that do not respond block no caller, and are not queried again before they have responded', async () => {
    const clock = createFakeClock();
    let requests = 0;
    let release = (): void => undefined;
    const machine = createFakeMachine({
      readText: async () => mounts,
      diskSize(path) {
        if (path === '/') return Promise.resolve({ total: 0, available: 0 });
        requests += 1;
        return new Promise((resolve) => (release = () => resolve({ total: 2 ** 20, available: 0 })));
      },
    });
    const read = createDiskReader(machine, clock);
    const first = read();
    while (clock.pending === 0) await nextTurn();
    await nextTurn();
    clock.advance(2_000);
    expect(Object.keys(await first)).toEqual(['/']);
    expect(Object.keys(await read())).toEqual(['/']);
    expect(requests).toBe(1);
    release();
    await nextTurn();
    const again = read();
    while (requests < 2) await nextTurn();
    release();
    expect(await again).toMatchObject({ '/tmp dir': { DiskMB: 1, UsedMB: 1 } });
    expect(clock.pending).toBe(0);
  });
});
