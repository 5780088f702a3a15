import { defaultSliceBudget, nextTurn, type Pace } from '@tamis/http';
import type { Batch, Storage } from '../storage/storage.js';
import { mergeBatches } from './merge-batches.js';
import type { Snapshot } from './snapshot.js';
import { openTransaction, type Transaction } from './transaction.js';

/** Takes writes one after the other, and commits those that came in the meantime together. */
export interface Writer {
  write<R>(action: (transaction: Transaction) => R): Promise<R>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export interface WriterDependencies {
  readonly storage: Storage;
  readonly pace: Pace;
  /** The state that the next write begins with. */
  readonly before: () => Snapshot;
  /** Called when the storage has kept everything, before anybody hears of their write. */
  readonly publish: (after: Snapshot, batch: Batch) => void;
}

/** A write that waits for its turn. */
interface Turn {
  /** Runs the action; the state after it and what it changed. Never throws. */
  run(before: Snapshot): { readonly after: Snapshot; readonly batch: Batch | null };
  /** Tells the outcome of the action, or why the storage refused it. */
  settle(refusal: Refusal | null): void;
}

/** Why the storage kept nothing. */
interface Refusal {
  readonly error: unknown;
}

/**
 * Most writes that share a commit. A disk takes one commit in the time of hundreds of writes, so sharing is what makes
 * many writers fast; this bound, and that of the time they take, keep readers from waiting for a long queue.
 */
const maxShared = 256;

/**
 * Each write is run on what the one before it left and acknowledged when the commit that holds it is on disk. One that
 * throws leaves nothing and harms no other; when the storage refuses, none of those that shared the commit happened.
 *
 * A turn of the event loop has one commit at most: where a store answers at once, writes that follow from each other
 * would otherwise be one long piece of work.
 */
export function createWriter({ storage, pace, before, publish }: WriterDependencies): Writer {
  const queue: Turn[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // Writes of one turn of the event loop begin together.
    await Promise.resolve();
    while (queue.length > 0) {
      await commit();
      await nextTurn(pace);
    }
    draining = null;
  }

  async function commit(): Promise<void> {
    const turns: Turn[] = [];
    const batches: Batch[] = [];
    const end = pace.now() + defaultSliceBudget;
    let after = before();
    do {
      const turn = queue.shift();
      if (turn === undefined) break;
      turns.push(turn);
      const outcome = turn.run(after);
      after = outcome.after;
      if (outcome.batch !== null) batches.push(outcome.batch);
    } while (turns.length < maxShared && pace.now() < end);
    const batch = mergeBatches(batches);
    const refusal = batch === null ? null : await keep(batch);
    if (batch !== null && refusal === null) publish(after, batch);
    for (const turn of turns) turn.settle(refusal);
  }

  async function keep(batch: Batch): Promise<Refusal | null> {
    try {
      await storage.commit(batch);
      return null;
    } catch (error) {
      return { error };
    }
  }

  return {
    write(action) {
      return new Promise((resolve, reject) => {
        queue.push(takeTurn(action, resolve, reject));
        draining ??= drain();
      });
    },
    async settled() {
      while (draining !== null) await draining;
    },
  };
}

function takeTurn<R>(
  action: (transaction: Transaction) => R,
  resolve: (result: R) => void,
  reject: (error: unknown) => void,
): Turn {
  let tell = (): void => undefined;
  return {
    run(before) {
      try {
        const { transaction, finish } = openTransaction(before);
        const result = action(transaction);
        const outcome = finish();
        tell = () => resolve(result);
        return outcome === null
          ? { after: before, batch: null }
          : { after: outcome.snapshot, batch: outcome.batch };
      } catch (error) {
        tell = () => reject(error);
        return { after: before, batch: null };
      }
    },
    settle(refusal) {
      if (refusal === null) tell();
      else reject(refusal.error);
    },
  };
}
