import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Job } from '@tamis/scheduler-model/job.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { planningRegistration } from '@tamis/scheduler-placement/placement/plan-registration.js';
import type { DesiredUpdates, Plan } from '@tamis/scheduler-state/state/plan.js';
import { drain } from '@tamis/http';
import { createCluster, simpleJob, type Cluster } from './cluster.js';

type Place = 'job' | 'group' | 'task';

interface Version {
  readonly rack: string | null;
  readonly where: Place;
  readonly env: string;
  readonly cpu: number;
  readonly killTimeout: number;
}

const first: Version = { rack: null, where: 'group', env: 'a', cpu: 100, killTimeout: 5_000_000_000 };

function systemJob({ rack, where, env, cpu, killTimeout }: Version): SubmittedJob {
  const Constraints = rack === null ? [] : [{ LTarget: '${meta.rack}', RTarget: rack, Operand: '=' }];
  const at = (place: Place): object => (place === where ? { Constraints } : {});
  const Task = {
    ...{
      Name: 't',
      Driver: 'raw_exec',
      Config: { command: 'sh' },
      Env: { VALUE: env },
      KillTimeout: killTimeout,
    },
    ...{ Resources: { CPU: cpu, MemoryMB: 10 }, ...at('task') },
  };
  const job = simpleJob('s', { Type: 'system', ...at('job') }, { Tasks: [Task], ...at('group') });
  return job;
}

/** What `job plan` would say of a version. */
function predict(cluster: Cluster, version: Version): Plan {
  const job: Job = completeJob(systemJob(version), { namespace: 'default', region: 'global' });
  const registration = { job, enforceIndex: null, evalPriority: null };
  const planned = planningRegistration(cluster.snapshot, registration, cluster.now, cluster.sources);
  const { plan } = drain(planned);
  if (plan === null) throw new Error('A system job is always evaluated');
  return plan;
}

/** Registers a version and places it; returns what has become of the allocations. */
function happen(cluster: Cluster, version: Version): Partial<DesiredUpdates> {
  const before = new Map(cluster.running().map((row) => [row.ID, row]));
  cluster.run(cluster.job(systemJob(version)));
  const after = cluster.running();
  const ids = new Set(after.map(({ ID }) => ID));
  const fresh = after.filter(({ ID }) => !before.has(ID));
  const replaced = new Set(fresh.map(({ PreviousAllocation }) => PreviousAllocation));
  const inPlace = after.filter((row) => before.has(row.ID) && before.get(row.ID)?.Job !== row.Job).length;
  return {
    place: fresh.filter(({ PreviousAllocation }) => PreviousAllocation === '').length,
    destructive: fresh.filter(({ PreviousAllocation }) => PreviousAllocation !== '').length,
    stop: [...before.keys()].filter((id) => !ids.has(id) && !replaced.has(id)).length,
    inPlace,
    ignore: after.length - fresh.length - inPlace,
  };
}

describe('the plan of a system job', () => {
  it.each<Place>(['job', 'group', 'task'])(
    'stops it where a constraint of the %s is no longer met',
    (where) => {
      const cluster = createCluster();
      for (const rack of ['a', 'b']) cluster.node({ Meta: { rack } });
      cluster.run(cluster.job(systemJob(first)));
      const version: Version = { ...first, rack: 'a', where };
      expect(predict(cluster, version).desired.get('web')).toMatchObject({
        stop: 1,
        inPlace: 1,
        destructive: 0,
      });
      expect(happen(cluster, version)).toMatchObject({ stop: 1, inPlace: 1, destructive: 0 });
    },
  );

  it('fails when no node meets its constraints, and says which', () => {
    const cluster = createCluster();
    for (const rack of ['a', 'b']) cluster.node({ Meta: { rack } });
    const { failed, desired } = predict(cluster, { ...first, rack: 'none' });
    expect(desired.get('web')).toMatchObject({ place: 0 });
    expect(failed.get('web')).toMatchObject({ NodesEvaluated: 2, NodesFiltered: 2 });
    cluster.run(cluster.job(systemJob({ ...first, rack: 'none' })));
    expect(cluster.evaluations().map(({ Status }) => Status)).toEqual(['complete', 'blocked']);
    cluster.node({ Meta: { rack: 'none' } });
    for (const evaluation of cluster.evaluations())
      if (evaluation.Status === 'blocked') cluster.run(evaluation);
    expect(cluster.running()).toHaveLength(1);
    expect(cluster.evaluations().map(({ Status }) => Status)).not.toContain('blocked');
  });

  it('fails when there is no node', () => {
    expect([...predict(createCluster(), first).failed.keys()]).toEqual(['web']);
  });

  it('fails for the nodes without room alone', () => {
    const cluster = createCluster();
    for (const rack of ['a', 'a', 'b']) cluster.node({ Meta: { rack } });
    cluster.run(
      cluster.job(
        simpleJob(
          'big',
          {},
          { Count: 1, Tasks: [{ Name: 't', Driver: 'raw_exec', Resources: { CPU: 3_900 } }] },
        ),
      ),
    );
    const { failed, desired } = predict(cluster, { ...first, cpu: 3_000 });
    expect(failed.get('web')).toMatchObject({ CoalescedFailures: 0 });
    expect(desired.get('web')).toMatchObject({ place: 3 });
  });

  const version: fc.Arbitrary<Version> = fc.record({
    rack: fc.constantFrom(null, 'a', 'b', 'none'),
    where: fc.constantFrom<Place>('job', 'group', 'task'),
    env: fc.constantFrom('a', 'b'),
    cpu: fc.constantFrom(100, 200),
    killTimeout: fc.constantFrom(5_000_000_000, 6_000_000_000),
  });

  it('predicts what happens, and fails when nothing runs afterwards', () => {
    const racks = fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 });
    fc.assert(
      fc.property(racks, fc.array(version, { minLength: 1, maxLength: 4 }), (nodes, versions) => {
        const cluster = createCluster();
        for (const rack of nodes) cluster.node({ Meta: { rack } });
        for (const each of versions) {
          const { desired, failed } = predict(cluster, each);
          const happened = happen(cluster, each);
          expect(desired.get('web')).toMatchObject(happened);
          expect(failed.size > 0).toBe(cluster.running().length === 0);
        }
      }),
      { numRuns: 100 },
    );
  });
});
