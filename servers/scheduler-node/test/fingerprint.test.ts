import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLoop, systemProcesses } from '@tamis/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeNode } from '@tamis/scheduler-node/fingerprint.js';
import { createMockDriver } from '@tamis/scheduler-node/mock-driver.js';
import { systemUsers } from '@tamis/scheduler-node/users.js';
import { createRawExecDriver } from '@tamis/scheduler-node/raw-exec-driver.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'node-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a fingerprint', () => {
  it('reports the resources and the usable drivers of this machine', async () => {
    const clock = { after: () => () => undefined };
    const drivers = [
      createMockDriver(clock),
      createRawExecDriver({
        enabled: false,
        clock,
        processes: systemProcesses(() => undefined),
        users: systemUsers(0),
        cgroups: null,
        scan: async () => [],
        searchPath: '/bin',
        pace: eventLoop,
      }),
    ];
    const node = await describeNode(
      { id: 'id-1', secret: 'secret-1' },
      {
        name: 'n1',
        datacenter: 'dc1',
        nodeClass: 'small',
        nodePool: 'default',
        minDynamicPort: 21_000,
        maxDynamicPort: 21_999,
        meta: new Map([['rack', 'r1']]),
        httpAddress: '127.0.0.1:4646',
        tls: false,
        version: '0.2.0',
        directory,
      },
      { machine: createMachine({ environment: {}, runtimeVersion: 'v20' }), drivers, now: 0 },
    );
    expect(node.NodeResources).toMatchObject({ MinDynamicPort: 21_000, MaxDynamicPort: 21_999 });
    expect(node).toMatchObject({
      ID: 'id-1',
      Name: 'n1',
      NodeClass: 'small',
      Meta: { rack: 'r1' },
      Status: 'ready',
    });
    expect(Number(node.NodeResources?.Cpu?.CpuShares)).toBeGreaterThan(0);
    expect(Number(node.NodeResources?.Memory?.MemoryMB)).toBeGreaterThan(0);
    expect(Number(node.NodeResources?.Disk?.DiskMB)).toBeGreaterThan(0);
    expect(node.Attributes).toMatchObject({ 'driver.mock_driver': '1', 'scheduler.version': '0.2.0' });
    expect(node.Attributes).not.toHaveProperty(['driver.raw_exec']);
    expect(node.Drivers?.['raw_exec']).toMatchObject({ Detected: false, Healthy: false });
  });
});
