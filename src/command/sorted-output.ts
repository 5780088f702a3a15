import type { Schema } from '../index.js';
import { analyse } from '../language/schema/analysis.js';
import { anyOrder, comparePositions, valueOrder } from '../lists/table/value-order.js';
import type { SortColumn } from './column-path.js';
import { valueAt } from './columns.js';
import type { RawRow } from './input/raw-row.js';
import { UsageError } from './io.js';
import type { RowOutput } from './row-output.js';

/** Maximum bytes of rows buffered for sorting. */
const maxBytes = 256 * 1024 * 1024;

type Position = number | bigint | string;

interface BufferedRow {
  readonly raw: RawRow;
  readonly row: object;
  /** Its position in the input. */
  readonly at: number;
  /** The position of its value in each field. */
  readonly positions: readonly Position[];
}

/** A field of the order. */
interface SortField {
  readonly isDescending: boolean;
  readonly positionOf: (row: object) => Position;
}

/**
 * Buffers all rows and writes them in the order of lists: values of the declared kind by value (without a schema numbers, strings
 * and booleans), then null, missing and other values. Descending is the exact reverse. Equal rows are in the order of the input, or
 * in its reverse if the last field is descending.
 * @param max number of rows to write: others are dropped once that many precede them
 */
export function createSortedOutput(
  output: RowOutput,
  columns: readonly SortColumn[],
  schema: Schema | undefined,
  max: number,
): RowOutput {
  const order = columns.map((column) => fieldOf(column, schema));
  let buffered: BufferedRow[] = [];
  let [bytes, count] = [0, 0];
  const compare = (a: BufferedRow, b: BufferedRow): number => {
    for (const [at, { isDescending }] of order.entries()) {
      // Each row has a position in each field.
      const found = comparePositions(a.positions[at] as Position, b.positions[at] as Position);
      if (found !== 0) return isDescending ? -found : found;
    }
    const found = a.at - b.at;
    return order.at(-1)?.isDescending === true ? -found : found;
  };
  const settle = (): void => {
    buffered = buffered.sort(compare).slice(0, max);
    bytes = buffered.reduce((sum, { raw }) => sum + raw.bytes.length, 0);
  };
  return {
    add(raw, row) {
      // A view would retain the whole input chunk.
      buffered.push({
        raw: { number: raw.number, line: raw.line, onOneLine: raw.onOneLine, bytes: Buffer.from(raw.bytes) },
        row,
        at: count,
        positions: order.map(({ positionOf }) => positionOf(row)),
      });
      count += 1;
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

function fieldOf({ path, isDescending }: SortColumn, schema: Schema | undefined): SortField {
  const type = schema === undefined ? null : analyse(schema.root).resolve({ path }).type;
  const { positionOf } = (type === null ? null : valueOrder(type)) ?? anyOrder;
  return { isDescending, positionOf: (row) => positionOf(valueAt(row, path)) };
}
