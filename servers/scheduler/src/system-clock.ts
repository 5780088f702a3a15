import type { Clock } from './clock.js';

/** The time of this machine. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after(milliseconds: number, action: () => void) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
  soon: (action: () => void) => void setImmediate(action),
});
