import type { Clock } from '../clock.js';
import { readDuration, readFlag, readText, readWhole, requireKnownKeys } from './driver-config.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskToRun } from './driver.js';

/**
 * A driver that runs nothing and does as it is told, for trying things out: `run_for` ("10s"; without it the task runs
 * until it is stopped), `exit_code`, `exit_signal`, `exit_err_msg`, `start_block_for`, `start_error`,
 * `start_error_recoverable`, `kill_after` (how long it takes to end when it is told to).
 */
export function createMockDriver(clock: Pick<Clock, 'after'>): TaskDriver {
  return {
    name: 'mock_driver',
    health: () => ({ detected: true, healthy: true, description: 'Healthy' }),
    async start({ config }) {
      const script = readScript(config);
      await new Promise<void>((resolve) => void clock.after(script.startBlockFor, resolve));
      if (script.startError !== '') throw new DriverError(script.startError, script.startErrorRecoverable);
      return play(script, clock);
    },
  };
}

interface Script {
  /** Milliseconds, Infinity to run until it is stopped. */
  readonly runFor: number;
  readonly exit: TaskExit;
  readonly startBlockFor: number;
  readonly startError: string;
  readonly startErrorRecoverable: boolean;
  readonly killAfter: number;
}

function readScript(config: TaskToRun['config']): Script {
  requireKnownKeys(config, [
    'run_for',
    'exit_code',
    'exit_signal',
    'exit_err_msg',
    'start_block_for',
    'start_error',
    'start_error_recoverable',
    'kill_after',
  ]);
  return {
    runFor: readDuration(config, 'run_for', Infinity),
    exit: {
      code: readWhole(config, 'exit_code', 0),
      signal: readWhole(config, 'exit_signal', 0),
      message: readText(config, 'exit_err_msg', ''),
    },
    startBlockFor: readDuration(config, 'start_block_for', 0),
    startError: readText(config, 'start_error', ''),
    startErrorRecoverable: readFlag(config, 'start_error_recoverable'),
    killAfter: readDuration(config, 'kill_after', 0),
  };
}

function play({ runFor, exit, killAfter }: Script, clock: Pick<Clock, 'after'>): RunningTask {
  let end: (how: TaskExit) => void = () => undefined;
  const ended = new Promise<TaskExit>((resolve) => {
    end = resolve;
  });
  const cancel = runFor === Infinity ? (): void => undefined : clock.after(runFor, () => end(exit));
  return {
    exit: ended,
    stop(_signal, killTimeout) {
      clock.after(Math.min(killAfter, killTimeout), () => {
        cancel();
        end({ code: 0, signal: 0, message: '' });
      });
    },
  };
}
