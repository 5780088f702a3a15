import { termOf, type Leadership } from './leadership.js';

/** A task that only the leader runs. It is started when this server begins to lead, and stopped when it ceases to lead. */
export interface LeaderTask {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** The running tasks of a leader. */
export type RunningLeaderTasks = ReturnType<typeof runLeaderTasks>;

/** The state contents that leader tasks use. */
export interface LedContents {
  /** Returns the number of the current contents. */
  generation(): number;
  /** Calls `listener` when the contents may have been replaced. The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface LeaderTasksOptions {
  readonly leadership: Leadership;
  /** The contents that tasks use. If they are replaced, the tasks are restarted, because what they know is outdated. */
  readonly contents: LedContents;
  /** The tasks, in the order in which they are started. They are stopped in reverse order. */
  readonly tasks: readonly LeaderTask[];
  /** Called with errors from starting or stopping a task. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs tasks while this server leads. The tasks of one term are stopped before those of the next start, however quickly leaders
 * change.
 */
export function runLeaderTasks({ leadership, contents, tasks, failed }: LeaderTasksOptions) {
  /** The term and contents for which tasks are running; null if none run. */
  let startedAt: string | null = null;
  const started: LeaderTask[] = [];
  let failure: { readonly error: unknown } | null = null;
  let isStopped = false;
  let change: Promise<void> | null = null;

  function requiredTask(): string | null {
    const term = isStopped ? null : termOf(leadership.current());
    return term === null ? null : `${term} ${contents.generation()}`;
  }

  async function start(next: string): Promise<void> {
    startedAt = next;
    failure = null;
    try {
      for (const task of tasks) {
        if (requiredTask() !== next) return;
        started.push(task);
        await task.start();
      }
    } catch (error) {
      failure = { error };
      failed(error);
      await stop();
    }
  }

  async function stop(): Promise<void> {
    for (let task = started.pop(); task !== undefined; task = started.pop()) {
      try {
        await task.stop();
      } catch (error) {
        failed(error);
      }
    }
  }

  async function follow(): Promise<void> {
    // Waits until `change` is set.
    await Promise.resolve();
    for (let next = requiredTask(); next !== startedAt; next = requiredTask()) {
      await stop();
      if (next === null) startedAt = null;
      else await start(next);
    }
    change = null;
  }

  function look(): void {
    change ??= follow();
  }

  const withdraw = [leadership.subscribe(look), contents.subscribe(look)];
  look();
  return {
    /**
     * Resolves when the running tasks match the current leadership.
     *
     * @throws the error of a task that failed to start. Then no task runs until the next term.
     */
    async settled(): Promise<void> {
      await change;
      if (failure !== null) throw failure.error;
    },
    /** Stops the tasks permanently. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const end of withdraw) end();
      look();
      await change;
    },
  };
}
