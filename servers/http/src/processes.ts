import { readFileSync } from 'node:fs';

/** Access to other processes of the system. */
export type Processes = ReturnType<typeof systemProcesses>;

/** Whether a process is still running, and its PID has not been reused. */
export function isAlive(
  { pid, birth }: { readonly pid: number; readonly birth: string },
  processes: Processes,
): boolean {
  return processes.isRunning(pid) && processes.birth(pid) === birth;
}

/**
 * Returns access to the processes of the system.
 *
 * @param signal sends a signal; signal 0 only checks whether the process exists.
 */
export function systemProcesses(signal: (pid: number, signal: 0) => unknown) {
  return {
    isRunning(pid: number): boolean {
      try {
        signal(pid, 0);
        return true;
      } catch (error) {
        // The process exists, but belongs to another user.
        return (error as NodeJS.ErrnoException).code === 'EPERM';
      }
    },
    /** Identifies a process among those with the same PID; empty if the system does not provide it. */
    birth(pid: number): string {
      try {
        const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
        // The start time is field 22. Field 2, the name, is in parentheses and may contain blanks (proc(5)).
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
        return `${boot} ${started}`;
      } catch {
        return '';
      }
    },
  };
}
