import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A directory held for this process. */
export interface StoreLock {
  /**
   * Whether no other process can hold it: check it before a write and before a response. Permanently false once the socket is
   * gone. If the directory is gone too, no process can have taken it over.
   */
  readonly isLocked: () => boolean;
  readonly release: () => Promise<void>;
}

/** Why a directory cannot be held: `in-use` by another process, or `unusable` for a lock. The message says what to do. */
export class StoreLockError extends Error {
  override readonly name = 'StoreLockError';
  readonly code: 'in-use' | 'unusable';

  constructor(code: StoreLockError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Holds a directory for this process, against every other one on the same kernel, in whatever container.
 *
 * The lock is a Unix socket in the directory (unix(7)): the kernel takes connections to it for as long as the process
 * lives, stopped or not, and refuses them from the moment of its death, whatever the cause. Every holder has a name of
 * its own, and no name comes back, so that a dead socket can be removed without a race. Each makes its socket first and
 * looks at the others after that: of two at once, one sees the other.
 *
 * Processes on different kernels (a network volume, virtual machines with a shared folder) cannot see each other: the later one
 * removes the socket, and the earlier one detects that it has lost the lock.
 *
 * @param directory must exist, and be writable only by its owner.
 * @param name distinguishes locks in one directory.
 * @throws StoreLockError
 */
export async function lockStore(directory: string, name: string): Promise<StoreLock> {
  const place = openPlace(directory);
  try {
    for (let tries = 0; ; tries += 1) {
      const lock = await bind(directory, name, place);
      const other = await livingOther(directory, name, lock.file, place);
      if (other === null && lock.isLocked()) {
        chmodSync(lock.path, ownerMode);
        return lock;
      }
      await lock.withdraw();
      if (other !== null && (other.isOwner || tries === maxTries)) throw inUse(directory, other);
      // Two that start at once have seen each other: both step back, and not for the same time.
      await delay(randomBytes(1).readUInt8());
    }
  } catch (error) {
    place.close();
    if (error instanceof StoreLockError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreLockError(
      'unusable',
      `${directory} cannot be held by a socket in it: ${reason}: name another directory, which this user may write`,
      error,
    );
  }
}

/** Calls `lost` once when a lock is found to be held no more, within a second. The function returned ends that. */
export function watchLock(isLocked: StoreLock['isLocked'], lost: () => void): () => void {
  const timer = setInterval(() => {
    if (isLocked()) return;
    clearInterval(timer);
    lost();
  }, watchInterval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Milliseconds between two looks. */
const watchInterval = 1_000;

/** Locks that processes have had in a directory. */
export interface LocksFound {
  readonly isLocked: boolean;
  /** Whether there is one whose process is gone. */
  readonly wasLocked: boolean;
}

/** Looks whether a directory is held, and changes nothing. */
export async function findLocks(directory: string, name: string): Promise<LocksFound> {
  const place = openPlace(directory);
  try {
    const files = lockFiles(directory, name);
    const alive = await Promise.all(files.map((file) => isAlive(place.address(file))));
    return { isLocked: alive.includes(true), wasLocked: alive.includes(false) };
  } finally {
    place.close();
  }
}

/** Of a socket whose process has looked around. A new one may be executed, unless the umask says otherwise. */
const ownerMode = 0o600;
const executable = 0o100;
/** Tries against others that have only just been started too. */
const maxTries = 20;
/** Bytes of an address, at least, on every system (unix(7)); the runtime cuts off what is longer. */
const maxAddressLength = 100;

/** A directory as sockets name it. */
interface Place {
  readonly address: (file: string) => string;
  readonly close: () => void;
}

/** An address is short. Where a path is not, Linux knows the open directory by its number (proc(5)). */
function openPlace(directory: string): Place {
  const fits = (file: string): boolean => Buffer.byteLength(join(directory, file)) <= maxAddressLength;
  if (fits('x'.repeat(60))) return { address: (file) => join(directory, file), close: () => undefined };
  const number = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  const short = `/proc/self/fd/${number}`;
  if (!existsSync(short)) {
    closeSync(number);
    throw new StoreLockError('unusable', `${directory} is too long for the name of a socket in it`);
  }
  return { address: (file) => join(short, file), close: () => closeSync(number) };
}

interface BoundSocket extends StoreLock {
  readonly file: string;
  readonly path: string;
  /** Gives the socket up, and leaves the place open. */
  withdraw(): Promise<void>;
}

async function bind(directory: string, name: string, place: Place): Promise<BoundSocket> {
  // The number of the process and its machine are for people: only the kernel is believed.
  const host = ownHost();
  const file = `${name}.lock.${process.pid}.${randomBytes(8).toString('hex')}.${host}`;
  const path = join(directory, file);
  const server = createServer((socket) => socket.destroy());
  server.listen({ path: place.address(file), exclusive: true });
  await once(server, 'listening');
  server.unref();
  let isThere = true;
  const withdraw = async (): Promise<void> => {
    isThere = false;
    // This removes its file, if that is there.
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    file,
    path,
    isLocked: () => (isThere &&= existsSync(path) || !existsSync(directory)),
    withdraw,
    async release() {
      if (!server.listening) return;
      await withdraw();
      place.close();
    },
  };
}

interface Other {
  readonly pid: string;
  readonly host: string;
  readonly since: Date;
  /** Whether it has looked around before: who has not may still step back. */
  readonly isOwner: boolean;
}

/** Returns the process with another lock, preferring a holder; null without one. Removes locks of dead processes. */
async function livingOther(
  directory: string,
  name: string,
  own: string,
  place: Place,
): Promise<Other | null> {
  const others = lockFiles(directory, name).filter((file) => file !== own);
  const found = await Promise.all(
    others.map(async (file) => {
      if (await isAlive(place.address(file))) return describe(directory, file);
      rmSync(join(directory, file), { force: true });
      return null;
    }),
  );
  const living = found.filter((other) => other !== null);
  return living.find(({ isOwner }) => isOwner) ?? living[0] ?? null;
}

function lockFiles(directory: string, name: string): readonly string[] {
  return readdirSync(directory).filter((file) => file.startsWith(`${name}.lock.`));
}

function describe(directory: string, file: string): Other | null {
  const found = statSync(join(directory, file), { throwIfNoEntry: false });
  if (found === undefined) return null;
  const [, pid = '?', host = ''] = /\.lock\.(\d+)\.[\da-f]+\.(.*)$/.exec(file) ?? [];
  return { pid, host, since: found.mtime, isOwner: (found.mode & executable) === 0 };
}

/** Whether a process listens. A stopped, busy or foreign process counts as listening. */
function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

function ownHost(): string {
  return hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 24);
}

function inUse(directory: string, { pid, host, since }: Other): StoreLockError {
  const where = host === '' || host === ownHost() ? '' : ` of ${host}`;
  const who = `process ${pid}${where} since ${since.toISOString()}`;
  const advice = 'stop it first, or name another directory';
  return new StoreLockError('in-use', `${directory} is in use by ${who}: ${advice}`);
}
