import { readFileSync } from 'node:fs';

/** The processes of this machine, as far as a store asks about them. */
export interface Processes {
  /** The number of this process. */
  readonly self: number;
  isRunning(pid: number): boolean;
  /** What tells a process from an earlier one with the same number; empty where the system does not say. */
  readonly birth: (pid: number) => string;
}

/** The process that has a store open. */
export interface Owner {
  readonly pid: number;
  readonly birth: string;
}

export function selfAsOwner({ self, birth }: Processes): Owner {
  return { pid: self, birth: birth(self) };
}

/** Whether the process that wrote this is still there. */
export function isAlive({ pid, birth }: Owner, processes: Processes): boolean {
  return processes.isRunning(pid) && processes.birth(pid) === birth;
}

/** What a store has noted about its owner; null for what is none. */
export function readOwner(text: string | undefined): Owner | null {
  const match = /^(\d{1,10}) (.*)$/.exec(text ?? '');
  return match === null ? null : { pid: Number(match[1]), birth: match[2] ?? '' };
}

export function writeOwner({ pid, birth }: Owner): string {
  return `${pid} ${birth}`;
}

/**
 * The processes of the system.
 *
 * @param signal sends a signal; with number 0 it only asks whether there is such a process.
 */
export function systemProcesses(self: number, signal: (pid: number, signal: 0) => unknown): Processes {
  return {
    self,
    isRunning(pid) {
      try {
        signal(pid, 0);
        return true;
      } catch (error) {
        // It is there, and belongs to another user.
        return (error as NodeJS.ErrnoException).code === 'EPERM';
      }
    },
    birth(pid) {
      try {
        const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
        // The 22nd field of the line; the second, the name, is in parentheses and may hold blanks (proc(5)).
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
        return `${boot} ${started}`;
      } catch {
        return '';
      }
    },
  };
}
