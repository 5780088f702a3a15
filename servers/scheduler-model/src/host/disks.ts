import type { Clock } from '../base/clock.js';
import type { Machine } from './machine.js';

/** Space of a mounted file system in MiB, rounded down. */
export interface DiskUsage {
  readonly DiskMB: number;
  readonly UsedMB: number;
}

export interface DiskLimits {
  /** Maximum number of mounts to read. Prevents requests that take minutes on a machine with thousands of containers. */
  readonly maxMounts: number;
  /** Timeout for one file system, in ms. Prevents a mount with an unreachable server from blocking the request. */
  readonly timeout: number;
}

const defaultDiskLimits: DiskLimits = Object.freeze({ maxMounts: 64, timeout: 2_000 });

/** Types of file systems that store files on this machine. Other types are kernel interfaces or remote. */
const localTypes: ReadonlySet<string> = new Set(
  'apfs bcachefs btrfs erofs exfat ext2 ext3 ext4 f2fs hfs iso9660 jfs msdos ntfs ntfs3 overlay reiserfs squashfs tmpfs udf ufs vfat virtiofs xfs zfs'.split(
    ' ',
  ),
);

/** Reads the space of mounted file systems. Implemented here because libraries run `df` and block on it. */
export type DiskReader = () => Promise<Readonly<Record<string, DiskUsage>>>;

/**
 * Creates the reader. A hung file system blocks a thread of Node.js, so it is not read again until it responds. Otherwise four
 * requests would block all file access.
 */
export function createDiskReader(
  machine: Pick<Machine, 'readText' | 'diskSize'>,
  clock: Pick<Clock, 'after'>,
  limits: DiskLimits = defaultDiskLimits,
): DiskReader {
  const unanswered = new Set<string>();

  async function readDisk(path: string): Promise<readonly [string, DiskUsage] | null> {
    if (unanswered.has(path)) return null;
    unanswered.add(path);
    const size = machine.diskSize(path).finally(() => unanswered.delete(path));
    let cancel = (): void => undefined;
    const timeoutMs = new Promise<null>((resolve) => {
      cancel = clock.after(limits.timeout, () => resolve(null));
    });
    const found = await Promise.race([size.catch(() => null), timeoutMs]);
    cancel();
    if (found === null) return null;
    return [path, { DiskMB: toMegabytes(found.total), UsedMB: toMegabytes(found.total - found.available) }];
  }

  return async () => {
    const paths = await mountPaths(machine);
    const disks = await Promise.all(paths.slice(0, limits.maxMounts).map(readDisk));
    return Object.fromEntries(disks.filter((disk) => disk !== null));
  };
}

/** Returns the mount points of local file systems; only the root if the system does not list them. */
async function mountPaths(machine: Pick<Machine, 'readText'>): Promise<readonly string[]> {
  const table = await machine.readText('/proc/mounts', 1_048_576).catch(() => '/dev/root / ext4\n');
  const mounts = table
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, path, type]) => path !== undefined && type !== undefined && localTypes.has(type))
    .map(([, path = '']) => unescapePath(path));
  return [...new Set(mounts)];
}

/** The system writes blanks and similar characters as `\040`. */
function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_match, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

function toMegabytes(bytes: number): number {
  return Math.trunc(bytes / 1_048_576);
}
