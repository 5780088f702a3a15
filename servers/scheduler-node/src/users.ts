import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DriverError } from './driver.js';

/** A local user. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** All groups, the primary group first. */
  readonly groups: readonly number[];
}

/** The local users, and the permission of this process to switch to them. */
export type Users = ReturnType<typeof systemUsers>;

/** Timeout for looking up a user, in ms; a directory service may hang. */
const lookupTimeout = 10_000;
/** Bits of the capabilities to change groups and users (capabilities(7)). */
const setGid = 6n;
const setUid = 7n;

/** @param self effective user of this process. */
export function systemUsers(self: number) {
  return {
    /** The user of this process. */
    self,
    /** @throws DriverError if the user does not exist. */
    async find(name: string): Promise<User> {
      const [uid = '', gid = '', groups = ''] = await Promise.all(
        ['-u', '-g', '-G'].map((query) => querySystem(query, name)),
      );
      return { name, uid: Number(uid), gid: Number(gid), groups: groups.split(/\s+/).map(Number) };
    },
    /** Whether this process may run programs as other users. */
    async mayChange(): Promise<boolean> {
      const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
      const [, effective] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
      if (effective === undefined) return self === 0;
      const capabilities = BigInt(`0x${effective}`);
      return [setGid, setUid].every((bit) => ((capabilities >> bit) & 1n) === 1n);
    },
  };
}

const run = promisify(execFile);

/** Uses the system's program, so that directory services are queried too. */
async function querySystem(query: string, name: string): Promise<string> {
  try {
    const { stdout } = await run('id', [query, '--', name], { timeout: lookupTimeout });
    return stdout.trim();
  } catch (error) {
    const { code, killed } = error as { readonly code?: unknown; readonly killed?: boolean };
    // Exit code 1: no such user.
    if (code === 1) throw new DriverError(`There is no user ${JSON.stringify(name)} on this node`, false);
    const reason = killed === true ? 'the system did not respond' : String(code);
    throw new DriverError(`Cannot look up user ${JSON.stringify(name)}: ${reason}`, true);
  }
}
