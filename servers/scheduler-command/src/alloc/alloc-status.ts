import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { portsOfTasks, sharedPorts, type AllocatedPort } from '@tamis/scheduler-model/allocated-resources.js';
import type { TaskEvent } from '@tamis/scheduler-model/wire/task-state.js';
import { formatAge, millisecondsOf } from '../terminal/ages.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { fieldLines, tableLines, type Column } from '../terminal/table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { createListCommand } from '../views/list-views.js';
import { shortId, writeResponse, type Session } from '../session.js';

/** `alloc status`: the list of allocations, or one allocation. */
export async function printAllocations(session: Session, given: Given): Promise<number | void> {
  const id = given.argument('ALLOC');
  if (id !== null) return printAllocation(session, await findId(session, 'allocation', id));
  return createListCommand('allocations')(session, given);
}

/** An allocation as its route returns it: without empty fields. */
export type AllocationView = Pick<
  Allocation,
  'ID' | 'Name' | 'JobID' | 'Namespace' | 'TaskGroup' | 'ClientStatus'
> &
  Partial<Allocation>;

export async function readAllocation({ api }: Session, id: string): Promise<AllocationView> {
  return (await api.get<AllocationView>(`/v1/allocation/${id}`)).body;
}

export async function printAllocation(session: Session, id: string): Promise<void> {
  const allocation = await readAllocation(session, id);
  await writeResponse(session, allocation, () => allocationLines(session, allocation));
}

function allocationLines(session: Session, allocation: AllocationView): string[] {
  const { layout } = session;
  const tasks = Object.entries(allocation.TaskStates ?? {});
  return [
    ...fieldLines(allocationFields(session, allocation), layout),
    ...portLines(session, allocation),
    ...tasks.flatMap(([name, state]) => (state === null ? [] : ['', ...taskLines(session, name, state)])),
  ];
}

function allocationFields(
  session: Session,
  allocation: AllocationView,
): readonly (readonly [string, string])[] {
  const { DeploymentStatus: health, Job: job } = allocation;
  const word =
    health?.Healthy === undefined || health.Healthy === null ? '' : health.Healthy ? 'healthy' : 'unhealthy';
  return [
    ['ID', allocation.ID],
    ['Name', allocation.Name],
    ['Namespace', allocation.Namespace === 'default' ? '' : allocation.Namespace],
    ['Job', `${allocation.JobID}, version ${job?.Version ?? 0}`],
    ['Node', [allocation.NodeName ?? '', shortId(allocation.NodeID ?? '', session)].join(' ').trim()],
    ['Status', allocation.ClientStatus],
    ['Description', allocation.ClientDescription ?? ''],
    [
      'Desired',
      [allocation.DesiredStatus ?? '', allocation.DesiredDescription ?? ''].filter(Boolean).join(': '),
    ],
    ['Health', `${word}${health?.Canary === true ? ' (canary)' : ''}`],
    ['Deployment', shortId(allocation.DeploymentID ?? '', session)],
    ['Evaluation', shortId(allocation.EvalID ?? '', session)],
    ['Replaces', shortId(allocation.PreviousAllocation ?? '', session)],
    ['Replaced by', shortId(allocation.NextAllocation ?? '', session)],
    ['Created', formatAge(millisecondsOf(allocation.CreateTime ?? 0), session.now())],
  ];
}

const portColumns: readonly Column<AllocatedPort>[] = [
  { title: 'PORT', cell: ({ Label }) => Label },
  {
    title: 'ADDRESS',
    cell: ({ HostIP, Value }) => `${HostIP.includes(':') ? `[${HostIP}]` : HostIP}:${Value}`,
  },
  { title: 'TO', cell: ({ To }) => (To > 0 ? String(To) : '') },
];

/** Returns the ports; those of a single task are listed under its name. */
function portLines(session: Session, { AllocatedResources = null }: AllocationView): string[] {
  const ofTasks = [...portsOfTasks({ AllocatedResources })].flatMap(([task, ports]) =>
    ports.map((port) => ({ ...port, Label: `${task} ${port.Label}` })),
  );
  const ports = [...sharedPorts({ AllocatedResources }), ...ofTasks];
  const { layout } = session;
  return ports.length === 0 ? [] : ['', ...tableLines(portColumns, ports, layout)];
}

type TaskView = NonNullable<NonNullable<Allocation['TaskStates']>[string]>;

function taskLines(session: Session, name: string, state: TaskView): string[] {
  const { now, palette } = session;
  const { layout } = session;
  const word = state.Failed ? 'failed' : state.State;
  const events = ((state.Events ?? []) as readonly TaskEvent[]).toReversed();
  return [
    `${palette.strong(`task ${sanitizeForTerminal(name)}`)} ${word}${restartsOf(Number(state.Restarts ?? 0))}`,
    ...tableLines<TaskEvent>(
      [
        { title: 'WHEN', cell: ({ Time }) => formatAge(millisecondsOf(Time), now()) },
        { title: 'EVENT', cell: ({ Type }) => Type },
        { title: 'MESSAGE', cell: ({ DisplayMessage }) => DisplayMessage },
      ],
      events,
      layout,
    ),
  ];
}

function restartsOf(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', restarted once' : `, restarted ${count} times`;
}
