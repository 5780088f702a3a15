import { connect, type Socket } from 'node:net';

/** The part of a clock that waits: calls `action` once after `milliseconds`; the function returned cancels it. */
interface Timer {
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/** Maximum delay of a Node.js timer, in ms. A longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock = Object.freeze({
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

/** Resolves after `milliseconds`, or as soon as the signal is aborted. */
export function sleep({ after }: Timer, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Opens a TCP connection. Rejects with the error of the socket, or with the code ETIMEDOUT after `timeout` ms. */
export function connectTcp(
  { host, port }: { readonly host: string; readonly port: number },
  timeout: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const late = Object.assign(new Error('the peer did not respond'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => fail(late), timeout);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
