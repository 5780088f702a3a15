import { restTurns, type Pace } from './slices.js';

/**
 * Turns for work that cannot be sliced, such as the compilation of a text: however many ask for it at once, the others wait
 * for no more than a turn's worth of it, or for the one piece that takes longer.
 */
export interface WholeWork {
  /**
   * Does the work, at once where nobody waits and this turn has time left. Rejects with what it throws, and with the reason
   * of the signal where that is aborted before it begins.
   */
  run<R>(work: () => R, signal: AbortSignal): Promise<R>;
  /** How many pieces wait. */
  readonly waiting: number;
}

/** @param budget milliseconds of one turn that go into pieces; the last of them may take longer. */
export function createWholeWork({ now, soon }: Pace, budget: number): WholeWork {
  const queue: (() => void)[] = [];
  /** What has gone into pieces since the last rest. */
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

  /** One turn where there is time left, and otherwise all that belong to the others. */
  function rest(): void {
    isResting = true;
    let turns = 0;
    const pass = (): void => {
      turns += 1;
      if (spent >= budget && turns < restTurns) {
        soon(pass);
        return;
      }
      isResting = false;
      spent = 0;
      take();
    };
    soon(pass);
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
        // Who waits has come before.
        if (queue.length === 1) take();
      }),
    get waiting() {
      return queue.length;
    },
  };
}
