import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMockDriver } from '@tamis/scheduler-node/mock-driver.js';
import {
  startNodeClient,
  type NodeClient,
  type NodeClientDependencies,
} from '@tamis/scheduler-node/node-client.js';
import { loadNodeIdentity } from '@tamis/scheduler-node/node-identity.js';
import type { HeartbeatResponse, ServerLink } from '@tamis/scheduler-node/server-link.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { allocationOf, until } from '../../../scheduler-node/test/allocations.js';

let directory = '';
let client: NodeClient | null = null;
let clock: FakeClock;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'client-'));
  clock = createFakeClock();
});
afterEach(async () => {
  const closed = client?.close();
  let isClosed = closed === undefined;
  void closed?.then(() => (isClosed = true));
  await until(() => isClosed, clock);
  client = null;
  await rm(directory, { recursive: true, force: true });
});

/** Servers that hold the allocations of one node. */
function createServers() {
  const said: string[] = [];
  const updates: AllocationUpdate[] = [];
  const batches: number[] = [];
  let expected: readonly Allocation[] = [];
  let index = 1;
  let wake: () => void = () => undefined;
  let failures = 0;
  let isKnown = true;
  const speak = (word: string): void => {
    said.push(word);
    if (failures > 0) {
      failures -= 1;
      throw new SchedulerError('unreachable', 'no servers');
    }
  };
  const link: ServerLink = {
    async register() {
      speak('register');
      isKnown = true;
      return { heartbeatTtl: 10_000, index, servers: [] };
    },
    async heartbeat() {
      speak('heartbeat');
      if (!isKnown) throw new SchedulerError('permission-denied', 'Permission denied');
      return { heartbeatTtl: 10_000, index, servers: [] };
    },
    async *allocations(since, signal) {
      if (since !== null && index <= since.index) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve());
        });
      }
      yield { kind: 'begin', history: 'one', incarnation: 1, index, isWhole: true };
      for (const [job, { Job, ...row }] of expected.entries()) {
        yield { kind: 'job', job, row: { ...Job, TaskGroups: null } };
        for (const group of Job?.TaskGroups ?? []) yield { kind: 'group', job, row: group };
        yield { kind: 'allocation', job, row: { ...row, NodeID: 'n1' } };
      }
      yield { kind: 'end', count: expected.length };
    },
    async update(reports) {
      speak('update');
      updates.push(...reports);
      batches.push(reports.length);
      return [];
    },
    turnAway: () => void said.push('turn away'),
  };
  return {
    link,
    said,
    updates,
    batches,
    place(allocations: readonly Allocation[]): void {
      expected = allocations;
      index += 1;
      wake();
    },
    fail(count: number): void {
      failures = count;
    },
    forget(): void {
      isKnown = false;
    },
    last: (id: string) => updates.filter(({ ID }) => ID === id).at(-1),
  };
}

function start(
  link: ServerLink,
  logger: NodeClientDependencies['logger'] = createLogHub({ level: 'silent', write: () => undefined }).logger,
): NodeClient {
  client = startNodeClient({
    node: { ID: 'n1' },
    facts: {
      id: 'n1',
      name: 'n1',
      datacenter: 'dc1',
      region: 'global',
      nodeClass: '',
      attributes: new Map(),
      meta: new Map(),
    },
    link,
    drivers: [createMockDriver(clock)],
    clock,
    random: () => 0,
    logger,
    directory,
  });
  return client;
}

const task = { Name: 't', Driver: 'mock_driver', Config: { run_for: '1000h' } };

describe('the client of a node', () => {
  it('registers, and beats at half the time it is given', async () => {
    const { link, said } = createServers();
    start(link);
    await until(() => said.includes('register'), clock, 0);
    const began = clock.now();
    await until(() => said.filter((word) => word === 'heartbeat').length === 3, clock, 500);
    expect(clock.now() - began).toBeGreaterThanOrEqual(15_000);
    expect(clock.now() - began).toBeLessThan(20_000);
  });

  it('registers immediately with servers that refuse to send data', async () => {
    const { link, said, forget, place } = createServers();
    const registrations = (): number => said.filter((word) => word === 'register').length;
    let isRefused = false;
    start({
      ...link,
      async *allocations(since, signal) {
        if (isRefused && registrations() < 2) {
          throw new SchedulerError('permission-denied', 'Permission denied');
        }
        yield* link.allocations(since, signal);
      },
    });
    await until(() => said.includes('register'), clock, 0);
    isRefused = true;
    forget();
    const began = clock.now();
    place([]);
    await until(() => registrations() === 2, clock);
    expect(clock.now() - began).toBeLessThan(1_000);
  });

  it.each(['is told to stop', 'is not among those it is told of'])(
    'runs again what has ended because it %s, when servers that were restored want it',
    async (how) => {
      const { link, place, last, updates } = createServers();
      const node = start(link);
      const allocation = allocationOf([task]);
      place([allocation]);
      await until(() => last(allocation.ID)?.ClientStatus === 'running', clock);
      place(how === 'is told to stop' ? [{ ...allocation, DesiredStatus: 'stop' }] : []);
      await until(() => last(allocation.ID)?.ClientStatus === 'complete' && node.running === 0, clock);
      const reported = updates.length;
      place([{ ...allocation, ClientStatus: 'running' }]);
      await until(() => node.running === 1 && updates.length > reported, clock);
      expect(last(allocation.ID)).toMatchObject({ ClientStatus: 'running' });
    },
  );

  it('reports allocation states again to servers that lost them in a restore', async () => {
    const { link, place, last, updates } = createServers();
    start(link);
    const running = allocationOf([task]);
    const ended = allocationOf([{ ...task, Config: { run_for: '0s' } }], {
      type: 'batch',
      allocation: { ID: 'a0000000-0000-4000-8000-000000000002' },
    });
    place([running, ended]);
    await until(
      () => last(running.ID)?.ClientStatus === 'running' && last(ended.ID)?.ClientStatus === 'complete',
      clock,
    );
    const reported = updates.length;
    place([
      { ...running, ClientStatus: 'running' },
      { ...ended, ClientStatus: 'complete' },
    ]);
    place([running, { ...ended, ClientStatus: 'running' }]);
    await until(() => updates.length >= reported + 2, clock);
    expect(updates.slice(reported).map(({ ID, ClientStatus }) => [ID, ClientStatus])).toEqual([
      [running.ID, 'running'],
      [ended.ID, 'complete'],
    ]);
  });

  it('retries until a server responds', async () => {
    const { link, said, fail } = createServers();
    fail(5);
    start(link);
    await until(() => said.includes('heartbeat'), clock, 500);
    expect(said.filter((word) => word === 'register')).toHaveLength(6);
  });

  it.each(['before it was ever registered', 'after they had known it'])(
    'retries with servers that refuse it %s, and sends heartbeats once they accept',
    async (when) => {
      const { link, said, forget } = createServers();
      let refusals = when.startsWith('before') ? 4 : 0;
      start({
        ...link,
        async register(node) {
          if (refusals === 0) return link.register(node);
          refusals -= 1;
          throw new SchedulerError('permission-denied', 'node secret ID does not match');
        },
      });
      const beats = (): number => said.filter((word) => word === 'heartbeat').length;
      if (refusals === 0) {
        await until(() => beats() > 0, clock, 500);
        forget();
        refusals = 4;
      }
      await until(() => refusals === 0, clock, 500);
      const before = beats();
      await until(() => beats() >= before + 3, clock, 500);
      expect(said.at(-1)).toBe('heartbeat');
    },
  );

  it('registers again when the servers do not know it any more', async () => {
    const { link, said, forget } = createServers();
    start(link);
    await until(() => said.includes('heartbeat'), clock, 500);
    forget();
    const registrations = (): number => said.filter((word) => word === 'register').length;
    await until(() => registrations() === 2, clock, 500);
    expect(registrations()).toBe(2);
  });

  it('runs what is placed on it, says so, and stops what is not wanted any more', async () => {
    const servers = createServers();
    const running = start(servers.link);
    const allocation = allocationOf([task]);
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'running', clock);
    expect(running.running).toBe(1);
    servers.place([{ ...allocation, DesiredStatus: 'stop' }]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'complete', clock);
    expect(running.running).toBe(0);
  });

  it('checks health again for each deployment that an allocation joins', async () => {
    const servers = createServers();
    start(servers.link);
    const Update = { MinHealthyTime: 10e9, HealthyDeadline: 300e9, ProgressDeadline: 600e9, MaxParallel: 1 };
    const first = allocationOf([task], { deployment: 'd1', group: { Update } });
    servers.place([first]);
    const healthOf = (deployment: string): unknown =>
      servers.updates.find(
        ({ DeploymentID, DeploymentStatus }) => DeploymentID === deployment && DeploymentStatus !== undefined,
      )?.DeploymentStatus?.Healthy;
    await until(() => healthOf('d1') !== undefined, clock);
    const reported = servers.updates.length;
    const began = clock.now();
    servers.place([{ ...first, DeploymentID: 'd2' }]);
    await until(() => healthOf('d2') !== undefined, clock);
    expect([healthOf('d1'), healthOf('d2')]).toEqual([true, true]);
    expect(clock.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(servers.updates.slice(reported).every(({ DeploymentID }) => DeploymentID !== 'd1')).toBe(true);
    expect(servers.last(first.ID)).toMatchObject({
      ClientStatus: 'running',
      TaskStates: { t: { Restarts: 0 } },
    });
  });

  it('does not run again what is over, whatever the servers still believe', async () => {
    const servers = createServers();
    start(servers.link);
    const allocation = allocationOf([{ ...task, Config: { run_for: '1s' } }], { type: 'batch' });
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'complete', clock);
    const reported = servers.last(allocation.ID);
    const before = servers.updates.length;
    servers.place([allocation]);
    await until(() => servers.updates.length > before, clock);
    const beats = servers.said.length;
    await until(() => servers.said.length >= beats + 3, clock, 500);
    expect(servers.updates.slice(before)).toEqual([reported]);
  });

  it('loses no report when the servers are away', async () => {
    const servers = createServers();
    start(servers.link);
    await until(() => servers.said.includes('register'), clock, 0);
    const allocation = allocationOf([{ ...task, Config: { run_for: '1s' } }], { type: 'batch' });
    servers.fail(3);
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'complete', clock);
    expect(servers.last(allocation.ID)).toHaveProperty('TaskStates.t.State', 'dead');
  });

  it('logs once that the servers are away and once that they are back, without stack traces', async () => {
    const servers = createServers();
    const lines: string[] = [];
    start(servers.link, createLogHub({ level: 'info', write: (line) => void lines.push(line) }).logger);
    await until(() => servers.said.includes('heartbeat'), clock, 500);
    servers.fail(6);
    await until(() => lines.some((line) => line.includes('works again')), clock, 500);
    const reported = lines.map((line) => JSON.parse(line) as { msg: string; reason?: string; err?: unknown });
    expect(reported.map(({ msg }) => msg)).toEqual([
      'node registered',
      'the heartbeat failed, trying again',
      'the heartbeat works again',
    ]);
    expect(reported[1]).toMatchObject({ reason: 'no servers' });
    expect(lines.join('')).not.toMatch(/stack|    at /);
  });

  it('logs a new reason, with its cause', async () => {
    const servers = createServers();
    const lines: string[] = [];
    let beats = 0;
    const heartbeat = async (): Promise<HeartbeatResponse> => {
      beats += 1;
      if (beats > 6) return servers.link.heartbeat();
      const cause = new Error(beats > 3 ? 'no host' : 'refused');
      throw new SchedulerError('unreachable', 'no servers', { cause });
    };
    start(
      { ...servers.link, heartbeat },
      createLogHub({ level: 'info', write: (line) => void lines.push(line) }).logger,
    );
    await until(() => lines.some((line) => line.includes('works again')), clock, 500);
    const reasons = lines.map((line) => (JSON.parse(line) as { reason?: string }).reason);
    expect(reasons.filter((reason) => reason !== undefined)).toEqual([
      'no servers: refused',
      'no servers: no host',
    ]);
  });

  it('abandons a server that never responds and retries', async () => {
    const servers = createServers();
    let calls = 0;
    start({
      ...servers.link,
      heartbeat: () => ((calls += 1) === 1 ? new Promise(() => undefined) : servers.link.heartbeat()),
    });
    await until(() => servers.said.includes('heartbeat'), clock, 500);
    expect(calls).toBe(2);
  });

  it('runs nothing again that has ended here, however much has, until the servers know it', async () => {
    const servers = createServers();
    const short = { ...task, Config: { run_for: '1s' } };
    const many = Array.from({ length: 60 }, (_, at) => ({
      ...allocationOf([short], { type: 'batch' }),
      ID: `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    }));
    start(servers.link);
    servers.place(many);
    await until(() => many.every(({ ID }) => servers.last(ID)?.ClientStatus === 'complete'), clock);
    const before = servers.updates.length;
    servers.place(many);
    await until(() => servers.said.filter((word) => word === 'heartbeat').length >= 3, clock, 500);
    expect(servers.updates).toHaveLength(before);
  });

  it('reports many allocations in parts', async () => {
    const servers = createServers();
    const running = start(servers.link);
    const ids = Array.from({ length: 150 }, (_, at) => `a${at}`);
    servers.place(ids.map((ID) => ({ ...allocationOf([task]), ID })));
    await until(() => ids.every((id) => servers.last(id)?.ClientStatus === 'running'), clock);
    expect(running.running).toBe(150);
    expect(Math.max(...servers.batches)).toBeLessThanOrEqual(64);
  });

  it('ends its tasks when it closes, and says nothing of it', async () => {
    const servers = createServers();
    const running = start(servers.link);
    const allocation = allocationOf([task]);
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'running', clock);
    const before = servers.updates.length;
    let isClosed = false;
    void running.close().then(() => (isClosed = true));
    await until(() => isClosed, clock);
    expect(running.running).toBe(0);
    expect(servers.updates).toHaveLength(before);
  });

  it('starts again what the servers say has been running here, its restarts not used up', async () => {
    const servers = createServers();
    start(servers.link);
    const event = { Type: 'Started', Time: 1, DisplayMessage: 'Task started by client' };
    const stored = { State: 'running', Failed: false, Restarts: 2, Events: [event] };
    const allocation = {
      ...allocationOf([{ ...task, RestartPolicy: { Attempts: 1, Interval: 1e12, Delay: 0, Mode: 'fail' } }]),
      ClientStatus: 'running',
      TaskStates: { t: { LastRestart: null, StartedAt: null, FinishedAt: null, ...stored } },
    };
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'running', clock);
    const state = servers.last(allocation.ID)?.TaskStates?.['t'];
    expect(state).toMatchObject({ State: 'running', Restarts: 2 });
    expect(state?.Events).toMatchObject([{ Type: 'Started' }, { Type: 'Restored' }, { Type: 'Started' }]);
  });

  it('does not run again the tasks that had ended well', async () => {
    const servers = createServers();
    start(servers.link);
    const done = {
      State: 'dead',
      Failed: false,
      Restarts: 0,
      Events: [],
      LastRestart: null,
      StartedAt: null,
    };
    const allocation = {
      ...allocationOf([task, { ...task, Name: 'other', Config: { run_for: '5s' } }], { type: 'batch' }),
      ClientStatus: 'running',
      TaskStates: { t: { ...done, FinishedAt: '2026-01-01T00:00:00Z' } },
    };
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'complete', clock);
    expect(servers.last(allocation.ID)?.TaskStates?.['t']).toMatchObject({
      State: 'dead',
      FinishedAt: '2026-01-01T00:00:00Z',
      Events: [],
    });
  });

  it('says what it knows of work that was stopped while it was away', async () => {
    const servers = createServers();
    start(servers.link);
    const stored = { State: 'running', Failed: false, Restarts: 1, Events: [], LastRestart: null };
    const allocation = {
      ...allocationOf([task]),
      ClientStatus: 'running',
      DesiredStatus: 'stop',
      TaskStates: { t: { ...stored, StartedAt: '2026-01-01T00:00:00Z', FinishedAt: null } },
    };
    servers.place([allocation]);
    await until(() => servers.last(allocation.ID)?.ClientStatus === 'complete', clock);
    expect(servers.last(allocation.ID)?.TaskStates?.['t']).toMatchObject({ State: 'dead', Restarts: 1 });
  });
});

describe('the identity of a node', () => {
  let count = 0;
  const uuid = (): string => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;

  it('is the same at every start from the same directory', async () => {
    const first = await loadNodeIdentity(directory, uuid);
    expect(await loadNodeIdentity(directory, uuid)).toEqual(first);
    expect(first.id).not.toBe(first.secret);
  });

  it('is new without a directory', async () => {
    expect(await loadNodeIdentity(null, uuid)).not.toEqual(await loadNodeIdentity(null, uuid));
  });

  it.skipIf(process.platform !== 'linux')('is missing if no directory can be created', async () => {
    await expect(loadNodeIdentity('/proc/none/client', uuid)).rejects.toThrow(
      '/proc/none cannot be the data directory',
    );
  });

  it.each(['', 'not json', '{}', '{"id":"x","secret":"y"}', 'null'])(
    'is not guessed from %o',
    async (text) => {
      await writeFile(join(directory, 'node-identity.json'), text);
      await expect(loadNodeIdentity(directory, uuid)).rejects.toThrow('does not say who this node is');
    },
  );
});
