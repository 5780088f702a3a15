import type { Logger } from 'pino';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { isFinished, isStopped } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { createAllocationDirectories } from './allocation-directories.js';
import type { AllocationListener } from './allocation-feed.js';
import {
  endedReport,
  runAllocation,
  type AllocationReport,
  type AllocationRunner,
} from './allocation-runner.js';
import type { CommandedAllocations } from './command-requests.js';
import type { TaskDriver } from './driver.js';
import type { AllocationFiles } from './file-requests.js';
import { badCommand, type TaskCommand } from './task-commands.js';
import type { NodeFacts } from './task-environment.js';

export interface AllocationSupervisorDependencies {
  readonly facts: NodeFacts;
  readonly drivers: readonly TaskDriver[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'info'>;
  /** The directory of the files of allocations. */
  readonly directory: string;
  /** Receives every change of an allocation. */
  readonly report: (report: AllocationReport) => void;
  /** Aborted when the client closes. */
  readonly signal: AbortSignal;
}

/** The allocations that run on a node: those that the servers have placed there, until they are over. */
export interface AllocationSupervisor extends AllocationListener, AllocationFiles, CommandedAllocations {
  /** Allocations that are not over. */
  readonly running: number;
  /** Ends all tasks, each as its job says. They start again with the agent. */
  suspend(): Promise<void>;
}

interface EndedAllocation {
  readonly report: AllocationReport;
  /** Whether it has ended because the servers said so. */
  readonly wasStopped: boolean;
}

export function createAllocationSupervisor(
  dependencies: AllocationSupervisorDependencies,
): AllocationSupervisor {
  return new RunningAllocations(dependencies);
}

class RunningAllocations implements AllocationSupervisor {
  readonly #dependencies: AllocationSupervisorDependencies;
  readonly #drivers: ReadonlyMap<string, TaskDriver>;
  readonly #directories: ReturnType<typeof createAllocationDirectories>;
  readonly #runners = new Map<string, AllocationRunner>();
  /** Allocations that have ended here, until the servers report them as ended or no longer list them. */
  readonly #over = new Map<string, EndedAllocation>();
  /** IDs of those that are being stopped because the servers say so. */
  readonly #stopping = new Set<string>();
  /** Allocations to run again once they have ended: restored servers may want allocations that they had stopped later. */
  readonly #restartAfterStop = new Map<string, Allocation>();
  #hasAdopted = false;

  constructor(dependencies: AllocationSupervisorDependencies) {
    this.#dependencies = dependencies;
    this.#drivers = new Map(dependencies.drivers.map((driver) => [driver.name, driver]));
    this.#directories = createAllocationDirectories(dependencies.directory);
  }

  get running(): number {
    return this.#runners.size;
  }

  directoryOf(id: string): string {
    return this.#directories.of(id);
  }

  taskStatesOf(id: string): ReturnType<AllocationFiles['taskStatesOf']> {
    return this.#runners.get(id)?.report.TaskStates ?? null;
  }

  command(id: string, command: TaskCommand): void {
    const runner = this.#runners.get(id);
    if (runner === undefined) throw badCommand('The allocation does not run');
    runner.command(command);
  }

  changed(allocation: Allocation): void {
    if (this.#dependencies.signal.aborted) return;
    const runner = this.#runners.get(allocation.ID);
    if (runner === undefined) this.#changedAtRest(allocation);
    else this.#changedAtWork(allocation, runner);
  }

  #changedAtWork(allocation: Allocation, runner: AllocationRunner): void {
    const { ID } = allocation;
    this.#restartAfterStop.delete(ID);
    if (isStopped(allocation)) this.#stop(ID, runner, allocation.DesiredTransition.NoShutdownDelay === true);
    else if (this.#stopping.has(ID)) this.#restartAfterStop.set(ID, allocation);
    // One that is over comes without its job.
    else if (allocation.Job !== null) runner.update(allocation);
    // Servers with a restored state have lost earlier reports.
    if (!isKnown(allocation, runner.report)) this.#dependencies.report(runner.report);
  }

  #changedAtRest(allocation: Allocation): void {
    const ended = this.#over.get(allocation.ID);
    const shouldYield = ended !== undefined && (!ended.wasStopped || isStopped(allocation));
    if (isFinished(allocation)) this.#over.delete(allocation.ID);
    else if (shouldYield) this.#dependencies.report(ended.report);
    else this.#begin(allocation);
  }

  #stop(id: string, runner: AllocationRunner, isAtOnce = false): void {
    this.#stopping.add(id);
    runner.stop(isAtOnce);
  }

  async left(ids: ReadonlySet<string>): Promise<void> {
    if (this.#dependencies.signal.aborted) return;
    for (const [id, runner] of this.#runners) if (!ids.has(id)) this.#stop(id, runner);
    for (const id of this.#over.keys()) if (!ids.has(id)) this.#over.delete(id);
    for (const id of this.#restartAfterStop.keys()) if (!ids.has(id)) this.#restartAfterStop.delete(id);
    if (!this.#hasAdopted) {
      this.#hasAdopted = true;
      await this.#directories.adopt((id) => this.#runners.has(id));
    }
    this.#directories.retain((id) => ids.has(id));
  }

  async suspend(): Promise<void> {
    const { logger } = this.#dependencies;
    if (this.running > 0) logger.info({ allocations: this.running }, 'ending the tasks');
    const ended = [...this.#runners.values()].map((runner) => {
      runner.suspend();
      return runner.done;
    });
    await Promise.all(ended);
  }

  #begin(allocation: Allocation): void {
    const { clock, facts, logger, random, report } = this.#dependencies;
    if (allocation.Job === null) return;
    if (isStopped(allocation)) {
      // It never ran here, or did before a restart of this agent, which ended it.
      report(endedReport(allocation, clock.now()));
      return;
    }
    this.#over.delete(allocation.ID);
    this.#directories.begin(allocation.ID);
    logger.info({ allocation: allocation.ID, job: allocation.JobID }, 'allocation started');
    const runner = runAllocation(allocation, {
      clock,
      random,
      drivers: this.#drivers,
      node: facts,
      directory: this.#directories.of(allocation.ID),
      changed: (news) => {
        // An end reported to the servers would be final.
        if (!this.#restartAfterStop.has(allocation.ID)) report(news);
      },
    });
    this.#runners.set(allocation.ID, runner);
    void runner.done.then(() => this.#end(allocation.ID, runner));
  }

  #end(id: string, runner: AllocationRunner): void {
    const { logger, signal } = this.#dependencies;
    this.#runners.delete(id);
    // It is not over: it starts again with the agent.
    if (signal.aborted) return;
    logger.info({ allocation: id, status: runner.report.ClientStatus }, 'allocation ended');
    this.#over.set(id, { report: runner.report, wasStopped: this.#stopping.delete(id) });
    this.#directories.end(id);
    const again = this.#restartAfterStop.get(id);
    if (this.#restartAfterStop.delete(id) && again !== undefined) this.#begin(again);
  }
}

/** Whether the servers' version of an allocation contains what was reported about it. */
function isKnown(
  allocation: Allocation,
  { ClientStatus, DeploymentStatus: health }: AllocationReport,
): boolean {
  if (allocation.ClientStatus !== ClientStatus) return false;
  return health === undefined || health.Healthy === allocation.DeploymentStatus?.Healthy;
}
