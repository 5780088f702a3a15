import type { SortColumn } from './column-path.js';
import { toJSON, valueAt } from './columns.js';
import type { RawRow } from './input/raw-row.js';
import { UsageError } from './io.js';
import type { RowOutput } from './row-output.js';

/** Most bytes of rows that are held to be put in order. */
const maxBytes = 256 * 1024 * 1024;

interface BufferedRow {
  readonly raw: RawRow;
  readonly row: object;
  readonly keys: readonly SortValue[];
}

type SortValue = number | bigint | string | null;

/**
 * Holds rows until all are there, and gives them on in an order: numbers by their size, then texts, then rows that lack the field,
 * whichever the direction. Rows that are equal stay as they came.
 *
 * @param max rows that are wanted: others are let go as soon as there are so many before them
 */
export function createSortedOutput(output: RowOutput, order: readonly SortColumn[], max: number): RowOutput {
  let buffered: BufferedRow[] = [];
  let bytes = 0;
  const compare = (a: BufferedRow, b: BufferedRow): number => {
    for (const [at, { isDescending }] of order.entries()) {
      const found = compareValues(a.keys[at] ?? null, b.keys[at] ?? null, isDescending);
      if (found !== 0) return found;
    }
    return 0;
  };
  const settle = (): void => {
    buffered = buffered.sort(compare).slice(0, max);
    bytes = buffered.reduce((sum, { raw }) => sum + raw.bytes.length, 0);
  };
  return {
    add(raw, row) {
      // A view of what was read would hold all of it.
      buffered.push({
        raw: { number: raw.number, line: raw.line, onOneLine: raw.onOneLine, bytes: Buffer.from(raw.bytes) },
        row,
        keys: order.map(({ path }) => sortValue(valueAt(row, path))),
      });
      bytes += raw.bytes.length;
      if (buffered.length >= 2 * max + 1_000 || (bytes > maxBytes && buffered.length > max)) settle();
      if (bytes > maxBytes)
        throw new UsageError(
          `--sort: more than ${maxBytes} bytes of rows match`,
          '--limit N holds the first N of them alone',
        );
    },
    flush: () => Promise.resolve(),
    async end() {
      settle();
      for (const [at, { raw, row }] of buffered.entries()) {
        output.add(raw, row);
        if (at % 1_000 === 999) await output.flush();
      }
      await output.flush();
      await output.end();
    },
  };
}

function sortValue(value: unknown): SortValue {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
    ? value
    : toJSON(value);
}

function compareValues(a: SortValue, b: SortValue, isDescending: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  if ((typeof a === 'string') !== (typeof b === 'string')) return typeof a === 'string' ? 1 : -1;
  const found = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -found : found;
}
