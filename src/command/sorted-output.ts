import { ABSENT } from '../filter/compile/frame/sentinels.js';
import { scaleOf, type Scale } from '../filter/compile/frame/scale.js';
import type { Schema } from '../index.js';
import { analyse } from '../language/schema/analysis.js';
import { compareBytewise } from '../language/values/utf8-order.js';
import type { SortColumn } from './column-path.js';
import { toJSON, valueAt } from './columns.js';
import type { RawRow } from './input/raw-row.js';
import { UsageError } from './io.js';
import type { RowOutput } from './row-output.js';

/** Maximum bytes of rows buffered for sorting. */
const maxBytes = 256 * 1024 * 1024;

interface BufferedRow {
  readonly raw: RawRow;
  readonly row: object;
  readonly keys: readonly SortValue[];
}

interface SortValue {
  /** 0 for a value of the field's kind (without a schema: a number), 1 for any other value, 2 for null and missing values. */
  readonly rank: number;
  readonly position: unknown;
}

/** A field of the order and how its values compare. */
interface SortField {
  readonly isDescending: boolean;
  readonly read: (row: object) => SortValue;
  readonly compare: Scale['sort'];
}

/**
 * Buffers all rows and writes them in order, in either direction: first values of the declared kind in its order (without a
 * schema: numbers), then other values as strings, then rows without the field. Equal rows keep their order.
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
  let bytes = 0;
  const compare = (a: BufferedRow, b: BufferedRow): number => {
    for (const [at, field] of order.entries()) {
      const found = compareValues(a.keys[at] ?? missing, b.keys[at] ?? missing, field);
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
      // A view would retain the whole input chunk.
      buffered.push({
        raw: { number: raw.number, line: raw.line, onOneLine: raw.onOneLine, bytes: Buffer.from(raw.bytes) },
        row,
        keys: order.map(({ read }) => read(row)),
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

const missing: SortValue = { rank: 2, position: null };

function fieldOf({ path, isDescending }: SortColumn, schema: Schema | undefined): SortField {
  const type = schema === undefined ? null : analyse(schema.root).resolve({ path }).type;
  const { read, sort } = (type === null ? null : scaleOf(type)) ?? numbers;
  return {
    isDescending,
    read(row) {
      const value = valueAt(row, path);
      if (value === undefined || value === null) return missing;
      const position = read(value);
      if (position !== undefined && position !== ABSENT) return { rank: 0, position };
      return { rank: 1, position: typeof value === 'string' ? value : toJSON(value) };
    },
    compare: sort,
  };
}

/** The scale for values of undeclared kind. */
const numbers = scaleOf({ kind: 'float64', nullDepth: 0 }) as Scale; // numbers have an order

function compareValues(a: SortValue, b: SortValue, { compare, isDescending }: SortField): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.rank === missing.rank) return 0;
  const found =
    a.rank === 0
      ? compare(a.position, b.position)
      : compareBytewise(a.position as string, b.position as string);
  return isDescending ? -found : found;
}
