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

/** A lock of a directory for this process. */
export interface StoreLock {
  /**
   * Whether no other process can have the lock. Check it before each write and each response. Permanently false once the socket
   * is gone, unless the directory is gone too: then no process can have taken it over.
   */
  readonly isLocked: () => boolean;
  readonly release: () => Promise<void>;
}

/** A directory cannot be locked: it is `in-use` by another process, or `unusable` for a lock. The message says what to do. */
export class StoreLockError extends Error {
  override readonly name = 'StoreLockError';
  readonly code: 'in-use' | 'unusable';

  constructor(code: StoreLockError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Locks a directory against all other processes on the same kernel, in any container.
 *
 * The lock is a Unix socket in the directory (unix(7)): the kernel accepts connections to it while the process lives, even if
 * stopped, and refuses them once it has died. Socket names are unique and never reused, so that a dead socket can be removed
 * without a race. Each process creates its socket before it checks for others: of two concurrent processes, at least one sees the
 * other.
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
      // Two processes that start at once see each other. Both withdraw, and retry after different delays.
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

/** Calls `lost` once, within a second after the lock is lost. The function returned ends the watch. */
export function watchLock(isLocked: StoreLock['isLocked'], lost: () => void): () => void {
  const timer = setInterval(() => {
    if (isLocked()) return;
    clearInterval(timer);
    lost();
  }, watchInterval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Interval between checks, in ms. */
const watchInterval = 1_000;

/** The locks found in a directory. */
export interface LocksFound {
  readonly isLocked: boolean;
  /** Whether a lock of a dead process was found. */
  readonly wasLocked: boolean;
}

/** Checks whether a directory is locked, without changing anything. */
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

/** Mode of a socket whose process has checked for others. New sockets are also executable, unless the umask prevents it. */
const ownerMode = 0o600;
const executable = 0o100;
/** Maximum attempts against other processes that are starting too. */
const maxTries = 20;
/** Maximum length of a socket address on every system, in bytes (unix(7)). The runtime truncates longer ones. */
const maxAddressLength = 100;

/** A directory as it appears in socket addresses. */
interface Place {
  readonly address: (file: string) => string;
  readonly close: () => void;
}

/** Socket addresses are short. For long paths, Linux can address an open directory by its descriptor (proc(5)). */
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
  /** Removes the socket, but keeps the directory open. */
  withdraw(): Promise<void>;
}

async function bind(directory: string, name: string, place: Place): Promise<BoundSocket> {
  // PID and host are informative: only the kernel decides whether the process lives.
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
    // Closing removes the socket file, if it exists.
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
  /** Whether that process has checked for others. Before the check it may still withdraw. */
  readonly isOwner: boolean;
}

/** Returns the process with another lock, preferring an owner; null if none exists. Removes locks of dead processes. */
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
