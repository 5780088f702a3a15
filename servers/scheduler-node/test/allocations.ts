import { setImmediate as nextTurn } from 'node:timers/promises';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import type { TaskInput } from '@tamis/scheduler-model/task.js';
import type { TaskGroupInput } from '@tamis/scheduler-model/task-group.js';
import { until as untilSo } from '../../scheduler-model/test/support/until.js';

export interface AllocationOptions {
  readonly type?: string;
  readonly group?: TaskGroupInput;
  readonly deployment?: string;
  readonly allocation?: Partial<Allocation>;
}

/** An allocation of a job with these tasks, as a server places it. */
export function allocationOf(tasks: readonly TaskInput[], options: AllocationOptions = {}): Allocation {
  const { type = 'service', group = {}, deployment = '', allocation = {} } = options;
  const job = completeJob(
    {
      ID: 'web',
      Type: type,
      Meta: { owner: 'ops' },
      TaskGroups: [{ Name: 'g', RestartPolicy: { Attempts: 0, Mode: 'fail' }, ...group, Tasks: tasks }],
    },
    { namespace: 'default', region: 'global' },
  );
  const given = {
    ID: 'a0000000-0000-4000-8000-000000000001',
    Namespace: 'default',
    Name: 'web.g[3]',
    JobID: 'web',
    TaskGroup: 'g',
    DesiredStatus: 'run',
    ClientStatus: 'pending',
    DeploymentID: deployment,
  };
  return { ...completeShape(allocationShape, given), Job: job, ...allocation };
}

/** Lets promises settle and moves the time, again and again, until something is so. */
export async function until(
  condition: () => boolean,
  clock: { advance(milliseconds: number): void },
  step = 50,
): Promise<void> {
  await untilSo(condition, {
    async between() {
      await nextTurn();
      clock.advance(step);
    },
  });
}
