import { restTurns, type EventLoop } from './time-slicer.js';

/**
 * A queue for work that cannot be sliced, such as compiling a filter. However many requests need it, others wait for at most one
 * turn's budget, or for one longer task.
 */
export interface TaskQueue {
  /**
   * Runs the work, immediately if the queue is empty and this turn has time left. Rejects with what it throws, or with the reason
   * of the signal if that is aborted before the work begins.
   */
  run<R>(work: () => R, signal: AbortSignal): Promise<R>;
  /** Number of waiting pieces. */
  readonly waiting: number;
}

/** @param budget milliseconds per turn; the last piece of a turn may exceed it. */
export function createTaskQueue({ now, defer }: EventLoop, budget: number): TaskQueue {
  const queue: (() => void)[] = [];
  /** Time used since the last pause, in ms. */
  let spent = 0;
  let isResting = false;

  function take(): void {
    while (queue.length > 0 && spent < budget) {
      const start = now();
      queue.shift()?.();
      spent += now() - start;
    }
    if (spent > 0 && !isResting) rest();
  }

  /** Waits one turn if there is time left, otherwise all turns that are reserved for other work. */
  function rest(): void {
    isResting = true;
    let turns = 0;
    const pass = (): void => {
      turns += 1;
      if (spent >= budget && turns < restTurns) {
        defer(pass);
        return;
      }
      isResting = false;
      spent = 0;
      take();
    };
    defer(pass);
  }

  return {
    run: (work, signal) =>
      new Promise((resolve, reject) => {
        queue.push(() => {
          try {
            signal.throwIfAborted();
            resolve(work());
          } catch (error) {
            reject(error as Error);
          }
        });
        // Waiting work takes precedence.
        if (queue.length === 1) take();
      }),
    get waiting() {
      return queue.length;
    },
  };
}
