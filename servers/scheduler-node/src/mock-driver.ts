import { sleep } from '@tamis/http';
import type { Writable } from 'node:stream';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { configKeys } from '@tamis/scheduler-model/driver-config.js';
import { readDuration, readFlag, readText, readWhole, requireKnownKeys } from './driver-config.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskSpec } from './driver.js';
import { openTaskOutput } from './task-output.js';

/**
 * A driver that runs nothing and simulates tasks, for tests: `run_for` ("10s"; without it the task ends
 * at once), `exit_code`, `exit_signal`, `exit_err_msg`, `start_block_for`, `start_error`, `start_error_recoverable`,
 * `kill_after` (how long it takes to end when stopped), `stdout_string` with `stdout_repeat` (the number of repetitions) and
 * `stdout_repeat_duration` (the time between), and the same for `stderr`.
 */
export function createMockDriver(clock: Pick<Clock, 'after'>): TaskDriver {
  return {
    name: 'mock_driver',
    health: () => ({ detected: true, healthy: true, description: 'Healthy' }),
    async start({ config, logs }, stopping) {
      const script = readScript(config);
      await sleep(clock, script.startBlockFor, stopping);
      if (stopping.aborted) throw new DriverError('stopped before it began', false);
      if (script.startError !== '') throw new DriverError(script.startError, script.startErrorRecoverable);
      return play(script, logs, clock);
    },
    abandon: () => undefined,
  };
}

interface Script {
  /** Duration of the task, in ms. */
  readonly runFor: number;
  readonly exit: TaskExit;
  readonly startBlockFor: number;
  readonly startError: string;
  readonly startErrorRecoverable: boolean;
  readonly killAfter: number;
  readonly outputs: readonly Output[];
}

interface Output {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  readonly repeat: number;
  /** Delay between two outputs, in ms. */
  readonly pause: number;
}

const streams = ['stdout', 'stderr'] as const;

function readScript(config: TaskSpec['config']): Script {
  requireKnownKeys(config, configKeys('mock_driver'));
  return {
    runFor: readDuration(config, 'run_for', 0),
    exit: {
      code: readWhole(config, 'exit_code', 0),
      signal: readWhole(config, 'exit_signal', 0),
      message: readText(config, 'exit_err_msg', ''),
    },
    startBlockFor: readDuration(config, 'start_block_for', 0),
    startError: readText(config, 'start_error', ''),
    startErrorRecoverable: readFlag(config, 'start_error_recoverable'),
    killAfter: readDuration(config, 'kill_after', 0),
    outputs: streams.map((stream) => ({
      stream,
      text: readText(config, `${stream}_string`, ''),
      repeat: readWhole(config, `${stream}_repeat`, 0),
      pause: readDuration(config, `${stream}_repeat_duration`, 0),
    })),
  };
}

function play(script: Script, logs: TaskSpec['logs'], clock: Pick<Clock, 'after'>): RunningTask {
  const { exit, killAfter, outputs, runFor } = script;
  const speaking = outputs
    .filter(({ text }) => text !== '')
    .map((output) => speak(output, openTaskOutput(logs, output.stream), clock));
  let end: () => void = () => undefined;
  const ended = new Promise<TaskExit>((resolve) => {
    end = () => {
      for (const stopReporting of speaking) stopReporting();
      resolve(exit);
    };
  });
  const cancel = clock.after(runFor, end);
  return {
    exit: ended,
    warning: null,
    signal: () => undefined,
    stop(_signal, killTimeout) {
      clock.after(Math.min(killAfter, killTimeout), () => {
        cancel();
        end();
      });
    },
  };
}

/** Writes a string repeatedly; returns a function to stop. */
function speak({ text, repeat, pause }: Output, to: Writable, clock: Pick<Clock, 'after'>): () => void {
  let left = repeat;
  let cancel = (): void => undefined;
  // Output that cannot be stored is lost, as it is for a real program.
  to.on('error', () => undefined);
  const write = (): void => {
    to.write(text);
    left -= 1;
    if (left >= 0) cancel = clock.after(pause, write);
  };
  write();
  return () => {
    cancel();
    to.end();
  };
}
