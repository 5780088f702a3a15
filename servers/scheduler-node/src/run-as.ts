import { resolveCommand } from './resolve-command.js';
import { DriverError } from './driver.js';
import type { User, Users } from './users.js';

/** User and arguments for starting a program as its user. */
export interface RunAs {
  /** User and group for the start; null if `prefix` changes the user, or it does not change. */
  readonly ids: { readonly uid: number; readonly gid: number } | null;
  /** Arguments placed before the command. */
  readonly prefix: readonly string[];
  /** Null for the agent's own user. */
  readonly user: User | null;
}

const asAgent: RunAs = Object.freeze({ ids: null, prefix: [], user: null });

/**
 * Determines how a program switches to its user. Starting with user and group drops all supplementary groups, both the agent's
 * and the user's. If the user has such groups, `setpriv` adds them.
 *
 * @throws DriverError if the user does not exist, or this agent may not switch to it.
 */
export async function planRunAs(name: string, users: Users, searchPath: string): Promise<RunAs> {
  if (name === '') return asAgent;
  const user = await users.find(name);
  const quoted = JSON.stringify(name);
  if (!(await users.mayChange())) {
    if (user.uid === users.self) return { ...asAgent, user };
    throw new DriverError(
      `This agent may not run tasks as user ${quoted}: it runs as user ${users.self} itself, and only root may change to others`,
      false,
    );
  }
  const { uid, gid } = user;
  const others = user.groups.filter((group) => group !== gid);
  if (others.length === 0) return { ids: { uid, gid }, prefix: [], user };
  const setpriv = await resolveCommand('setpriv', searchPath).catch(() => null);
  if (setpriv === null) {
    throw new DriverError(
      `User ${quoted} is in more than one group, and there is no setpriv (of util-linux) to give a program those`,
      false,
    );
  }
  const prefix = [setpriv, `--reuid=${uid}`, `--regid=${gid}`, `--groups=${others.join(',')}`, '--'];
  return { ids: null, prefix, user };
}
