import type { Filter } from 'tamis';
import { rowStates, type ScanState } from '../protocol.js';

const miss = rowStates.indexOf('miss');
const match = rowStates.indexOf('match');
const failed = rowStates.indexOf('failed');

/** Milliseconds between two looks at what else there is to do: a page that waits for rows must not feel it. */
const slice = 12;
/** Rows between two looks at the clock: the engine's own bounds end what a row costs, so a slice of costly ones is still short. */
const stride = 4;
/** Milliseconds between two reports. */
const reportEvery = 100;

/** What a scan has found. The lists grow while it runs. */
export interface ScanResult {
  /** For each row the place of its state in `rowStates`. */
  readonly states: Uint8Array;
  readonly matching: number[];
  readonly failing: number[];
}

/** What a scan needs of the world. */
export interface ScanHost {
  /** Milliseconds. */
  readonly now: () => number;
  /** Lets messages in. */
  readonly pause: () => Promise<void>;
  /** False once no caller waits for the result. */
  readonly isCurrent: () => boolean;
  readonly report: (state: ScanState) => void;
}

/** A result without any row evaluated. */
export function emptyResult(rows: number): ScanResult {
  return { states: new Uint8Array(rows), matching: [], failing: [] };
}

/**
 * Evaluates a filter on all rows, in slices. A row that fails is marked and does not end the scan.
 *
 * @param into takes what is found, row by row: what has been found so far can be shown meanwhile
 * @returns null where `isCurrent` became false
 */
export async function scan(
  filter: Filter,
  rows: readonly object[],
  into: ScanResult,
  host: ScanHost,
): Promise<ScanState | null> {
  const { test } = filter;
  let failure: ScanState['failure'] = null;
  let scanTime = 0;
  let begin = host.now();
  let reported = begin;
  const state = (scanned: number): ScanState => ({
    scanned,
    matched: into.matching.length,
    failed: into.failing.length,
    scanTime,
    isDone: scanned === rows.length,
    failure,
  });
  for (const [index, row] of rows.entries()) {
    if (index % stride === 0 && host.now() - begin > slice) {
      scanTime += host.now() - begin;
      if (host.now() - reported > reportEvery) {
        reported = host.now();
        host.report(state(index));
      }
      await host.pause();
      if (!host.isCurrent()) return null;
      begin = host.now();
    }
    try {
      const matches = test(row);
      into.states[index] = matches ? match : miss;
      if (matches) into.matching.push(index);
    } catch (error) {
      failure ??= { row: index, message: error instanceof Error ? error.message : String(error) };
      into.states[index] = failed;
      into.failing.push(index);
    }
  }
  scanTime += host.now() - begin;
  return state(rows.length);
}
