import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Space } from './storage.js';

/** Whether something can be written that no request can do without: the store, the audit log. */
export interface WriteHealth {
  /** Such as `the store`. */
  readonly name: string;
  /** Runs a write and remembers whether it worked. The error goes on to the caller. */
  run<T>(write: () => Promise<T>): Promise<T>;
  /** Why it cannot be written, as of a moment ago; null when it can. */
  problem(): Promise<string | null>;
  /** Whether so little space is left that only what frees some should still be written. */
  isShort(): Promise<boolean>;
  /** Bytes that can be written, as of a moment ago; null where that is not known. */
  free(): Promise<number | null>;
}

export interface WriteHealthOptions {
  /** Such as `the store`. */
  readonly name: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Rejects when what is to be written to is not there any more. */
  readonly space: () => Promise<Space | null>;
  /** Writes a little: the way to see whether it works again. */
  readonly probe: () => Promise<void>;
}

/** Milliseconds that a check is valid for. Prevents frequent health requests from writing each time. */
const lookInterval = 1_000;
/** Bytes that are as good as nothing: a transaction of the store takes more. */
const nothing = 65_536;
/** The reserve for what frees space: a share of the file system, and at most so many bytes. */
const reserveShare = 0.05;
const maxReserve = 67_108_864;

export function createWriteHealth(options: WriteHealthOptions): WriteHealth {
  const { name, clock, logger } = options;
  let failure: string | null = null;
  let space: Space | null = null;
  let lookedAt = -Infinity;
  let look: Promise<void> = Promise.resolve();

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
    // Once, not for each request: what fills the disk may be this very log.
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
    name,
    run,
    async free() {
      await recent();
      return space?.free ?? null;
    },
    async problem() {
      await recent();
      const reason = isFull() ? noSpace : failure;
      return reason === null ? null : `${name} cannot be written: ${reason}`;
    },
    async isShort() {
      await recent();
      return space !== null && space.free < Math.min(maxReserve, space.total * reserveShare);
    },
  };
}

const noSpace = 'there is no space left';

/** No path: a reader of the health need not know where things are. */
function reasonOf(error: unknown): string {
  if (error instanceof SecretsError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace;
  // The database reports a device error if less was written than requested.
  return typeof code === 'string' ? `error ${code}` : 'an error of the device: is the disk full?';
}
