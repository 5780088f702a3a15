import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';

/** Waits; ends early when nobody wants the result any more. @throws SchedulerError `client-gone` */
export function waitFor(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      cancel();
      reject(new SchedulerError('client-gone', 'The client is gone'));
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
