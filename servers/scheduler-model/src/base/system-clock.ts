import type { Clock } from './clock.js';

/** Maximum delay of a Node.js timer, in ms. A longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds: number, action: () => void) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const next = left > maxTimerMs ? (): void => wait(left - maxTimerMs) : action;
      timer = setTimeout(next, Math.min(left, maxTimerMs));
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
  defer: (action: () => void) => void setImmediate(action),
});
