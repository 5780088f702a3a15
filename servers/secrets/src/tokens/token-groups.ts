import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import { createLocks } from '../base/locks.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Storage } from '../storage/storage.js';
import type { TokenEntry } from './token-entry.js';
import { tokenPaths } from './token-paths.js';

/** A group of tokens that can be listed and ended together. Root tokens are in none. */
export type TokenGroup =
  /** Made at this path or below it, such as `auth/cloud`. */
  | { readonly path: string }
  /** Made with a role of the mount at this path. */
  | { readonly mount: string; readonly role: string }
  /** Batch tokens made with a role of the mount at this path. */
  | { readonly mount: string; readonly role: string; readonly type: 'batch' }
  /** Made for an identity, such as `cloud/00c9...`, or by its tokens. */
  | { readonly identity: string };

/** The text that a group is known by. */
export function keyOfGroup(group: TokenGroup): string {
  if ('path' in group) return `path ${group.path}`;
  if (!('role' in group)) return `identity ${group.identity}`;
  return `${'type' in group ? 'batch-role' : 'role'} ${group.mount} ${foldName(group.role)}`;
}

/** The group of all batch tokens. Ended by sweeps alone, with the generation of what they forget. */
const allBatchTokens = 'batch';

/** All groups that a token is in. */
export function groupsOf({ type, path, role, identity = '', expiresAt }: TokenEntry): readonly string[] {
  if (expiresAt === null) return [];
  const segments = path.split('/');
  const paths = segments.map((_, at) => segments.slice(0, at + 1).join('/'));
  return [
    ...(type === 'batch' ? [allBatchTokens] : []),
    ...paths.map((each) => keyOfGroup({ path: each })),
    // Where the mount ends and its own paths begin is not known here: roles are searched after each.
    ...(role === '' ? [] : paths.map((mount) => keyOfGroup({ mount, role }))),
    ...(role === '' || type !== 'batch' ? [] : paths.map((mount) => keyOfGroup({ mount, role, type }))),
    ...(identity === '' ? [] : [keyOfGroup({ identity })]),
  ];
}

/** Whether a group of a token was ended after the token was made, going by the generations that groups were ended in. */
export function hasGroupEnded(entry: TokenEntry, endOf: (group: string) => number | undefined): boolean {
  return groupsOf(entry).some((group) => (endOf(group) ?? 0) > (entry.generation ?? 0));
}

/**
 * Generations of tokens: what ends a group all at once, batch tokens too, which are stored nowhere. Each token carries
 * the generation that it was made in; to end a group begins a new one, and makes all older tokens of the group void.
 */
export interface Generations {
  /** That of a token whose making begins now. */
  current(): number;
  hasEnded(entry: TokenEntry): boolean;
  /** Resolves when it would survive the loss of the process. */
  end(group: TokenGroup): Promise<void>;
  /**
   * Forgets groups whose tokens have all expired by the clock. The clock may be wrong: batch tokens that are older than
   * what is forgotten are refused from then on.
   *
   * @param removeRevoked removes the stored tokens of groups that were ended; called only if something is forgotten.
   */
  sweep(removeRevoked: () => Promise<void>): Promise<void>;
}

interface Generation {
  readonly number: number;
  /** The longest life in milliseconds that a token could ever have been given. */
  readonly longest: number;
}

/** The end of a group: of all its tokens that are older than this generation. */
interface GroupEnd {
  readonly group: string;
  readonly generation: number;
  /** Milliseconds since 1970 when none of these can be alive any more. */
  readonly until: number;
}

/** The generations in which those of a token's groups were ended that were, as they are stored now. */
export async function readGroupEnds(
  storage: Storage,
  entry: TokenEntry,
  hashOf: (text: string) => string,
): Promise<(group: string) => number | undefined> {
  const found = new Map<string, number>();
  const oldest = entry.type === 'batch' ? await getJson<number>(storage, tokenPaths.oldestBatch) : null;
  if (oldest !== null) found.set(allBatchTokens, oldest);
  for (const group of groupsOf(entry)) {
    const end = await getJson<GroupEnd>(storage, pathOfEnd(group, hashOf));
    if (end !== null) found.set(group, end.generation);
  }
  return (group) => found.get(group);
}

function pathOfEnd(group: string, hashOf: (text: string) => string): string {
  return tokenPaths.groupEnds + hashOf(group);
}

/** A full disk must not keep the store shut: the next start tries again. */
async function saveMaxLease(storage: Storage, generation: Generation): Promise<void> {
  try {
    await storage.write([putJson(tokenPaths.generation, generation)]);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
  }
}

/** @param maxLeaseSeconds seconds that a token may live from now on. */
export async function openGenerations(
  storage: Storage,
  clock: Pick<Clock, 'now'>,
  hashOf: (text: string) => string,
  maxLeaseSeconds: number,
): Promise<Generations> {
  const lock = createLocks();
  const ends = new Map<string, GroupEnd>();
  for (const path of await storage.list(tokenPaths.groupEnds)) {
    const end = await getJson<GroupEnd>(storage, path);
    if (end !== null) ends.set(end.group, end);
  }
  const stored = await getJson<Generation>(storage, tokenPaths.generation);
  let { number } = stored ?? { number: 0 };
  // A bound that was lowered does not shorten the lives of tokens that are out.
  const longest = Math.max(stored?.longest ?? 0, maxLeaseSeconds * 1000);
  if (stored?.longest !== longest) await saveMaxLease(storage, { number, longest });
  let oldestBatch = (await getJson<number>(storage, tokenPaths.oldestBatch)) ?? 0;
  const pathOf = (group: string): string => pathOfEnd(group, hashOf);
  const endOf = (group: string): number | undefined =>
    group === allBatchTokens ? oldestBatch : ends.get(group)?.generation;

  return {
    current: () => number,
    hasEnded: (entry) => number > 0 && hasGroupEnded(entry, endOf),
    end: (of) =>
      lock('end', async () => {
        const group = keyOfGroup(of);
        const end: GroupEnd = { group, generation: number + 1, until: clock.now() + longest };
        await storage.write([
          putJson(tokenPaths.generation, { number: end.generation, longest }),
          putJson(pathOf(group), end),
        ]);
        number = end.generation;
        ends.set(group, end);
      }),
    sweep: (removeRevoked) =>
      lock('end', async () => {
        const now = clock.now();
        const past = [...ends.values()].filter(({ until }) => until < now);
        if (past.length === 0) return;
        await removeRevoked();
        const oldest = past.reduce((highest, { generation }) => Math.max(highest, generation), oldestBatch);
        await storage.write([
          putJson(tokenPaths.oldestBatch, oldest),
          ...past.map(({ group }) => removeEntry(pathOf(group))),
        ]);
        oldestBatch = oldest;
        for (const { group } of past) ends.delete(group);
      }),
  };
}
