import { describe, expect, it } from 'vitest';
import { interpolate, interpolateAll } from '@tamis/scheduler-node/interpolation.js';
import { networkStatusOf } from '@tamis/scheduler-node/network-status.js';
import { taskEnvironment, type TaskEnvironment } from '@tamis/scheduler-node/task-environment.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskInput } from '@tamis/scheduler-model/task.js';
import { allocationOf } from './allocations.js';

const node = {
  id: 'node-1',
  name: 'n1',
  datacenter: 'dc1',
  region: 'west',
  nodeClass: 'small',
  attributes: new Map([['kernel.name', 'linux']]),
  meta: new Map([['rack', 'r7']]),
};
const directories = { alloc: '/a/alloc', local: '/a/t/local', secrets: '/a/t/secrets' };

function environmentOf(task: TaskInput = {}, more: Partial<Allocation> = {}): TaskEnvironment {
  const allocation = allocationOf([{ Name: 't', Driver: 'raw_exec', ...task }], { allocation: more });
  const { Job: job } = allocation;
  const group = job?.TaskGroups?.[0];
  const [first] = group?.Tasks ?? [];
  if (job === null || group === undefined || first === undefined) throw new Error('no task');
  return taskEnvironment({ allocation, job, group, task: first }, directories, node);
}

const withPorts = {
  AllocatedResources: {
    Tasks: {
      t: { Cpu: { CpuShares: 250, ReservedCores: [2, 3] }, Memory: { MemoryMB: 64, MemoryMaxMB: 128 } },
    },
    TaskLifecycles: {},
    Shared: {
      DiskMB: 1,
      Networks: null,
      Ports: [
        { Label: 'http', Value: 20_001, To: 8_080, HostIP: '10.0.0.7' },
        { Label: 'my-admin', Value: 20_002, To: 0, HostIP: 'fd00::7' },
      ],
    },
  },
};

describe('the environment of a task', () => {
  /** Each under both names. */
  const twice = (reported: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(reported).flatMap(([name, value]) => [
        [`SCHEDULER_${name}`, value],
        [`NOMAD_${name}`, value],
      ]),
    );

  it('contains its name and location', () => {
    expect(environmentOf({ Resources: { CPU: 100, MemoryMB: 30 } }).variables).toEqual(
      twice({
        ALLOC_ID: 'a0000000-0000-4000-8000-000000000001',
        SHORT_ALLOC_ID: 'a0000000',
        ALLOC_NAME: 'web.g[3]',
        ALLOC_INDEX: '3',
        ALLOC_DIR: '/a/alloc',
        TASK_DIR: '/a/t/local',
        SECRETS_DIR: '/a/t/secrets',
        TASK_NAME: 't',
        GROUP_NAME: 'g',
        JOB_ID: 'web',
        JOB_NAME: 'web',
        NAMESPACE: 'default',
        REGION: 'west',
        DC: 'dc1',
        CPU_LIMIT: '100',
        MEMORY_LIMIT: '30',
        META_OWNER: 'ops',
        META_owner: 'ops',
      }),
    );
  });

  it('contains its resources: processor, memory, ports', () => {
    const { variables } = environmentOf({}, withPorts);
    expect(variables).toMatchObject(
      twice({
        CPU_LIMIT: '250',
        CPU_CORES: '2,3',
        MEMORY_LIMIT: '64',
        MEMORY_MAX_LIMIT: '128',
        PORT_http: '8080',
        ALLOC_PORT_http: '8080',
        HOST_PORT_http: '20001',
        IP_http: '10.0.0.7',
        HOST_IP_http: '10.0.0.7',
        ADDR_http: '10.0.0.7:20001',
        HOST_ADDR_http: '10.0.0.7:20001',
        PORT_my_admin: '20002',
        ADDR_my_admin: '[fd00::7]:20002',
      }),
    );
  });

  it('contains the ports of its own networks, and the addresses of other tasks', () => {
    const network = (Value: number) => [
      { Mode: 'host', IP: 'fd00::7', ReservedPorts: [], DynamicPorts: [{ Label: 'db', Value, To: 80 }] },
    ];
    const Tasks = { t: { Networks: network(20_003) }, 'side-car': { Networks: network(20_004) } };
    const { variables } = environmentOf({}, { AllocatedResources: { Tasks, Shared: null } });
    expect(variables).toMatchObject(
      twice({
        PORT_db: '80',
        HOST_PORT_db: '20003',
        ADDR_db: '[fd00::7]:20003',
        PORT_side_car_db: '20004',
        IP_side_car_db: 'fd00::7',
        ADDR_side_car_db: '[fd00::7]:20004',
      }),
    );
    expect(Object.keys(variables).filter((name) => name.includes('t_db'))).toEqual([]);
  });

  it('fills in references to the node, to itself and to its own variables', () => {
    const { lookup, variables } = environmentOf({
      Env: { WHERE: '${node.datacenter}/${meta.rack}', WHAT: '${attr.kernel.name}-${NOMAD_ALLOC_INDEX}' },
      Meta: { 'the-job': '${SCHEDULER_JOB_ID}' },
    });
    expect(variables).toMatchObject({ WHERE: 'dc1/r7', WHAT: 'linux-3', SCHEDULER_META_the_job: 'web' });
    expect(interpolateAll({ args: ['${WHERE}', { deep: '${env["WHAT"]}' }, 7, null] }, lookup)).toEqual({
      args: ['dc1/r7', { deep: 'linux-3' }, 7, null],
    });
  });

  it.each([
    ['${node.unique.id} ${node.unique.name} ${node.class} ${node.region}', 'node-1 n1 small west'],
    ['${SCHEDULER_PORT_http} ${NOMAD_PORT_http}', '8080 8080'],
    ['${NOMAD_META_owner}', 'ops'],
    ['${env["SCHEDULER_DC"]} ${env[NOMAD_DC]} ${env.SCHEDULER_DC}', 'dc1 dc1 dc1'],
    [
      '${nope} ${attr.nope} ${env["nope"]} ${} ${a b} $HOME ${',
      '${nope} ${attr.nope} ${env["nope"]} ${} ${a b} $HOME ${',
    ],
    ['${__proto__} ${constructor}', '${__proto__} ${constructor}'],
  ])('makes of %s', (text, expected) => {
    expect(interpolate(text, environmentOf({}, withPorts).lookup)).toBe(expected);
  });

  it.each([
    ['${ node.class }${env[ "SCHEDULER_DC" ]}${env["SCHEDULER_DC]}', 'smalldc1dc1'],
    ['${env[]} ${env[""]} ${env["a"b"]} ${${node.class}}', '${env[]} ${env[""]} ${env["a"b"]} ${small}'],
  ])('makes of %s', (text, expected) => {
    expect(interpolate(text, environmentOf().lookup)).toBe(expected);
  });

  it.each(['${env[', '${', '${env["', '${a'])(
    'takes %s and blanks without an end for what it is',
    (start) => {
      const text = `${start}${' '.repeat(500_000)}`;
      expect(interpolate(text, environmentOf().lookup)).toBe(text);
    },
  );

  it('fills in once: what a variable holds is not looked at again', () => {
    const { lookup } = environmentOf({ Env: { A: '${node.class}', B: '$' } });
    expect(interpolate('${B}{A}', lookup)).toBe('${A}');
  });

  it('keeps the marks by which its processes are known', () => {
    const { variables } = environmentOf({ Env: { SCHEDULER_ALLOC_ID: 'x', SCHEDULER_TASK_NAME: 'y' } });
    expect(variables).toMatchObject({
      SCHEDULER_ALLOC_ID: 'a0000000-0000-4000-8000-000000000001',
      SCHEDULER_TASK_NAME: 't',
    });
  });

  it('is empty for meta that a dispatched job may leave out', () => {
    const allocation = allocationOf([{ Name: 't', Driver: 'raw_exec' }]);
    const job = {
      ...(allocation.Job ?? expect.fail('no job')),
      ParentID: 'parent',
      Dispatched: true,
      ParameterizedJob: { Payload: 'optional', MetaRequired: [], MetaOptional: ['tone', 'owner'] },
    };
    const group = job.TaskGroups?.[0] ?? expect.fail('no group');
    const task = group.Tasks?.[0] ?? expect.fail('no task');
    const { variables } = taskEnvironment({ allocation, job, group, task }, directories, node);
    expect(variables).toMatchObject({
      SCHEDULER_JOB_PARENT_ID: 'parent',
      SCHEDULER_META_tone: '',
      SCHEDULER_META_TONE: '',
      SCHEDULER_META_owner: 'ops',
    });
  });
});

describe('the network status of an allocation', () => {
  it('is the address of its ports', () => {
    expect(networkStatusOf(allocationOf([], { allocation: withPorts }))).toEqual({
      InterfaceName: '',
      Address: '10.0.0.7',
      AddressIPv6: '',
      DNS: null,
    });
  });

  it('is that of its network where it has no ports, and none without a network', () => {
    const Shared = { DiskMB: 1, Ports: null, Networks: [{ Mode: 'host', IP: 'fd00::7' }] };
    const allocation = { AllocatedResources: { Tasks: {}, TaskLifecycles: {}, Shared } };
    expect(networkStatusOf(allocationOf([], { allocation }))).toMatchObject({ AddressIPv6: 'fd00::7' });
    expect(networkStatusOf(allocationOf([]))).toBeNull();
  });
});
