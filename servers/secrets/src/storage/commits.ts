import { sleep } from '@tamis/http';
import { EtcdError, maxRowBytes, type Clock, type Log, type RowChange } from '@tamis/etcd';
import { SecretsError } from '../base/errors.js';
import type { Change } from './storage.js';
import { storeState } from './replica.js';

/** Number of changes in a write, and its size in bytes, from which no other write joins its transaction. */
const groupChanges = 100;
const groupBytes = 500_000;
/** Delay before a commit with unknown outcome is retried, in ms. */
const retryDelay = 50;
/** Timeout for applying a commit on this server, in ms. */
const applyTimeoutMs = 5_000;

export interface CommitsOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Returns the election and term in which this server may write; null if it may not write. */
  readonly leaderTerm: () => { readonly id: number; readonly term: number } | null;
  /** Called if this server cannot continue to write. */
  readonly lost: () => void;
}

interface Waiting {
  readonly changes: readonly RowChange[];
  readonly bytes: number;
  /** The term in which the write is valid; null for any term. */
  readonly leaderTerm: number | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a writer that groups writes into guarded transactions. A write resolves when it is in the log and applied on this
 * server.
 *
 * @returns a function that rejects with SecretsError: nothing was written, unless the message says that the outcome is unknown.
 */
export function createCommits(
  options: CommitsOptions,
): (changes: readonly Change[], leaderTerm?: number) => Promise<void> {
  const { log, clock, uuid } = options;
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        const revision = await commit(
          group.flatMap(({ changes }) => changes),
          group[0]?.leaderTerm ?? null,
        );
        void settle(group, revision);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isRunning = false;
  }

  function takeGroup(): readonly Waiting[] {
    let [count, bytes] = [0, 0];
    let size = 0;
    for (const each of waiting) {
      if (each.leaderTerm !== waiting[0]?.leaderTerm) break;
      if (count > 0 && (size + each.changes.length > groupChanges || bytes + each.bytes > groupBytes)) break;
      count += 1;
      size += each.changes.length;
      bytes += each.bytes;
    }
    const group = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return group;
  }

  /** Commits changes and returns the revision. @throws SecretsError */
  async function commit(changes: readonly RowChange[], expectedIndex: number | null): Promise<number> {
    const leaderTerm = options.leaderTerm();
    if (leaderTerm === null || (expectedIndex !== null && leaderTerm.id !== expectedIndex)) throw notActive();
    const { term } = leaderTerm;
    const head = log.head();
    const request = {
      ...{ id: uuid(), term, after: head?.id ?? '', state: storeState, changes },
      ...(head === undefined && { incarnation: uuid() }),
    };
    for (let tries = 1; ; tries += 1) {
      const outcome = await log.append(request).catch((error: unknown) => {
        throw tries === 1 ? failureOf(error) : unknownOutcome(error);
      });
      if (outcome.kind === 'committed') return outcome.head?.revision ?? 0;
      if (outcome.kind !== 'unknown') {
        options.lost();
        throw notActive();
      }
      if (outcome.isFinal || options.leaderTerm()?.term !== term) {
        options.lost();
        throw unknownOutcome(new Error(outcome.reason));
      }
      await sleep(clock, retryDelay);
    }
  }

  async function settle(group: readonly Waiting[], revision: number): Promise<void> {
    if (await log.reached(revision, applyTimeoutMs)) for (const { resolve } of group) resolve();
    else {
      options.lost();
      const error = unknownOutcome(new Error('it was committed, and not applied here in time'));
      for (const { reject } of group) reject(error);
    }
  }

  return (changes, leaderTerm) =>
    new Promise((resolve, reject) => {
      const rows = changes.map(rowOf);
      const sizes = rows.map(({ key, value }) => Buffer.byteLength(key) + (value?.length ?? 0));
      if (sizes.some((size) => size > maxRowBytes)) {
        reject(new SecretsError('body-too-large', `an entry has at most ${maxRowBytes} bytes in etcd`));
        return;
      }
      if (rows.length === 0) {
        resolve();
        return;
      }
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      waiting.push({ changes: rows, bytes, leaderTerm: leaderTerm ?? null, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}

function rowOf({ path, value }: Change): RowChange {
  return { key: path, value: value === null ? undefined : Buffer.from(value) };
}

export function notActive(): SecretsError {
  return new SecretsError('standby', 'this server is not the active one: nothing has changed');
}

/** Returns the error for an unknown outcome. The caller must check what was written before it retries. */
function unknownOutcome(error: unknown): SecretsError {
  return new SecretsError(
    'storage-failed',
    'the connection to the store was lost before it responded: it is unknown whether this was written',
    error instanceof Error ? error.message : String(error),
  );
}

/** Converts an etcd error if it means that nothing was written. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof EtcdError)) return error;
  if (error.code === 'no-space') {
    return new SecretsError('no-space', 'etcd has no space left: nothing has changed', error.message);
  }
  return new SecretsError('storage-failed', 'etcd cannot be reached: nothing has changed', error.message);
}
