import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Space } from './storage.js';

/** Tracks whether a required resource can be written: the store or the audit log. */
export type WriteHealth = ReturnType<typeof createWriteHealth>;

export interface WriteHealthOptions {
  /** Name of the resource for messages, such as `the store`. */
  readonly name: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Returns the space. Rejects if the resource no longer exists. */
  readonly space: () => Promise<Space | null>;
  /** Writes a small probe to check whether writing works again. */
  readonly probe: () => Promise<void>;
}

/** Time for which a check is valid, in ms. Prevents each of many health requests from writing. */
const lookInterval = 1_000;
/** Free space that counts as none, in bytes, because a transaction of the store needs more. */
const nothing = 65_536;
/** Share of the file system that is reserved for writes that free space; then the maximum of this reserve, in bytes. */
const reserveShare = 0.05;
const maxReserve = 67_108_864;

export function createWriteHealth(options: WriteHealthOptions) {
  const { name, clock, logger } = options;
  let failure: string | null = null;
  let space: Space | null = null;
  let lookedAt = -Infinity;
  let look: Promise<void> = Promise.resolve();

  /** Runs a write and remembers whether it succeeded. Errors are passed to the caller. */
  async function run<T>(write: () => Promise<T>): Promise<T> {
    try {
      const value = await write();
      if (failure !== null) logger.info({}, `${name} can be written again`);
      failure = null;
      return value;
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  function fail(error: unknown): void {
    const reason = reasonOf(error);
    // Logged once, not for each request, because this log may be what fills the disk.
    if (failure === null) logger.error({ reason }, `${name} cannot be written: requests are refused`);
    failure = reason;
  }

  async function lookAgain(): Promise<void> {
    try {
      space = await options.space();
    } catch (error) {
      space = null;
      fail(error);
      return;
    }
    if (failure !== null && !isFull()) await run(options.probe).catch(() => undefined);
  }

  const isFull = (): boolean => space !== null && space.free < nothing;

  async function recent(): Promise<void> {
    const now = clock.now();
    if (Math.abs(now - lookedAt) >= lookInterval) {
      lookedAt = now;
      look = lookAgain();
    }
    await look;
  }

  return {
    /** Name of the resource for messages, such as `the store`. */
    name,
    run,
    /** Returns the free bytes, according to a recent check; null if unknown. */
    async free(): Promise<number | null> {
      await recent();
      return space?.free ?? null;
    },
    /** Returns why it cannot be written, according to a recent check; null if it can. */
    async problem(): Promise<string | null> {
      await recent();
      const reason = isFull() ? noSpace : failure;
      return reason === null ? null : `${name} cannot be written: ${reason}`;
    },
    /** Whether space is so low that only writes that free space should be made. */
    async isShort(): Promise<boolean> {
      await recent();
      return space !== null && space.free < Math.min(maxReserve, space.total * reserveShare);
    },
  };
}

const noSpace = 'there is no space left';

/** Returns the reason of an error without a path, which readers of the health must not learn. */
function reasonOf(error: unknown): string {
  if (error instanceof SecretsError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace;
  // The database reports a device error if it could not write all bytes.
  return typeof code === 'string' ? `error ${code}` : 'an error of the device: is the disk full?';
}
