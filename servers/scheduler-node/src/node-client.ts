import { sleep } from '@tamis/http';
import type { Logger } from 'pino';
import type { NodeInput } from '@tamis/scheduler-model/node.js';
import { createAllocationFeed } from './allocation-feed.js';
import {
  createAllocationSupervisor,
  type AllocationSupervisorDependencies,
} from './allocation-supervisor.js';
import { createNodeRegistration } from './node-registration.js';
import { createRetry, refusalPause, type Retry, inTime } from './retry.js';
import type { ServerLink } from './server-link.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import type { AllocationReport } from './allocation-runner.js';

/** The client of a node: it registers the node with the servers, and runs the allocations placed on it. */
export type NodeClient = ReturnType<typeof startNodeClient>;

export interface NodeClientDependencies extends Omit<AllocationSupervisorDependencies, 'report' | 'signal'> {
  readonly node: NodeInput;
  readonly link: ServerLink;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** Starts the client. It retries until a server responds. */
export function startNodeClient(dependencies: NodeClientDependencies) {
  const closing = new AbortController();
  const { signal } = closing;
  const retry = createRetry({ ...dependencies, signal });
  const reports = createReportQueue({ ...dependencies, retry, signal });
  const allocations = createAllocationSupervisor({ ...dependencies, report: reports.add, signal });
  const missed = (): void => {
    dependencies.link.turnAway();
    poll.interrupt();
  };
  const registration = createNodeRegistration({ ...dependencies, retry, signal, missed });
  const refused = registration.hurry;
  const poll = createPoll(dependencies, { listener: allocations, retry, signal, refused });

  void registration.register().then(() => Promise.all([registration.heartbeat(), poll.run()]));
  return {
    allocations,
    /** Number of unfinished allocations. */
    get running(): number {
      return allocations.running;
    },
    /** Time of the last acknowledged heartbeat, in ms since 1970; 0 before the first. */
    get lastHeartbeat(): number {
      return registration.lastHeartbeat;
    },
    /** Time within which servers expect the next heartbeat, in ms. */
    get heartbeatTtl(): number {
      return registration.heartbeatTtl;
    },
    /** Stops all reports to the servers. Running allocations stay recorded there, as after a power loss. */
    stopReporting: () => closing.abort(),
    /** Stops reporting and all tasks, each with the signal and timeout from its job. They restart with the agent. */
    async close(): Promise<void> {
      closing.abort();
      await allocations.suspend();
    },
  };
}

interface PollParts extends Pick<Parameters<typeof createAllocationFeed>[0], 'listener'> {
  readonly retry: Retry;
  readonly signal: AbortSignal;
  /** Called if the servers do not know this node. */
  readonly refused: () => void;
}

/** A repeated poll for the allocations of a node, until the client closes. */
function createPoll(
  { clock, link, node }: NodeClientDependencies,
  { listener, retry, signal, refused }: PollParts,
) {
  const feed = createAllocationFeed({ nodeId: node.ID ?? '', link, listener });
  let current = new AbortController();

  function pull(): Promise<void> {
    current = new AbortController();
    return feed.pull(AbortSignal.any([current.signal, signal]));
  }

  return {
    /** Aborts the current request, which may wait for a lost response. */
    interrupt: () => current.abort(),
    async run(): Promise<void> {
      while (!signal.aborted) {
        try {
          await retry('requesting allocations', pull);
        } catch {
          refused();
          await sleep(clock, refusalPause, signal);
        }
      }
    },
  };
}

interface ReportQueueDependencies {
  readonly link: Pick<ServerLink, 'update'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly retry: Retry;
  /** Aborted when the client closes: tasks stopped with the agent are not finished. */
  readonly signal: AbortSignal;
}

/** Maximum number of reports per request. Prevents a node with many allocations from blocking its servers. */
const maxReports = 64;
/** Delay of reports in ms, so that a burst of changes is one write. */
const reportDelay = 200;

/** Queue of reports to the servers, with the latest report per allocation. */
function createReportQueue(dependencies: ReportQueueDependencies) {
  const { clock, link, logger, retry, signal } = dependencies;
  const queue = new Map<string, AllocationReport>();
  let isSending = false;

  function add(report: AllocationReport): void {
    if (signal.aborted) return;
    queue.set(report.ID, report);
    if (isSending) return;
    isSending = true;
    clock.after(reportDelay, () => void send());
  }

  async function send(): Promise<void> {
    const reports = [...queue.values()].slice(0, maxReports);
    for (const { ID } of reports) queue.delete(ID);
    // Servers may be away for long; the report then contains the current state.
    const latest = (): readonly AllocationReport[] => reports.map((report) => queue.get(report.ID) ?? report);
    const update = (): Promise<unknown> =>
      inTime(clock, link.update(latest() as readonly AllocationUpdate[]));
    try {
      await retry('reporting allocations', update);
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'the servers refuse what became of allocations');
    }
    isSending = false;
    const [next] = queue.values();
    if (next !== undefined) add(next);
  }

  return { add };
}
