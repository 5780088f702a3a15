import { enableHints } from 'tamis/hints';
import type { CallMessage, WorkerMessage } from '../protocol.js';
import { createSession } from './session.js';

enableHints();

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener('message', () => waiting.shift()?.());
channel.port1.start();

/** Lets the messages in that have come: a timer would wait 4 ms each time. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

function say(message: WorkerMessage): void {
  postMessage(message);
}

const session = createSession({
  now: () => performance.now(),
  pause,
  report: (state) => {
    say({ kind: 'progress', state });
  },
});

async function respond({ id, method, args }: CallMessage): Promise<void> {
  try {
    const call = session[method] as (...values: readonly unknown[]) => unknown;
    say({ kind: 'answer', id, value: await call(...args) });
  } catch (error) {
    say({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener('message', ({ data }: MessageEvent<CallMessage>) => void respond(data));
