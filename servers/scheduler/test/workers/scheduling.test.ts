import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { scanRows, fullRange } from 'tamis/table';
import { evaluateJob } from '@tamis/scheduler-state/state/evaluate-job.js';
import { registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { updateAllocations } from '@tamis/scheduler-state/state/update-allocations.js';
import { defaultNode, simpleJob } from '../../../scheduler-placement/test/placement/cluster.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createLastingStorage } from '../../../scheduler-state/test/support/storage-log.js';
import { call, createTestAgent, type TestOptions } from '../support/test-agent.js';

const working = { server: { ...defaultAgentConfig.server, numSchedulers: 2 } };

/** An agent whose workers work, on a clock that is moved by hand. */
async function start(
  clock: FakeClock,
  options: TestOptions = {},
): Promise<{ agent: Agent; put: (job: object) => Promise<void> }> {
  const agent = await createTestAgent({ clock, ...options, config: { ...working, ...options.config } });
  const put = async (Job: object): Promise<void> => {
    expect(await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } })).toMatchObject({ status: 200 });
    await settled(agent);
  };
  return { agent, put };
}

/** Turns without a change after which nothing more is to come: what is loaded at first takes some. */
const quietTurns = 50;

/** Lets the workers do what there is to do: resolves when the state has not changed for some turns. */
async function settled(agent: Agent): Promise<void> {
  let quiet = 0;
  for (let last = -1; quiet < quietTurns;) {
    await new Promise((resolve) => setImmediate(resolve));
    const { index } = agent.state.snapshot();
    quiet = index === last ? quiet + 1 : 0;
    last = index;
  }
}

async function addNode(agent: Agent, at: number): Promise<string> {
  const node = completeShape(nodeShape, defaultNode(at));
  await agent.state.write((transaction) => registerNode(transaction, node));
  await settled(agent);
  return node.ID;
}

function evaluationsOf(agent: Agent): Evaluation[] {
  return [...scanRows(agent.state.snapshot().tables.evaluations.listed, fullRange, false)];
}

async function statusOf(agent: Agent, id: string): Promise<unknown> {
  return ((await call(agent, `/v1/job/${id}`)).json() as { Status: string }).Status;
}

function allocationsOf(agent: Agent): { ID: string; NodeID: string; DesiredStatus: string }[] {
  return [...scanRows(agent.state.snapshot().tables.allocations.listed, fullRange, false)];
}

describe('the workers of an agent', () => {
  it('place what is registered, and what waited for a node when one joins', async () => {
    const { agent, put } = await start(createFakeClock());
    await put(simpleJob('a', {}, { Count: 2 }));
    expect(evaluationsOf(agent).map(({ Status }) => Status)).toEqual(['complete', 'blocked']);
    expect(await statusOf(agent, 'a')).toBe('pending');
    await addNode(agent, 1);
    expect(evaluationsOf(agent).map(({ Status }) => Status)).toEqual(['complete', 'complete']);
    expect(await statusOf(agent, 'a')).toBe('running');
    const summary = (await call(agent, '/v1/job/a/summary')).json();
    expect(summary).toMatchObject({ Summary: { web: { Queued: 0, Starting: 2 } } });
    await agent.close();
  });

  it('process the newest of many evaluations of a job, and cancel the others', async () => {
    const { agent, put } = await start(createFakeClock());
    await addNode(agent, 1);
    await put(simpleJob('busy'));
    await agent.state.write((transaction) => {
      for (let count = 0; count < 19; count += 1) {
        evaluateJob(transaction, { Namespace: 'default', ID: 'busy' }, false);
      }
    });
    await settled(agent);
    const statuses = evaluationsOf(agent).map(({ Status }) => Status);
    expect(statuses).toHaveLength(20);
    expect(new Set(statuses)).toEqual(new Set(['complete', 'canceled']));
    expect(statuses.filter((status) => status === 'complete').length).toBeLessThan(5);
    expect(evaluationsOf(agent).find(({ Status }) => Status === 'canceled')?.StatusDescription).toBe(
      'canceled after more recent eval was processed',
    );
    expect(allocationsOf(agent)).toHaveLength(1);
    await agent.close();
  });

  it('place what waited for room when something ends', async () => {
    const { agent, put } = await start(createFakeClock());
    const nodeId = await addNode(agent, 1);
    await put(simpleJob('full', { Type: 'batch' }, { Count: 8 }));
    await put(simpleJob('more'));
    expect(allocationsOf(agent)).toHaveLength(8);
    const [first] = allocationsOf(agent);
    await agent.state.write((transaction) =>
      updateAllocations(transaction, nodeId, [{ ID: first!.ID, ClientStatus: 'complete' }]),
    );
    await settled(agent);
    expect(allocationsOf(agent)).toHaveLength(9);
    expect(await statusOf(agent, 'more')).toBe('running');
    await agent.close();
  });

  it('do nothing while the broker is paused, and say that they wait', async () => {
    const { agent, put } = await start(createFakeClock(), {
      config: { server: { ...working.server, pauseEvalBroker: true } },
    });
    await put(simpleJob('a'));
    expect(evaluationsOf(agent).map(({ Status }) => Status)).toEqual(['pending']);
    expect((await call(agent, '/v1/agent/schedulers')).json()).toMatchObject({
      schedulers: [
        { status: 'Started', workload_status: 'WaitingToDequeue' },
        { status: 'Started', workload_status: 'WaitingToDequeue' },
      ],
    });
    await agent.close();
  });

  it('rest, three in four of them, while other servers share the work', async () => {
    const { agent } = await start(createFakeClock(), {
      config: {
        server: { ...working.server, numSchedulers: 4 },
        membership: {
          kind: 'local',
          roster: [
            {
              name: 'srv2.global',
              address: '10.0.0.2:4648',
              status: 'alive',
              tags: new Map([
                ['role', 'scheduler'],
                ['region', 'global'],
              ]),
            },
          ],
        },
      },
    });
    await agent.listen();
    await settled(agent);
    const { schedulers } = (await call(agent, '/v1/agent/schedulers')).json() as {
      schedulers: { status: string; workload_status: string }[];
    };
    expect(schedulers.map(({ status }) => status)).toEqual(['Paused', 'Paused', 'Paused', 'Started']);
    expect(schedulers[0]?.workload_status).toBe('Paused');
    await agent.close();
  });

  it('are replaced when their configuration changes, and only then', async () => {
    const { agent, put } = await start(createFakeClock());
    const ids = async (): Promise<string[]> => {
      const { schedulers } = (await call(agent, '/v1/agent/schedulers')).json() as {
        schedulers: { id: string }[];
      };
      return schedulers.map(({ id }) => id);
    };
    const before = await ids();
    const config = { num_schedulers: 2, enabled_schedulers: [...working.server.enabledSchedulers] };
    const change = (body: object): Promise<unknown> =>
      call(agent, '/v1/agent/schedulers/config', { method: 'PUT', body });
    await change(config);
    expect(await ids()).toEqual(before);
    await change({ ...config, num_schedulers: 1 });
    const after = await ids();
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]);
    await addNode(agent, 1);
    await put(simpleJob('a'));
    expect(allocationsOf(agent)).toHaveLength(1);
    await agent.close();
  });

  it('take up after a restart what was left pending', async () => {
    // The same memory, opened twice.
    const storage = createLastingStorage();
    const paused = await start(createFakeClock(), {
      storage,
      config: { server: { ...working.server, pauseEvalBroker: true } },
    });
    await addNode(paused.agent, 1);
    await paused.put(simpleJob('a'));
    await paused.agent.close();
    const { agent } = await start(createFakeClock(), { storage });
    await settled(agent);
    expect(evaluationsOf(agent).map(({ Status }) => Status)).toEqual(['complete']);
    expect(allocationsOf(agent)).toHaveLength(1);
    await agent.close();
  });

  it('leave a sample as it is, for an hour', async () => {
    const clock = createFakeClock(Date.UTC(2026, 6, 1));
    const { agent } = await start(clock, { config: { ...working, fill: { kind: 'sample', isStill: true } } });
    await settled(agent);
    const before = agent.state.snapshot();
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60_000);
      clock.runSoon();
    }
    await settled(agent);
    expect(agent.state.snapshot().index).toBe(before.index);
    expect(agent.state.snapshot().tables).toBe(before.tables);
    await agent.close();
  });

  it('leave an import as it is: its evaluations, deployments and drains are documents', async () => {
    const clock = createFakeClock(Date.UTC(2026, 6, 1));
    const at = new Date(clock.now() + 60_000).toISOString();
    const lines = [
      {
        kind: 'node',
        object: { ...defaultNode(1), SchedulingEligibility: 'eligible', DrainStrategy: { Deadline: -1 } },
      },
      { kind: 'node', object: { ...defaultNode(2), SchedulingEligibility: 'eligible', NodePool: 'default' } },
      {
        kind: 'job',
        object: { ID: 'j', Type: 'service', Status: 'pending', CreateIndex: 9, ModifyIndex: 9 },
      },
      {
        kind: 'job',
        object: { ID: 'p', Type: 'batch', Periodic: { Enabled: true, Spec: '* * * * *' }, CreateIndex: 12 },
      },
      {
        kind: 'evaluation',
        object: { ID: 'e', JobID: 'j', Type: 'service', Status: 'pending', CreateIndex: 10 },
      },
      {
        kind: 'evaluation',
        object: { ID: 'b', JobID: 'j', Type: 'service', Status: 'blocked', CreateIndex: 11 },
      },
      {
        kind: 'deployment',
        object: {
          ID: 'd',
          JobID: 'j',
          Status: 'running',
          CreateIndex: 10,
          TaskGroups: { g: { RequireProgressBy: at, DesiredTotal: 1 } },
        },
      },
    ];
    const { agent, put } = await start(clock, { lines });
    const before = agent.state.snapshot();
    clock.advance(3_600_000);
    await settled(agent);
    expect(agent.state.snapshot().index).toBe(before.index);
    // A node without a client gets nothing, for any registration.
    await put(simpleJob('new'));
    expect(allocationsOf(agent)).toEqual([]);
    await agent.close();
  });

  it('end what cannot be processed, and try it again later', async () => {
    const clock = createFakeClock();
    const { agent, put } = await start(clock);
    await addNode(agent, 1);
    await put(simpleJob('a'));
    const { tables } = agent.state.snapshot();
    const [job] = [...scanRows(tables.jobs.primary, fullRange, false)];
    // A row that no version of this program has written: placing it throws.
    const broken = { ...job!, ID: 'broken', TaskGroups: [null] as never };
    await agent.state.write((transaction) => {
      transaction.put('jobs', broken);
      transaction.put('evaluations', {
        ...evaluationsOf(agent)[0]!,
        ID: 'e-broken',
        JobID: 'broken',
        Status: 'pending',
        CreateIndex: transaction.index,
        ModifyIndex: transaction.index,
      });
    });
    for (let round = 0; round < 6; round += 1) {
      await settled(agent);
      clock.advance(25_000);
    }
    await settled(agent);
    const [failed, next] = evaluationsOf(agent).filter(({ JobID }) => JobID === 'broken');
    expect(failed).toMatchObject({
      Status: 'failed',
      StatusDescription: 'evaluation reached delivery limit (3)',
      NextEval: next?.ID,
    });
    expect(next).toMatchObject({ TriggeredBy: 'failed-follow-up' });
    await agent.close();
  });
});

describe('what an agent does in time', () => {
  const batch = simpleJob('nightly', {
    Type: 'batch',
    Periodic: { Spec: '*/10 * * * *', ProhibitOverlap: true },
  });

  function jobsOf(agent: Agent): string[] {
    return [...scanRows(agent.state.snapshot().tables.jobs.primary, fullRange, false)].map(({ ID }) => ID);
  }

  /** Moves the clock and lets the workers follow. */
  async function pass(agent: Agent, clock: FakeClock, milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    clock.runSoon();
    await settled(agent);
  }

  async function endAll(agent: Agent): Promise<void> {
    const { tables } = agent.state.snapshot();
    for (const { ID, NodeID, ClientStatus } of scanRows(tables.allocations.primary, fullRange, false)) {
      if (ClientStatus !== 'pending') continue;
      const update = [{ ID, ClientStatus: 'complete' }];
      await agent.state.write((transaction) => updateAllocations(transaction, NodeID, update));
    }
    await settled(agent);
  }

  it('launches a periodic job at its times, but not over one that still runs', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    const { agent, put } = await start(clock);
    await addNode(agent, 1);
    await put(batch);
    await pass(agent, clock, 1_000);
    expect(jobsOf(agent)).toEqual(['nightly']);
    await pass(agent, clock, 599_000);
    expect(jobsOf(agent)).toEqual(['nightly', 'nightly/periodic-1767226200']);
    expect(allocationsOf(agent)).toHaveLength(1);
    await pass(agent, clock, 600_000);
    expect(jobsOf(agent)).toHaveLength(2);
    await endAll(agent);
    expect(await statusOf(agent, 'nightly/periodic-1767226200')).toBe('dead');
    expect((await call(agent, '/v1/job/nightly/summary')).json()).toMatchObject({
      Children: { Pending: 0, Running: 0, Dead: 1 },
    });
    await pass(agent, clock, 600_000);
    expect(jobsOf(agent)).toHaveLength(3);
    await agent.close();
  });

  it.each(['minute', 'hour'])(
    'launches periodic jobs of each %s within one interval when a clock that was an hour ahead led before',
    async (unit) => {
      const interval = unit === 'minute' ? 60_000 : 3_600_000;
      const began = Date.UTC(2026, 0, 1, 0, 0, 30);
      const storage = createLastingStorage();
      const ahead = createFakeClock(began + 3_600_000);
      const { agent: former, put: putFormer } = await start(ahead, { storage });
      const Spec = unit === 'minute' ? '* * * * *' : '0 * * * *';
      await putFormer(
        simpleJob('often', { Type: 'batch', Periodic: { Enabled: true, Spec, SpecType: 'cron' } }),
      );
      await pass(former, ahead, 1_000);
      for (let halves = 0; halves < 20; halves += 1) await pass(former, ahead, 30_000);
      const launched = jobsOf(former).length;
      expect(launched).toBe(unit === 'minute' ? 11 : 1);
      await former.close();
      const clock = createFakeClock(began + 600_000);
      const { agent, put } = await start(clock, { storage });
      for (let count = 1; count <= 75; count += 1) {
        for (let part = 0; part < 4; part += 1) await pass(agent, clock, interval / 4);
        expect([count, jobsOf(agent).length]).toEqual([count, launched + count]);
      }
      await put(simpleJob('later'));
      const { SubmitTime } = (await call(agent, '/v1/job/later')).json() as { SubmitTime: number };
      expect(Math.abs(SubmitTime / 1e6 - clock.now())).toBeLessThan(1_000);
      await agent.close();
    },
  );

  it('forgets what has ended long ago', async () => {
    const clock = createFakeClock();
    const { agent, put } = await start(clock);
    await addNode(agent, 1);
    await put(simpleJob('done', { Type: 'batch' }));
    await put(simpleJob('service'));
    await put(simpleJob('stopped', { Type: 'batch' }));
    await endAll(agent);
    await call(agent, '/v1/job/stopped', { method: 'DELETE' });
    await settled(agent);
    await pass(agent, clock, 2 * 3_600_000);
    expect(jobsOf(agent)).toEqual(['done', 'service', 'stopped']);
    // What a batch has done is what keeps it from being done again.
    expect(evaluationsOf(agent).some(({ JobID }) => JobID === 'done')).toBe(true);
    for (let hour = 0; hour < 3; hour += 1) await pass(agent, clock, 3_600_000);
    await pass(agent, clock, 300_000);
    expect(jobsOf(agent)).toEqual(['service']);
    expect(evaluationsOf(agent).filter(({ JobID }) => JobID !== 'service')).toEqual([]);
    await agent.close();
  });

  it('fails a deployment that makes no progress', async () => {
    const clock = createFakeClock();
    const { agent, put } = await start(clock);
    await addNode(agent, 1);
    await put(simpleJob('a'));
    const statuses = async (): Promise<unknown> =>
      ((await call(agent, '/v1/deployments')).json() as { Status: string; StatusDescription: string }[]).map(
        ({ Status, StatusDescription }) => [Status, StatusDescription],
      );
    expect(await statuses()).toEqual([['running', 'Deployment is running']]);
    await pass(agent, clock, 600_000);
    expect(await statuses()).toEqual([['failed', 'Failed due to progress deadline']]);
    await agent.close();
  });
});
