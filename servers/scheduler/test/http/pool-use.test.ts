import { describe, expect, it } from 'vitest';
import { createAclCluster } from '../support/acl-cluster.js';
import { call, createTestAgent } from '../support/test-agent.js';

const id = (kind: number, at: number): string => `${kind}0000000-0000-4000-8000-00000000000${at}`;

function node(at: number, NodePool: string, Status: string, reserved = 0): object {
  const NodeResources = {
    Cpu: { CpuShares: 1_000, TotalCpuCores: 1, ReservableCpuCores: [] },
    Memory: { MemoryMB: 2_000 },
    Disk: { DiskMB: 5_000 },
  };
  const ReservedResources = {
    Cpu: { CpuShares: reserved },
    Memory: { MemoryMB: 0 },
    Disk: { DiskMB: 0 },
    Networks: { ReservedHostPorts: '' },
  };
  return {
    kind: 'node',
    object: { ID: id(1, at), Name: `n${at}`, NodePool, Status, NodeResources, ReservedResources },
  };
}

function allocation(at: number, nodeAt: number, ClientStatus: string): object {
  const Tasks = { main: { Cpu: { CpuShares: 100 }, Memory: { MemoryMB: 300 } } };
  return {
    kind: 'allocation',
    object: {
      ...{ ID: id(4, at), Namespace: 'default', JobID: 'web', NodeID: id(1, nodeAt), ClientStatus },
      ...{ DesiredStatus: 'run', AllocatedResources: { Tasks, Shared: { DiskMB: 10 } } },
    },
  };
}

describe('the use of node pools', () => {
  it('adds up what ready nodes have and what runs on them, by the pools in order', async () => {
    const agent = await createTestAgent({
      lines: [
        { kind: 'namespace', object: { Name: 'default' } },
        node(1, 'small', 'ready'),
        node(2, 'big', 'ready', 200),
        node(3, 'big', 'ready'),
        node(4, 'big', 'down'),
        allocation(1, 2, 'running'),
        allocation(2, 2, 'pending'),
        allocation(3, 3, 'running'),
        allocation(4, 3, 'failed'),
        allocation(5, 4, 'running'),
      ],
    });
    const response = await call(agent, '/v1/nodes/use');
    expect(response.json()).toEqual([
      {
        ...{ NodePool: 'big', Nodes: 3, ReadyNodes: 2, Allocations: 3 },
        CPU: { Used: 300, Total: 1_800 },
        MemoryMB: { Used: 900, Total: 4_000 },
        DiskMB: { Used: 30, Total: 10_000 },
      },
      {
        ...{ NodePool: 'small', Nodes: 1, ReadyNodes: 1, Allocations: 0 },
        CPU: { Used: 0, Total: 1_000 },
        MemoryMB: { Used: 0, Total: 2_000 },
        DiskMB: { Used: 0, Total: 5_000 },
      },
    ]);
    expect(Number(response.headers['x-scheduler-index'])).toBeGreaterThan(0);
    await agent.close();
  });

  it('is for those who may read nodes', async () => {
    const { agent, sendAs } = await createAclCluster({
      node: 'node { policy = "read" }',
      jobs: 'namespace "*" { policy = "read" }',
    });
    expect((await sendAs('node', '/v1/nodes/use')).status).toBe(200);
    expect((await sendAs('jobs', '/v1/nodes/use')).status).toBe(403);
    expect((await sendAs('', '/v1/nodes/use')).status).toBe(403);
    await agent.close();
  });
});
