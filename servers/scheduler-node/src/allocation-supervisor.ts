import { badRequest } from '@tamis/scheduler-model/base/errors.js';
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
import type { AllocationCommands } from './command-requests.js';
import type { TaskDriver } from './driver.js';
import type { AllocationFiles } from './file-requests.js';
import { type TaskCommand } from './task-commands.js';
import type { NodeFacts } from './task-environment.js';

export interface AllocationSupervisorDependencies {
  readonly facts: NodeFacts;
  readonly drivers: readonly TaskDriver[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'info'>;
  /** Directory for files of allocations. */
  readonly directory: string;
  /** Called with every change of an allocation. */
  readonly report: (report: AllocationReport) => void;
  /** Aborted when the client closes. */
  readonly signal: AbortSignal;
}

/** Runs the allocations that the servers place on a node, until they finish. */
export interface AllocationSupervisor extends AllocationListener, AllocationFiles, AllocationCommands {
  /** Number of unfinished allocations. */
  readonly running: number;
  /** Stops all tasks as their jobs specify. They restart with the agent. */
  suspend(): Promise<void>;
}

interface EndedAllocation {
  readonly report: AllocationReport;
  /** Whether the servers requested the stop. */
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
  /** Finished allocations, until the servers report them as ended or no longer list them. */
  readonly #over = new Map<string, EndedAllocation>();
  /** IDs of allocations being stopped on request of the servers. */
  readonly #stopping = new Set<string>();
  /**
   * Allocations to restart after they have stopped. If the state of the servers was restored, they may want allocations that they
   * had stopped.
   */
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
    if (runner === undefined) throw badRequest('The allocation does not run');
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
    // A finished allocation is sent without its job.
    else if (allocation.Job !== null) runner.update(allocation);
    // Servers whose state was restored have lost earlier reports.
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
      // The allocation never ran here, or only before a restart of this agent, which ended it.
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
        // If it will be restarted, its end is not reported, because that would be final.
        if (!this.#restartAfterStop.has(allocation.ID)) report(news);
      },
    });
    this.#runners.set(allocation.ID, runner);
    void runner.done.then(() => this.#end(allocation.ID, runner));
  }

  #end(id: string, runner: AllocationRunner): void {
    const { logger, signal } = this.#dependencies;
    this.#runners.delete(id);
    // It is not finished, because it restarts with the agent.
    if (signal.aborted) return;
    logger.info({ allocation: id, status: runner.report.ClientStatus }, 'allocation ended');
    this.#over.set(id, { report: runner.report, wasStopped: this.#stopping.delete(id) });
    this.#directories.end(id);
    const again = this.#restartAfterStop.get(id);
    if (this.#restartAfterStop.delete(id) && again !== undefined) this.#begin(again);
  }
}

/** Whether the servers' version of an allocation contains its last report. */
function isKnown(
  allocation: Allocation,
  { ClientStatus, DeploymentStatus: health }: AllocationReport,
): boolean {
  if (allocation.ClientStatus !== ClientStatus) return false;
  return health === undefined || health.Healthy === allocation.DeploymentStatus?.Healthy;
}
