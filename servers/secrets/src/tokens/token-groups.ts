import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import { createLocks } from '../base/locks.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Storage } from '../storage/storage.js';
import type { TokenEntry } from './token-entry.js';
import { tokenPaths } from './token-paths.js';

/** A group of tokens that can be listed and ended together. Root tokens belong to no group. */
export type TokenGroup =
  /** Tokens created at or below this path, such as `auth/cloud`. */
  | { readonly path: string }
  /** Tokens created with a role of the mount at this path. */
  | { readonly mount: string; readonly role: string }
  /** Batch tokens created with a role of the mount at this path. */
  | { readonly mount: string; readonly role: string; readonly type: 'batch' }
  /** Tokens created for an identity, such as `cloud/00c9...`, or by its tokens. */
  | { readonly identity: string };

/** Returns the key of a group. */
export function keyOfGroup(group: TokenGroup): string {
  if ('path' in group) return `path ${group.path}`;
  if (!('role' in group)) return `identity ${group.identity}`;
  return `${'type' in group ? 'batch-role' : 'role'} ${group.mount} ${foldName(group.role)}`;
}

/** Key of the group of all batch tokens. Only sweeps end it: with the generation of the groups that they remove. */
const allBatchTokens = 'batch';

/** Returns the keys of all groups of a token. */
export function groupsOf({ type, path, role, identity = '', expiresAt }: TokenEntry): readonly string[] {
  if (expiresAt === null) return [];
  const segments = path.split('/');
  const paths = segments.map((_, at) => segments.slice(0, at + 1).join('/'));
  return [
    ...(type === 'batch' ? [allBatchTokens] : []),
    ...paths.map((each) => keyOfGroup({ path: each })),
    // Where the mount path ends is unknown here, so every prefix is used.
    ...(role === '' ? [] : paths.map((mount) => keyOfGroup({ mount, role }))),
    ...(role === '' || type !== 'batch' ? [] : paths.map((mount) => keyOfGroup({ mount, role, type }))),
    ...(identity === '' ? [] : [keyOfGroup({ identity })]),
  ];
}

/** Whether a group of a token was ended after the token was created, according to the generations. */
export function hasGroupEnded(entry: TokenEntry, endOf: (group: string) => number | undefined): boolean {
  return groupsOf(entry).some((group) => (endOf(group) ?? 0) > (entry.generation ?? 0));
}

/**
 * Generations of tokens. They allow a whole group to be ended at once, including batch tokens, which are not stored. Each token
 * contains the generation in which it was created. Ending a group begins a new generation and invalidates all older tokens of the
 * group.
 */
export type Generations = Awaited<ReturnType<typeof openGenerations>>;

interface Generation {
  readonly number: number;
  /** Maximum lifetime that was ever configured for tokens, in ms. */
  readonly longest: number;
}

/** The end of a group. It invalidates all tokens of the group that are older than this generation. */
interface GroupEnd {
  readonly group: string;
  readonly generation: number;
  /** Time when all these tokens have expired, in ms since 1970. */
  readonly until: number;
}

/** Reads from the store in which generations groups were ended. */
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

/**
 * Stores the maximum lifetime. Errors are ignored, because a full disk must not prevent opening the store. The next start
 * retries.
 */
async function saveMaxLease(storage: Storage, generation: Generation): Promise<void> {
  try {
    await storage.write([putJson(tokenPaths.generation, generation)]);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
  }
}

/** @param maxLeaseSeconds maximum lifetime of new tokens, in seconds. */
export async function openGenerations(
  storage: Storage,
  clock: Pick<Clock, 'now'>,
  hashOf: (text: string) => string,
  maxLeaseSeconds: number,
) {
  const lock = createLocks();
  const ends = new Map<string, GroupEnd>();
  for (const path of await storage.list(tokenPaths.groupEnds)) {
    const end = await getJson<GroupEnd>(storage, path);
    if (end !== null) ends.set(end.group, end);
  }
  const stored = await getJson<Generation>(storage, tokenPaths.generation);
  let { number } = stored ?? { number: 0 };
  // A lower maximum does not shorten the lifetimes of existing tokens.
  const longest = Math.max(stored?.longest ?? 0, maxLeaseSeconds * 1000);
  if (stored?.longest !== longest) await saveMaxLease(storage, { number, longest });
  let oldestBatch = (await getJson<number>(storage, tokenPaths.oldestBatch)) ?? 0;
  const pathOf = (group: string): string => pathOfEnd(group, hashOf);
  const endOf = (group: string): number | undefined =>
    group === allBatchTokens ? oldestBatch : ends.get(group)?.generation;

  return {
    /** Returns the generation for tokens whose creation begins now. */
    current: (): number => number,
    hasEnded: (entry: TokenEntry): boolean => number > 0 && hasGroupEnded(entry, endOf),
    /** Ends a group. Resolves when the end is stored. */
    end: (of: TokenGroup): Promise<void> =>
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
    /**
     * Removes the records of groups whose tokens have all expired. The clock may be wrong, so batch tokens older than these groups
     * are refused from then on.
     *
     * @param removeRevoked removes the stored tokens of ended groups; called only if groups are removed.
     */
    sweep: (removeRevoked: () => Promise<void>): Promise<void> =>
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
