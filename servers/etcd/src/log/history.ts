import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import { decodeHead, type StoredHead } from './head.js';

/** Commits whose names are remembered, so that an unknown outcome can be settled. */
const remembered = 10_000;

/** The part of a log that this process knows, from its watch and from responses, which may arrive in either order. */
export type History = ReturnType<typeof createHistory>;

export function createHistory(clock: Clock) {
  let newest: StoredHead | undefined;
  let delivered = 0;
  let followed = 0;
  let applied = 0;
  /** Revisions from here on have been seen without a gap. */
  let unbrokenSince = Infinity;
  const ids = new Map<string, number>();
  const waiting = new Set<() => void>();

  function take(head: StoredHead): void {
    if (newest === undefined || head.revision > newest.revision) newest = head;
  }

  function remember({ id, revision }: StoredHead): void {
    ids.set(id, revision);
    const [oldest] = ids;
    if (ids.size <= remembered || oldest === undefined) return;
    ids.delete(oldest[0]);
    unbrokenSince = oldest[1];
  }

  function notifyChange(): void {
    for (const look of [...waiting]) look();
  }

  async function until(isTrue: () => boolean, timeout: number): Promise<boolean> {
    if (isTrue()) return true;
    const late = new AbortController();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (isTrue()) late.abort();
      };
      waiting.add(look);
      void sleep(clock, timeout, late.signal).then(() => {
        waiting.delete(look);
        resolve();
      });
    });
    return isTrue();
  }

  return {
    /** The newest head heard of. */
    newest: (): StoredHead | undefined => newest,
    /** Takes a head from a response; older ones than the newest are ignored. */
    hear(bytes: Buffer, revision: number): StoredHead {
      const head = decodeHead(bytes, revision);
      take(head);
      return head;
    },
    /** Restarts at a revision: earlier ones are unknown. */
    restart(head: StoredHead | undefined, revision: number): void {
      newest = head;
      delivered = revision;
      followed = head?.revision ?? 0;
      applied = 0;
      unbrokenSince = revision;
      ids.clear();
      if (head !== undefined) remember(head);
      notifyChange();
    },
    /** Takes a revision from the watch, with its head when it has one. */
    deliver(revision: number, head?: StoredHead): void {
      if (head !== undefined) {
        take(head);
        remember(head);
        followed = head.revision;
      }
      delivered = revision;
      notifyChange();
    },
    /** Records that the follower has applied everything up to a revision. */
    apply(revision: number): void {
      applied = revision;
      notifyChange();
    },
    applied: (): number => applied,
    /** The revision of the last head from the watch or the contents. */
    followed: (): number => followed,
    /** The revision up to which the watch has reported. */
    delivered: (): number => delivered,
    /**
     * Whether the commit of that name is in the log between two revisions, as soon as the watch has passed the second one;
     * undefined when the watch did not see all of them, or not in time.
     */
    async contains(
      id: string,
      after: number,
      through: number,
      timeout: number,
    ): Promise<boolean | undefined> {
      const hasPassed = await until(() => delivered >= through || ids.has(id), timeout);
      if (ids.has(id)) return true;
      return hasPassed && unbrokenSince <= after ? false : undefined;
    },
    /** Resolves to whether everything up to a revision is applied in time. */
    reached: (revision: number, timeout: number): Promise<boolean> =>
      until(() => applied >= revision, timeout),
  };
}
