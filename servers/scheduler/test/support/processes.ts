import type { Processes } from '@tamis/http';

/** A machine on which only this process runs, with a number of its own. */
export function testProcesses(self = 1, others: Readonly<Record<number, string>> = {}): Processes {
  const births: Readonly<Record<number, string>> = { [self]: 'now', ...others };
  return {
    self,
    isRunning: (pid) => Object.hasOwn(births, pid),
    birth: (pid) => births[pid] ?? '',
  };
}
