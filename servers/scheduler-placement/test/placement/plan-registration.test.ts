import { drain } from '@tamis/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { place } from '@tamis/scheduler-placement/placement/place.js';
import {
  planningRegistration,
  type PlannedRegistration,
} from '@tamis/scheduler-placement/placement/plan-registration.js';
import type { RowSources } from '@tamis/scheduler-state/state/transaction.js';
import { registerJob, type Registration } from '@tamis/scheduler-state/state/register-job.js';
import { getRow } from 'tamis/table';
import { createCluster, simpleJob, type Cluster } from './cluster.js';

function registrationOf(given: SubmittedJob): Registration {
  const job = completeJob(given, { namespace: 'default', region: 'global' });
  return { job, enforceIndex: null, evalPriority: null };
}

/** IDs that count from the start again: a plan and its execution draw the same ones. */
function countedIds({ sources }: Cluster): RowSources {
  let ids = 0;
  return { ...sources, uuid: () => `00000000-0000-4000-a000-${String((ids += 1)).padStart(12, '0')}` };
}

function planned(cluster: Cluster, given: SubmittedJob): PlannedRegistration {
  const steps = planningRegistration(
    cluster.snapshot,
    registrationOf(given),
    cluster.now,
    countedIds(cluster),
  );
  return drain(steps);
}

const desiredOf = (cluster: Cluster, given: SubmittedJob): unknown =>
  Object.fromEntries(planned(cluster, given).plan?.desired ?? []);

const nothing = { ignore: 0, place: 0, canary: 0, migrate: 0, stop: 0, inPlace: 0, destructive: 0 };
const cheap = { Resources: { CPU: 10, MemoryMB: 10 } };
const web = (count: number, task: object = {}, group: object = {}): SubmittedJob =>
  simpleJob(
    'web',
    {},
    { Count: count, Tasks: [{ Name: 't', Driver: 'raw_exec', ...cheap, ...task }], ...group },
  );

describe('what registering a job would do', () => {
  it.each<[what: string, before: SubmittedJob | null, after: SubmittedJob, desired: object]>([
    ['a new job', null, web(3), { web: { place: 3 } }],
    ['the same job', web(3), web(3), { web: { ignore: 3 } }],
    ['a higher count', web(3), web(5), { web: { ignore: 0, place: 2, inPlace: 3 } }],
    ['a lower count', web(3), web(1), { web: { stop: 2, inPlace: 1 } }],
    ['what needs no restart', web(2), web(2, { KillTimeout: 7_000_000_000 }), { web: { inPlace: 2 } }],
    ['another command', web(2), web(2, { Env: { A: 'b' } }), { web: { ignore: 1, destructive: 1 } }],
    [
      'canaries first',
      web(2),
      web(2, { Env: { A: 'b' } }, { Update: { Canary: 1, MaxParallel: 1 } }),
      { web: { ignore: 2, canary: 1 } },
    ],
    ['another group', web(2), web(2, {}, { Name: 'api' }), { web: { stop: 2 }, api: { place: 2 } }],
    ['a hundred thousand', null, web(100_000), { web: { place: 100_000 } }],
    ['a system job', null, { ...web(1), Type: 'system' }, { web: { place: 4 } }],
  ])('%s', (_, before, after, desired) => {
    const cluster = createCluster();
    for (let at = 0; at < 4; at += 1) cluster.node({});
    if (before !== null) cluster.run(cluster.job(before));
    const { snapshot } = cluster;
    const counts = Object.entries(desired).map(([group, given]) => [group, { ...nothing, ...given }]);
    expect(desiredOf(cluster, after)).toEqual(Object.fromEntries(counts));
    expect(cluster.snapshot).toBe(snapshot);
  });

  it('is that a failed allocation and one of a node that is gone are placed again', () => {
    const cluster = createCluster();
    for (let at = 0; at < 4; at += 1) cluster.node({});
    const job = web(4, {}, { ReschedulePolicy: { Unlimited: true, Delay: 5_000_000_000 } });
    cluster.run(cluster.job(job));
    cluster.leave(0);
    const removed = cluster.running().filter(({ NodeID }) => NodeID.endsWith('1')).length;
    expect(desiredOf(cluster, job)).toEqual({ web: { ...nothing, ignore: 4 - removed, place: removed } });
  });

  it('is what then happens, whatever there is', () => {
    const change = fc.record({
      count: fc.integer({ min: 0, max: 5 }),
      cpu: fc.integer({ min: 1, max: 3_000 }),
      killTimeout: fc.constantFrom(1, 2),
      group: fc.constantFrom('g', 'h'),
      type: fc.constantFrom('service', 'batch'),
    });
    const given = ({ count, cpu, killTimeout, group, type }: Change): SubmittedJob => ({
      ...simpleJob('x', { Type: type }),
      TaskGroups: web(count, {
        KillTimeout: killTimeout * 1_000_000_000,
        Resources: { CPU: cpu, MemoryMB: 10 },
      }).TaskGroups!.map((one) => ({ ...one, Name: group })),
    });
    type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 }),
        change,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat(2)),
        (nodes, first, changes, leaving) => {
          const cluster = createCluster();
          for (let at = 0; at < nodes; at += 1) cluster.node({});
          cluster.run(cluster.job(given(first)));
          if (leaving !== null) cluster.leave(leaving);
          for (const each of changes) {
            const job = given({ ...each, type: first.type });
            const { plan } = planned(cluster, job);
            const ids = countedIds(cluster);
            const { evalId } = cluster.write(
              (transaction) => registerJob(transaction, registrationOf(job)),
              ids,
            );
            const evaluation = getRow(cluster.snapshot.tables.evaluations, evalId)!;
            const done = place(cluster.snapshot.tables, evaluation, {
              ...cluster.options(evalId),
              uuid: ids.uuid,
            });
            expect(plan?.placed.map(({ Name, NodeID }) => [Name, NodeID])).toEqual(
              done.placed.map(({ Name, NodeID }) => [Name, NodeID]),
            );
            expect([...(plan?.failed.keys() ?? [])]).toEqual([...done.failed.keys()]);
            const sum = (pick: 'place' | 'migrate' | 'destructive' | 'canary'): number =>
              [...(plan?.desired.values() ?? [])].reduce((total, one) => total + one[pick], 0);
            const required = sum('place') + sum('migrate') + sum('destructive') + sum('canary');
            const queued = Object.values(done.queued).reduce((total, one) => total + one, 0);
            expect(required).toBe(done.placed.length + queued);
            cluster.apply(done);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
