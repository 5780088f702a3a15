import type { Processes, StoreLock } from '@tamis/http';

/** A machine on which no process runs. */
export const noProcesses: Processes = { isRunning: () => false, birth: () => '' };

/** The lock of a private directory. */
export const testLock: StoreLock = { isLocked: () => true, release: async () => undefined };
