import { isFinished, isStopped, type ClientStatus } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { createFlag, nodeRegisteredKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import type { LeaderTask } from '@tamis/scheduler-state/cluster/leader-tasks.js';
import { dispatchJob } from '@tamis/scheduler-state/state/dispatch-job.js';
import { allocationsOfJob, deploymentsOfJob } from '@tamis/scheduler-state/state/lookups.js';
import { isReady } from '@tamis/scheduler-state/state/node-rows.js';
import { registerJob } from '@tamis/scheduler-state/state/register-job.js';
import { scaleJob } from '@tamis/scheduler-state/state/scale-job.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { stopAllocation } from '@tamis/scheduler-state/state/stop-allocation.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { updateAllocations } from '@tamis/scheduler-state/state/update-allocations.js';
import { fullRange, scanRows } from 'tamis/table';
import { createSampleRandom, type SampleRandom } from './random.js';
import { endedTask, instantOf, startedTask, taskStates } from './sample-tasks.js';

/** Interval between the reports of the clients, in ms. */
const reportInterval = 2_000;
/** Interval between two actions, in ms. Each is followed by a few changes. */
const actionInterval = 20_000;
/** Maximum count when scaling a group. Prevents the sample from filling its nodes. */
const maxCount = 4;

/** Ages in ms at which a client reports the next status of an allocation. */
const ages = { started: 3_000, stopped: 2_000, healthy: 12_000, completed: 45_000 } as const;

/** The dependencies of the activity. */
export interface SampleActivityDependencies {
  readonly state: Pick<State, 'snapshot' | 'write'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/**
 * Simulates activity in the sample cluster: clients of its nodes report on placed allocations without running them, and an
 * operator acts three times a minute. Ended objects are garbage-collected, so the cluster does not grow.
 */
export function createSampleActivity({ state, clock }: SampleActivityDependencies): LeaderTask {
  const random = createSampleRandom(1);
  let sample: Sample = { nodeIds: new Set(), index: 0 };
  let cancel = (): void => undefined;
  let nextAction = 0;

  async function step(): Promise<void> {
    const now = clock.now();
    const isActing = now >= nextAction;
    if (isActing) nextAction = now + actionInterval;
    else if (reportsOf(state.snapshot().tables, sample, now).size === 0) return;
    await state.write((transaction) => {
      for (const [nodeId, updates] of reportsOf(transaction.tables, sample, now))
        updateAllocations(transaction, nodeId, updates);
      if (isActing) act(transaction, random, sample, now);
    });
  }

  function schedule(): void {
    cancel = clock.after(reportInterval, () => {
      schedule();
      // A failed action is skipped, as is a step of a closing server.
      step().catch(() => undefined);
    });
  }

  return {
    async start() {
      const { tables, index } = state.snapshot();
      const ready = [...scanRows(tables.nodes.primary, fullRange, false)].filter(isReady);
      sample = { nodeIds: new Set(ready.map(({ ID }) => ID)), index };
      // Makes the nodes usable for placement, without a heartbeat deadline.
      await state.write((transaction) => {
        for (const id of sample.nodeIds)
          transaction.put('marks', createFlag(nodeRegisteredKey(id), transaction.index));
      });
      nextAction = clock.now() + actionInterval;
      schedule();
    },
    stop: () => cancel(),
  };
}

/** The objects of the sample: nodes that clients report for, and rows up to an index. */
interface Sample {
  readonly nodeIds: ReadonlySet<string>;
  readonly index: number;
}

/** Returns the pending reports of clients by node. */
function reportsOf(
  { allocations }: Tables,
  sample: Sample,
  now: number,
): ReadonlyMap<string, AllocationUpdate[]> {
  const found = new Map<string, AllocationUpdate[]>();
  for (const row of scanRows(allocations.primary, fullRange, false)) {
    if (isFinished(row) || !sample.nodeIds.has(row.NodeID)) continue;
    const update = reportOf(row, sample, now);
    if (update === null) continue;
    const updates = found.get(row.NodeID);
    if (updates === undefined) found.set(row.NodeID, [update]);
    else updates.push(update);
  }
  return found;
}

function reportOf(row: Allocation, { index }: Sample, now: number): AllocationUpdate | null {
  const { ID, ClientStatus, Job, DeploymentID, DeploymentStatus } = row;
  const age = now - Number(row.ModifyTime) / 1e6;
  if (isStopped(row))
    return age < ages.stopped ? null : report(row, 'complete', (task) => endedTask(task, now, 'killed'));
  if (ClientStatus === 'pending')
    return age < ages.started ? null : report(row, 'running', () => startedTask(now));
  if (DeploymentID !== '' && (DeploymentStatus?.Healthy ?? null) === null) {
    if (age < ages.healthy) return null;
    return { ID, DeploymentID, DeploymentStatus: { Healthy: true, Timestamp: instantOf(now) } };
  }
  // The initial batch jobs of the sample do not end.
  const ends = row.CreateIndex > index && (Job?.Type === 'batch' || Job?.Type === 'sysbatch');
  return ends && age >= ages.completed
    ? report(row, 'complete', (task) => endedTask(task, now, 'completed'))
    : null;
}

function report(
  row: Allocation,
  ClientStatus: ClientStatus,
  change: (task: TaskState) => TaskState,
): AllocationUpdate {
  // Input types exclude null, but the times of a task may be null, as clients send them.
  return { ID: row.ID, ClientStatus, TaskStates: taskStates(row, change) as never };
}

/** Performs a random action or failure on the jobs of the sample. */
function act(transaction: Transaction, random: SampleRandom, sample: Sample, now: number): void {
  const { tables } = transaction;
  const jobs = [...scanRows(tables.jobs.primary, fullRange, false)].filter(
    (job) => job.CreateIndex <= sample.index && !job.Stop,
  );
  const action = random.weighted([
    ['dispatch', 30],
    ['stop', 25],
    ['update', 20],
    ['scale', 15],
    ['fail', 7],
    ['restart', 3],
  ] as const);
  const eligible = jobs.filter(action === 'dispatch' ? isDispatchable : (job) => isSteady(tables, job));
  if (eligible.length === 0) return;
  const job = random.pick(eligible);
  const group = random.pick(job.TaskGroups ?? []);
  switch (action) {
    case 'dispatch': {
      const meta = new Map([['input', `batch-${random.int(1, 999)}`]]);
      dispatchJob(transaction, { job, payload: null, meta, idempotencyToken: '', priority: null });
      return;
    }
    case 'update': {
      const changed = { ...job, Meta: { ...job.Meta, 'deploy.commit': random.hex(12) } };
      registerJob(transaction, { job: changed, enforceIndex: null, evalPriority: null });
      return;
    }
    case 'scale': {
      const count = random.int(1, maxCount);
      const request = { count, message: 'scaled by the sample', isError: false, meta: null };
      scaleJob(transaction, { ...request, job, group: group.Name, enforceIndex: null });
      return;
    }
    default: {
      const running = [...allocationsOfJob(tables, { Namespace: job.Namespace, JobID: job.ID })].filter(
        (row) => row.ClientStatus === 'running' && !isStopped(row) && sample.nodeIds.has(row.NodeID),
      );
      if (running.length > 0) disturb(transaction, random.pick(running), action, now);
    }
  }
}

function disturb(
  transaction: Transaction,
  row: Allocation,
  action: 'stop' | 'fail' | 'restart',
  now: number,
): void {
  if (action === 'stop') stopAllocation(transaction, row.ID);
  else if (action === 'fail')
    updateAllocations(transaction, row.NodeID, [
      report(row, 'failed', (task) => endedTask(task, now, 'failed')),
    ]);
  else
    updateAllocations(transaction, row.NodeID, [
      report(row, 'running', (task) => ({
        ...startedTask(now),
        ...{ Restarts: task.Restarts + 1, LastRestart: instantOf(now) },
      })),
    ]);
}

function isDispatchable({ ParameterizedJob, Dispatched }: Job): boolean {
  return ParameterizedJob !== null && !Dispatched;
}

/** Whether a job is a service without an active, waiting or failed rollout. */
function isSteady(tables: Tables, job: Job): boolean {
  if (job.Type !== 'service' || job.Status !== 'running' || job.Multiregion !== null) return false;
  const deployments = deploymentsOfJob(tables, { Namespace: job.Namespace, JobID: job.ID });
  return [...deployments].every(
    ({ Status, JobVersion }) => Status === 'successful' || JobVersion !== job.Version,
  );
}
