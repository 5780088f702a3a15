import type { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { unreachable } from '@tamis/scheduler-model/base/errors.js';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { jobShape, type Job } from '@tamis/scheduler-model/job.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';
import { taskGroupShape, type TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { reportedIndexOf } from '@tamis/scheduler-model/reported-index.js';
import type { AllocationLine, AllocationCursor, ResponseAge, ServerLink } from './server-link.js';

/** Receives changes to the allocations of a node. */
export interface AllocationListener {
  /** Called for a new or changed allocation, or one sent again after the servers restarted. */
  changed(allocation: Allocation): void;
  /** Called with the IDs of all remaining allocations. */
  left(ids: ReadonlySet<string>): void | Promise<void>;
}

export interface AllocationFeedOptions {
  readonly nodeId: string;
  readonly link: Pick<ServerLink, 'allocations'>;
  readonly listener: AllocationListener;
}

/**
 * Maximum number of consecutive responses that are refused because they are older than a previous one. Servers catch up with all
 * others before they respond. So repeated older responses come from a restored state without a new history number.
 */
const maxRefused = 3;

/** Follows the allocations of a node: requests the changes since the last index, or everything if necessary. */
export function createAllocationFeed(options: AllocationFeedOptions) {
  const { link, listener } = options;
  /** Index at which each allocation was last received. */
  const known = new Map<string, number>();
  let received: AllocationCursor | null = null;
  /** The newest response received in part or whole. */
  let newest: ResponseAge | null = null;
  /** The number of consecutive responses refused as older. */
  let refused = 0;

  /** Reads a whole response; null if it contradicts the known state. */
  async function follow(lines: AsyncIterable<AllocationLine>): Promise<AllocationCursor | null> {
    const assemble = createAssembly(options);
    const seen = new Set<string>();
    let begin: Extract<AllocationLine, { kind: 'begin' }> | null = null;
    for await (const line of lines) {
      if (line.kind === 'begin') {
        if (newest?.incarnation === line.incarnation && line.index < newest.index && refused < maxRefused) {
          refused += 1;
          throw invalidResponse('it is older than what was heard before');
        }
        refused = 0;
        newest = begin = line;
      } else if (line.kind === 'kept') {
        if (known.get(line.id) !== line.index) return null;
        seen.add(line.id);
      } else if (line.kind === 'end') {
        if (begin === null) throw invalidResponse('it does not say where it begins');
        if (begin.isWhole) await settle(seen);
        return known.size === line.count ? { history: begin.history, index: begin.index } : null;
      } else {
        const allocation = assemble(line);
        if (allocation === null) continue;
        seen.add(allocation.ID);
        known.set(allocation.ID, reportedIndexOf(allocation));
        listener.changed(allocation);
      }
    }
    throw invalidResponse('it breaks off');
  }

  async function settle(seen: ReadonlySet<string>): Promise<void> {
    for (const id of known.keys()) if (!seen.has(id)) known.delete(id);
    await listener.left(seen);
  }

  return {
    /** Sends one request, awaits the response and passes it on. @throws SchedulerError if it must be retried. */
    async pull(signal: AbortSignal): Promise<void> {
      const since = received;
      // Until the response is complete, the applied part is unknown.
      const next = await follow(link.allocations(since, signal));
      if (next === null && since === null) throw invalidResponse('it does not add up');
      received = next;
    },
  };
}

/** Assembles allocations from the lines of a response. */
function createAssembly({
  nodeId,
}: AllocationFeedOptions): (line: Extract<AllocationLine, { readonly row: unknown }>) => Allocation | null {
  const heads = new Map<number, Job>();
  const jobs = new Map<string, Job>();

  function jobOf(number: number, name: string): Job {
    const job = jobs.get(`${number} ${name}`) ?? heads.get(number);
    if (job === undefined) throw invalidResponse('an allocation comes before its job');
    return job;
  }

  function addGroup(number: number, group: TaskGroup): void {
    const head = heads.get(number);
    if (head === undefined) throw invalidResponse('a group comes before its job');
    // An allocation only needs its own group of the job.
    jobs.set(`${number} ${group.Name}`, { ...head, TaskGroups: [group] });
  }

  return (line) => {
    switch (line.kind) {
      case 'job':
        heads.set(line.job, completeShape(jobShape, readShape(jobShape, line.row, 'job')));
        return null;
      case 'group':
        addGroup(line.job, completeShape(taskGroupShape, readShape(taskGroupShape, line.row, 'group')));
        return null;
      case 'allocation': {
        const given = readShape(allocationShape, line.row, 'allocation');
        const row = completeShape(allocationShape, given);
        if (row.NodeID !== nodeId) throw invalidResponse('an allocation is of another node');
        return line.job === null ? row : { ...row, Job: jobOf(line.job, row.TaskGroup) };
      }
    }
  };
}

function invalidResponse(why: string): SchedulerError {
  return unreachable(`rpc error: invalid response about allocations: ${why}`);
}
