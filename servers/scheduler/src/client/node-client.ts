import type { Logger } from 'pino';
import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import { isFinished, isStopped } from '../model/allocation-status.js';
import type { Allocation } from '../model/allocation.js';
import type { Intern } from '../model/intern.js';
import type { NodeInput } from '../model/node.js';
import type { AllocationUpdate } from '../state/update-allocations.js';
import { createAllocationDirectories } from './allocation-directories.js';
import { createAllocationFeed } from './allocation-feed.js';
import {
  endedReport,
  runAllocation,
  type AllocationReport,
  type AllocationRunner,
} from './allocation-runner.js';
import type { TaskDriver } from './driver.js';
import type { ServerLink } from './server-link.js';
import type { NodeFacts } from './task-environment.js';

/** The client of a node: it tells the servers that the node is there, and runs what they place on it. */
export interface NodeClient {
  /** Allocations that are not over. */
  readonly running: number;
  /** Milliseconds since 1970 of the last heartbeat that was answered, 0 before the first. */
  readonly lastHeartbeat: number;
  /** Milliseconds within which servers expect the next one. */
  readonly heartbeatTtl: number;
  /** Says nothing more to the servers: what runs stays on their books as it is, as if the power had gone. */
  stopReporting(): void;
  /** Falls silent and ends all tasks, each as its job says. They start again with the agent. */
  close(): Promise<void>;
}

export interface NodeClientDependencies {
  readonly node: NodeInput;
  readonly facts: NodeFacts;
  readonly link: ServerLink;
  readonly drivers: readonly TaskDriver[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly intern: Intern;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  /** Where allocations have their files. */
  readonly directory: string;
}

/** Reports that are sent at once. Stops a node with many allocations from holding up its servers. */
const mostReports = 64;
/** Milliseconds that reports wait for others, so that a burst of changes is one write. */
const reportDelay = 200;
/** Milliseconds that a server may take to answer what it can answer at once. */
const answerTime = 10_000;
/**
 * Milliseconds before an attempt that failed is made again, doubled up to the second: a node has to show itself well
 * within its heartbeat once the servers are back.
 */
const retryDelays = { least: 250, most: 4_000 } as const;

/** Starts the client. It goes on trying until a server answers. */
export function startNodeClient(dependencies: NodeClientDependencies): NodeClient {
  const { clock, link, logger, node } = dependencies;
  const closing = new AbortController();
  const runners = new Map<string, AllocationRunner>();
  /** What has ended here, until the servers know it too. */
  const over = new Set<string>();
  const directories = createAllocationDirectories(dependencies.directory);
  const unreported = new Map<string, AllocationReport>();
  let lastHeartbeat = 0;
  let heartbeatTtl = 0;
  let isReporting = false;
  let hasAdopted = false;
  /** Gives up the question for allocations that is under way, which may wait for an answer from nowhere. */
  let hangUp = (): void => undefined;

  /** Tries again, with growing pauses, until it works; null when the client closes first. */
  async function insist<R>(
    what: string,
    action: () => Promise<R>,
    failed = (): void => undefined,
  ): Promise<R | null> {
    let delay: number = retryDelays.least;
    const began = clock.now();
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      try {
        const result = await action();
        if (failures > 0) logger.info({ seconds: (clock.now() - began) / 1_000 }, `${what} works again`);
        return result;
      } catch (error) {
        if (closing.signal.aborted) return null;
        if (isRefusal(error)) throw error;
        failed();
        // Once is news; servers may be away for hours.
        const log = failures === 0 ? logger.warn.bind(logger) : logger.debug.bind(logger);
        log({ reason: messageOf(error) }, `${what} failed, trying again`);
        await pause(delay * (0.5 + dependencies.random() / 2));
        delay = Math.min(delay * 2, retryDelays.most);
      }
    }
    return null;
  }

  /** Fails when there is no answer in time: a server whose power has gone does not even hang up. */
  function inTime<R>(answer: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(answerTime, () => reject(new Error('no answer in time')));
      answer.then(resolve, reject).finally(cancel);
    });
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        closing.signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(milliseconds, end);
      closing.signal.addEventListener('abort', end);
    });
  }

  async function register(): Promise<void> {
    const heard = await insist('registering the node', () => inTime(link.register(node)));
    if (heard === null) return;
    ({ heartbeatTtl } = heard);
    lastHeartbeat = clock.now();
    logger.info({ node: node.ID }, 'node registered');
  }

  async function keepBeating(): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(heartbeatTtl / 2);
      if (closing.signal.aborted) return;
      try {
        const heard = await insist(
          'the heartbeat',
          () => inTime(link.heartbeat()),
          () => hangUp(),
        );
        if (heard === null) return;
        ({ heartbeatTtl } = heard);
        lastHeartbeat = clock.now();
      } catch {
        // The servers do not know this node any more: it has been purged, or they have lost their state.
        await register();
      }
    }
  }

  async function follow(): Promise<void> {
    const feed = createAllocationFeed({
      nodeId: node.ID ?? '',
      link,
      intern: dependencies.intern,
      listener: { changed, left },
    });
    while (!closing.signal.aborted) {
      try {
        await insist('asking for allocations', () => {
          const polling = new AbortController();
          hangUp = () => polling.abort();
          return feed.pull(AbortSignal.any([polling.signal, closing.signal]));
        });
      } catch {
        // The heartbeat finds out that the servers do not know this node.
        await pause(retryDelays.least);
      }
    }
  }

  function changed(allocation: Allocation): void {
    if (closing.signal.aborted) return;
    const runner = runners.get(allocation.ID);
    if (runner !== undefined) {
      if (isStopped(allocation)) runner.stop();
      // What is over comes without its job.
      else if (allocation.Job !== null) runner.update(allocation);
    } else if (isFinished(allocation)) {
      over.delete(allocation.ID);
    } else if (!over.has(allocation.ID)) {
      begin(allocation);
    }
  }

  async function left(ids: ReadonlySet<string>): Promise<void> {
    if (closing.signal.aborted) return;
    for (const [id, runner] of runners) if (!ids.has(id)) runner.stop();
    for (const id of over) if (!ids.has(id)) over.delete(id);
    if (!hasAdopted) {
      hasAdopted = true;
      await directories.adopt((id) => runners.has(id));
    }
    directories.retain((id) => ids.has(id));
  }

  function begin(allocation: Allocation): void {
    if (allocation.Job === null) return;
    if (isStopped(allocation)) {
      // It never ran here, or did before a restart of this agent, which ended it.
      report(endedReport(allocation, clock.now()));
      return;
    }
    logger.info({ allocation: allocation.ID, job: allocation.JobID }, 'allocation started');
    const runner = runAllocation(allocation, {
      clock,
      random: dependencies.random,
      drivers: new Map(dependencies.drivers.map((driver) => [driver.name, driver])),
      node: dependencies.facts,
      directory: directories.of(allocation.ID),
      changed: report,
    });
    runners.set(allocation.ID, runner);
    void runner.done.then(() => end(allocation.ID, runner));
  }

  function end(id: string, runner: AllocationRunner): void {
    runners.delete(id);
    // It is not over: it starts again with the agent.
    if (closing.signal.aborted) return;
    logger.info({ allocation: id, status: runner.report.ClientStatus }, 'allocation ended');
    over.add(id);
    directories.end(id);
  }

  function report(latest: AllocationReport): void {
    // Tasks that end with the agent are not over.
    if (closing.signal.aborted) return;
    unreported.set(latest.ID, latest);
    if (isReporting) return;
    isReporting = true;
    clock.after(reportDelay, () => void sendReports());
  }

  async function sendReports(): Promise<void> {
    const reports = [...unreported.values()].slice(0, mostReports);
    for (const { ID } of reports) unreported.delete(ID);
    try {
      await insist('reporting allocations', () =>
        inTime(link.update(reports as readonly AllocationUpdate[])),
      );
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the servers refuse what became of allocations');
    }
    isReporting = false;
    const [next] = unreported.values();
    if (next !== undefined) report(next);
  }

  register()
    .then(() => Promise.all([keepBeating(), follow()]))
    .catch((error: unknown) => logger.warn({ reason: messageOf(error) }, 'the servers refuse this node'));
  return {
    get running() {
      return runners.size;
    },
    get lastHeartbeat() {
      return lastHeartbeat;
    },
    get heartbeatTtl() {
      return heartbeatTtl;
    },
    stopReporting: () => closing.abort(),
    async close() {
      closing.abort();
      if (runners.size > 0) logger.info({ allocations: runners.size }, 'ending the tasks');
      const ended = [...runners.values()].map((runner) => {
        runner.suspend();
        return runner.done;
      });
      await Promise.all(ended);
    },
  };
}

/** Whether the servers have understood and said no: asking again would not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof SchedulerError && error.code === 'permission-denied';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
