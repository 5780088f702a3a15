import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import { isStopped } from '../model/allocation-status.js';
import { allocationShape, type Allocation } from '../model/allocation.js';
import { completeShape } from '../model/complete-shape.js';
import type { Intern } from '../model/intern.js';
import type { GivenNode } from '../model/node.js';
import { readObject } from '../model/read-shape.js';
import type { Given } from '../model/shape.js';
import type { AllocationUpdate } from '../state/update-allocations.js';
import { runAllocation, type AllocationReport, type AllocationRunner } from './allocation-runner.js';
import type { TaskDriver } from './driver.js';
import type { ServerLink } from './server-link.js';
import { fileName, type NodeFacts } from './task-plan.js';

/** The client of a node: it tells the servers that the node is there, and runs what they place on it. */
export interface NodeClient {
  /** Allocations that are not over. */
  readonly running: number;
  /** Milliseconds since 1970 of the last heartbeat that was answered, 0 before the first. */
  readonly lastHeartbeat: number;
  /** Milliseconds within which servers expect the next one. */
  readonly heartbeatTtl: number;
  /** Ends all tasks, reports that they have ended, and stops. */
  close(): Promise<void>;
}

export interface NodeClientDependencies {
  readonly node: GivenNode;
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

/** Milliseconds that reports wait for others, so that a burst of changes is one write. */
const reportDelay = 200;
/** Milliseconds before an attempt that failed is made again, doubled up to the second. */
const retryDelays = { least: 250, most: 15_000 } as const;
/** Allocations that are over and keep their files. Stops short jobs from filling the disk. */
const keptDirectories = 50;

/** Starts the client. It goes on trying until a server answers. */
export function startNodeClient(dependencies: NodeClientDependencies): NodeClient {
  const { clock, link, logger, node } = dependencies;
  const closing = new AbortController();
  const runners = new Map<string, AllocationRunner>();
  const finished: string[] = [];
  const unreported = new Map<string, AllocationReport>();
  let lastHeartbeat = 0;
  let heartbeatTtl = 0;
  let isReporting = false;

  /** Tries again, with growing pauses, until it works; null when the client closes first. */
  async function insist<R>(what: string, action: () => Promise<R>): Promise<R | null> {
    let delay: number = retryDelays.least;
    while (!closing.signal.aborted) {
      try {
        return await action();
      } catch (error) {
        if (closing.signal.aborted) return null;
        if (isRefusal(error)) throw error;
        logger.warn({ err: error, delay }, `${what} failed, trying again`);
        await pause(delay * (1 + dependencies.random()));
        delay = Math.min(delay * 2, retryDelays.most);
      }
    }
    return null;
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
    const heard = await insist('registering the node', () => link.register(node));
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
        const heard = await insist('the heartbeat', () => link.heartbeat());
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
    let after = 0;
    while (!closing.signal.aborted) {
      try {
        const answer = await insist('asking for allocations', () => link.allocations(after, closing.signal));
        if (answer === null) return;
        // An index that went back belongs to servers that have begun anew.
        after = answer.index;
        reconcile(answer.allocations.map((row) => readAllocation(row, dependencies.intern)));
      } catch {
        await pause(retryDelays.least);
      }
    }
  }

  function reconcile(wanted: readonly Allocation[]): void {
    const ids = new Set(wanted.map(({ ID }) => ID));
    for (const allocation of wanted) {
      const runner = runners.get(allocation.ID);
      if (runner !== undefined) {
        if (isStopped(allocation)) runner.stop();
        else runner.update(allocation);
      } else if (!finished.includes(allocation.ID)) {
        begin(allocation);
      }
    }
    for (const [id, runner] of runners) if (!ids.has(id)) runner.stop();
  }

  function begin(allocation: Allocation): void {
    const isOver = ['complete', 'failed', 'lost'].includes(allocation.ClientStatus);
    if (isOver || allocation.Job === null) return;
    if (isStopped(allocation)) {
      // It never ran here, or did before a restart of this agent, which ended it.
      report({ ID: allocation.ID, ClientStatus: 'complete', ClientDescription: '', TaskStates: {} });
      return;
    }
    logger.info({ allocation: allocation.ID, job: allocation.JobID }, 'allocation started');
    const runner = runAllocation(allocation, {
      clock,
      random: dependencies.random,
      drivers: new Map(dependencies.drivers.map((driver) => [driver.name, driver])),
      node: dependencies.facts,
      directory: directoryOf(allocation.ID),
      changed: report,
    });
    runners.set(allocation.ID, runner);
    void runner.done.then(() => end(allocation.ID, runner));
  }

  function end(id: string, runner: AllocationRunner): void {
    logger.info({ allocation: id, status: runner.report.ClientStatus }, 'allocation ended');
    runners.delete(id);
    finished.push(id);
    if (finished.length <= keptDirectories) return;
    const oldest = finished.shift();
    if (oldest !== undefined) void rm(directoryOf(oldest), { recursive: true, force: true });
  }

  function directoryOf(id: string): string {
    return join(dependencies.directory, fileName(id));
  }

  function report(latest: AllocationReport): void {
    unreported.set(latest.ID, latest);
    if (isReporting) return;
    isReporting = true;
    clock.after(reportDelay, () => void sendReports());
  }

  async function sendReports(): Promise<void> {
    const reports = [...unreported.values()];
    unreported.clear();
    try {
      await insist('reporting allocations', () => link.update(reports as readonly AllocationUpdate[]));
    } catch (error) {
      logger.warn({ err: error }, 'the servers refuse what became of allocations');
    }
    isReporting = false;
    const [next] = unreported.values();
    if (next !== undefined) report(next);
  }

  const work = register().then(() => Promise.all([keepBeating(), follow()]));
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
    async close() {
      const ended = [...runners.values()].map((runner) => {
        runner.stop();
        return runner.done;
      });
      await Promise.all(ended);
      const last = [...unreported.values()] as readonly AllocationUpdate[];
      closing.abort();
      // Nobody may be there to hear it; then the servers find out by the missing heartbeat.
      if (last.length > 0) await link.update(last).catch(() => undefined);
      await work.catch(() => undefined);
    },
  };
}

/** Whether the servers have understood and said no: asking again would not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof SchedulerError && error.code === 'permission-denied';
}

function readAllocation(row: unknown, intern: Intern): Allocation {
  const given = readObject(allocationShape, row, 'allocation') as Given<typeof allocationShape>;
  return completeShape(allocationShape, given, intern);
}
