import { randomInt } from 'node:crypto';
import type { Batch } from '../storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** The scheduler's part of the head of a log in etcd. */
export interface LogState {
  /** Index of the last batch; 0 for a new log. */
  readonly index: number;
  readonly tableIndexes: Readonly<Record<string, number>>;
  /** Last stamp of the leader that appended the batch, in ns. Only earlier versions of this server read it. */
  readonly stamp: bigint;
}

/** Number of the format of rows and head. Later formats have larger numbers, so that older servers reject them. */
export const storeFormat = 1;

export const emptyState: LogState = Object.freeze({ index: 0, tableIndexes: {}, stamp: 0n });

/** Returns the state after a batch. */
export function stateAfter({ tableIndexes }: LogState, batch: Batch, stamp: bigint): LogState {
  return { index: batch.index, tableIndexes: { ...tableIndexes, ...batch.tableIndexes }, stamp };
}

export function encodeState({ index, tableIndexes, stamp }: LogState): string {
  return JSON.stringify({ format: storeFormat, index, tableIndexes, stamp: String(stamp) });
}

/** @param text the source of a head; undefined for a log without one. @throws StorageError `newer`, `foreign` */
export function decodeState(text: string | undefined): LogState {
  if (text === undefined) return emptyState;
  const state = parse(text);
  if (typeof state.format === 'number' && state.format > storeFormat)
    throw new StorageError(
      'newer',
      `The log in etcd was written by a later version of this server (format ${state.format}): start that version, or name another prefix`,
    );
  const { index, tableIndexes, stamp } = state;
  if (
    state.format !== storeFormat ||
    typeof index !== 'number' ||
    !areIndexes(tableIndexes) ||
    !isStamp(stamp)
  )
    throw foreign();
  return { index, tableIndexes, stamp: BigInt(stamp) };
}

/** Maximum increase of a history number if clocks do not distinguish the histories. */
const incarnationSpread = 1_000;

/**
 * Returns the number of the next history. Two successors of one history, restored twice, get different numbers even if a server's
 * clock is slow.
 *
 * @param now in ms since 1970.
 */
export function nextIncarnation(before: number, now: number): number {
  return Math.max(before + randomInt(1, incarnationSpread), now);
}

/**
 * Returns the number of a history: about its start in ms, or more if the previous one started later. 0 for none.
 *
 * @throws StorageError `foreign`
 */
export function decodeIncarnation(text = ''): number {
  const incarnation = Number(text);
  if (!Number.isSafeInteger(incarnation)) throw foreign();
  return incarnation;
}

/** Returns the indexes that a batch between the two has changed. */
export function changedIndexes(
  before: LogState,
  { tableIndexes }: LogState,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(tableIndexes).filter(([table, index]) => before.tableIndexes[table] !== index),
  );
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below, like every other foreign value.
  }
  throw foreign();
}

function areIndexes(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((n) => typeof n === 'number')
  );
}

function isStamp(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

function foreign(): StorageError {
  return new StorageError(
    'foreign',
    'What etcd holds below the prefix is not a log of this server: name another prefix',
  );
}
