import type { Logger } from 'pino';
import type { Clock } from '../clock.js';
import { isFinished, isStopped } from '../model/allocation-status.js';
import type { Allocation } from '../model/allocation.js';
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
  /** Told of every change of an allocation. */
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
  /** IDs of allocations that have ended here, until the servers know it too. */
  readonly #over = new Set<string>();
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
    if (runner !== undefined) {
      if (isStopped(allocation)) runner.stop();
      // One that is over comes without its job.
      else if (allocation.Job !== null) runner.update(allocation);
    } else if (isFinished(allocation)) {
      this.#over.delete(allocation.ID);
    } else if (!this.#over.has(allocation.ID)) {
      this.#begin(allocation);
    }
  }

  async left(ids: ReadonlySet<string>): Promise<void> {
    if (this.#dependencies.signal.aborted) return;
    for (const [id, runner] of this.#runners) if (!ids.has(id)) runner.stop();
    for (const id of this.#over) if (!ids.has(id)) this.#over.delete(id);
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
    logger.info({ allocation: allocation.ID, job: allocation.JobID }, 'allocation started');
    const runner = runAllocation(allocation, {
      clock,
      random,
      drivers: this.#drivers,
      node: facts,
      directory: this.#directories.of(allocation.ID),
      changed: report,
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
    this.#over.add(id);
    this.#directories.end(id);
  }
}
