import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes, which can really be full. */
export interface SmallDisk {
  readonly directory: string;
  /** Takes the last byte that is free. */
  fill(): void;
  /** Gives back what {@link fill} took. */
  free(): void;
  remove(): void;
}

/** @throws Error where this user may not mount */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(directory);
    throw error;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    fill() {
      for (let size = 1_048_576; size >= 1; size /= 16) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size));
        } catch {
          // It is full for pieces of this size.
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', directory]);
      rmdirSync(directory);
    },
  };
}

/** Why small disks cannot be had here; null where they can. */
export function whyNoSmallDisk(): string | null {
  try {
    mountSmallDisk(1).remove();
    return null;
  } catch {
    return 'only a privileged user can mount a file system';
  }
}
