import { termOf, type Leadership } from './leadership.js';

/** Work that only the leader does: started when this server begins to lead, stopped when it ceases to, again and again. */
export interface LeaderTask {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** The tasks of a leader, as they follow its leadership. */
export interface RunningLeaderTasks {
  /**
   * Resolves when they run or rest as the leadership asks at this moment.
   *
   * @throws the error for which a task could not be started; none of them runs then, until the next term.
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
  /** The state that they work on. Where other contents have taken its place, they begin anew: what they know is of those before. */
  readonly contents: LedContents;
  /** Started in this order, stopped in the reverse one. */
  readonly tasks: readonly LeaderTask[];
  /** Called with what a task could not be started or stopped for. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs tasks while this server leads: the one place that decides it. One change at a time: what was begun in one term
 * has been stopped before anything is begun in the next, however quickly leaders change.
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
