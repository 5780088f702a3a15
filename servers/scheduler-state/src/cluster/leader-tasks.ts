import { termOf, type Leadership } from './leadership.js';

/** Work that only the leader does: started when this server begins to lead, stopped when it ceases to, again and again. */
export interface LeaderTask {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** The tasks of a leader, as they follow its leadership. */
export interface RunningLeaderTasks {
  /**
   * Resolves when the tasks are started or stopped as the current leadership requires.
   *
   * @throws the error of a task that could not be started; then none of them runs until the next term.
   */
  settled(): Promise<void>;
  /** Stops them for good. */
  stop(): Promise<void>;
}

/** The contents that a leader works on. */
export interface LedContents {
  /** The number of the contents. */
  generation(): number;
  /** Calls `listener` when there may be others; the function returned ends that. */
  subscribe(listener: () => void): () => void;
}

export interface LeaderTasksOptions {
  readonly leadership: Leadership;
  /** The state that they work on. If its contents are replaced, they restart, because their knowledge is about the old contents. */
  readonly contents: LedContents;
  /** Started in this order, stopped in the reverse one. */
  readonly tasks: readonly LeaderTask[];
  /** Called with errors of starting or stopping a task. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs tasks while this server leads; only this class decides that. One change at a time: the tasks of one term are stopped
 * before those of the next start, however quickly leaders change.
 */
export function runLeaderTasks({
  leadership,
  contents,
  tasks,
  failed,
}: LeaderTasksOptions): RunningLeaderTasks {
  /** The term and the contents for which tasks have been started; null for none. */
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
    // `change` is set by then.
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
    async settled() {
      await change;
      if (failure !== null) throw failure.error;
    },
    async stop() {
      isStopped = true;
      for (const end of withdraw) end();
      look();
      await change;
    },
  };
}
