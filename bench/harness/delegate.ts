import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Results, Message, Task } from './task.js';

const worker = fileURLToPath(new URL('./worker.js', import.meta.url));

/**
 * V8 options of the processes that measure. The garbage of one contender is collected before the next is timed, and
 * 200,000 rows need room. Everything else is as in production.
 */
const execArgv = ['--expose-gc', '--max-old-space-size=6144'];

/**
 * Performs a task in a process of its own.
 *
 * @throws Error with the child's own account when the task fails or the process dies.
 */
export function delegate<T extends Task>(
  task: T,
  onProgress: (text: string) => void,
): Promise<Results[T['kind']]> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, { execArgv });
    let settled = false;
    child.on('message', (message) => {
      const reported = message as Message;
      if (reported.kind === 'progress') return onProgress(reported.text);
      settled = true;
      if (reported.kind === 'failure') reject(new Error(reported.text));
      // The worker handles a task of this kind.
      else resolve(reported.result as Results[T['kind']]);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (!settled) reject(new Error(`the measuring process ended early (${signal ?? `exit code ${code}`})`));
    });
    child.send(task);
  });
}
