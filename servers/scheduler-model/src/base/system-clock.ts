import type { Clock } from './clock.js';

/** The longest time that a timer of the runtime can wait, in milliseconds: a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The time of this machine. */
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
