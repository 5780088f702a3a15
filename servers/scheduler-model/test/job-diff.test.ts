import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import { diffJobs } from '@tamis/scheduler-model/job-diff.js';
import type { JobInput, Job } from '@tamis/scheduler-model/job.js';
const task = { Name: 't', Driver: 'docker', Config: { image: 'web:1' } };
const group = { Name: 'g', Count: 1, Tasks: [task] };

function job(changes: JobInput = {}): Job {
  const given = { ID: 'web', Datacenters: ['dc1'], TaskGroups: [group], ...changes };
  return completeJob(given, { namespace: 'default', region: 'global' });
}

const edited = { Type: 'Edited', Annotations: null } as const;

describe('the difference of two versions of a job', () => {
  it('returns null if only the cluster has written to it', () => {
    const after = { ...job(), Version: 7, Status: 'dead', ModifyIndex: 99, SubmitTime: 5 };
    expect(diffJobs(job(), after)).toEqual({
      Type: 'None',
      ID: 'web',
      Fields: null,
      Objects: null,
      TaskGroups: null,
    });
  });

  it.each<[what: string, before: JobInput, after: JobInput, fields: unknown]>([
    ['a number', {}, { Priority: 70 }, [{ ...edited, Name: 'Priority', Old: '50', New: '70' }]],
    ['a switch', {}, { AllAtOnce: true }, [{ ...edited, Name: 'AllAtOnce', Old: 'false', New: 'true' }]],
    [
      'entries of a map',
      { Meta: { a: '1', b: '2' } },
      { Meta: { b: '3', c: '4' } },
      [
        { Type: 'Deleted', Name: 'Meta[a]', Old: '1', New: '', Annotations: null },
        { ...edited, Name: 'Meta[b]', Old: '2', New: '3' },
        { Type: 'Added', Name: 'Meta[c]', Old: '', New: '4', Annotations: null },
      ],
    ],
  ])('reports %s', (_what, before, after, fields) => {
    const found = diffJobs(job(before), job(after));
    expect(found).toMatchObject({ Type: 'Edited', Objects: null, TaskGroups: null });
    expect(found.Fields).toEqual(fields);
  });

  it('reports lists and blocks', () => {
    const constraint = { LTarget: '${attr.kernel.name}', RTarget: 'linux', Operand: '=' };
    const found = diffJobs(job(), job({ Datacenters: ['dc2'], Constraints: [constraint] }));
    expect(found.Objects).toMatchObject([
      {
        Type: 'Edited',
        Name: 'Datacenters',
        Fields: [
          { Type: 'Deleted', Name: 'Datacenters', Old: 'dc1', New: '' },
          { Type: 'Added', Name: 'Datacenters', Old: '', New: 'dc2' },
        ],
      },
      { Type: 'Added', Name: 'Constraint' },
    ]);
    expect(diffJobs(job({ Constraints: [constraint] }), job()).Objects).toMatchObject([
      { Type: 'Deleted', Name: 'Constraint' },
    ]);
  });

  it('goes into groups and tasks, by their names', () => {
    const after = job({
      TaskGroups: [
        { Name: 'new', Tasks: [task] },
        {
          ...group,
          Count: 3,
          Tasks: [
            { ...task, Config: { image: 'web:2' } },
            { Name: 'side', Driver: 'exec' },
          ],
        },
      ],
    });
    expect(diffJobs(job(), after).TaskGroups).toMatchObject([
      {
        Type: 'Edited',
        Name: 'g',
        Fields: [{ Name: 'Count', Old: '1', New: '3' }],
        Tasks: [
          { Type: 'Added', Name: 'side' },
          { Type: 'Edited', Name: 't', Fields: [{ Name: 'Config[image]', Old: 'web:1', New: 'web:2' }] },
        ],
      },
      { Type: 'Added', Name: 'new', Tasks: [{ Type: 'Added', Name: 't' }] },
    ]);
  });

  it('seen from the other side swaps old and new', () => {
    const given = fc.record({
      Priority: fc.integer({ min: 1, max: 3 }),
      Meta: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('1', '2')),
      Datacenters: fc.uniqueArray(fc.constantFrom('dc1', 'dc2', 'dc3'), { minLength: 1 }),
    });
    fc.assert(
      fc.property(given, given, (a, b) => {
        const there = diffJobs(job(a), job(b));
        const back = diffJobs(job(b), job(a));
        expect(there.Type).toBe(back.Type);
        expect((there.Fields ?? []).map(({ Name, Old, New }) => [Name, Old, New])).toEqual(
          (back.Fields ?? []).map(({ Name, Old, New }) => [Name, New, Old]),
        );
      }),
    );
  });
});
