import { defaultRowLimits, InputError, type RawItem } from './input/raw-row.js';
import { readRow } from './input/row.js';
import { RowSplitter, type InputOptions } from './input/row-splitter.js';
import { unpack } from './input/unpack.js';
import { explainReadError, type Io } from './io.js';
import { InputRowError } from './report-error.js';

/** Limits on rows in memory. */
export interface LoadLimits {
  readonly maxRows: number;
  /**
   * Maximum size of the input, in bytes. Rows usually take two to four times as much. Prevents a large file from filling the
   * memory.
   */
  readonly maxBytes: number;
  /** Maximum fraction of the heap in use. Prevents `[[],[],[]]`, which takes ten times its size, from exhausting memory. */
  readonly maxHeapUsage: number;
}

export const defaultLoadLimits: LoadLimits = Object.freeze({
  maxRows: 1_000_000,
  maxBytes: 512 * 1024 * 1024,
  maxHeapUsage: 0.7,
});

/** Rows in memory. `isTruncated`: a limit ended the reading. */
export interface LoadedRows {
  readonly rows: object[];
  readonly isTruncated: boolean;
  /** Number of input bytes read. */
  readonly bytes: number;
}

/** Reads the rows of several files. @throws InputRowError if a row is invalid, UsageError if a file cannot be read. */
export async function loadRows(
  files: readonly string[],
  options: InputOptions,
  limits: LoadLimits,
  io: Pick<Io, 'openFile' | 'stdin' | 'heapUsage'>,
  onProgress: (rows: number, bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<LoadedRows> {
  const rows: object[] = [];
  let bytes = 0;
  const take = (items: Iterable<RawItem>): void => {
    for (const item of items) {
      if (item instanceof InputError) throw item;
      if (rows.length >= limits.maxRows) return;
      rows.push(readRow(item, defaultRowLimits.maxRowDepth));
    }
  };
  for (const name of files) {
    const splitter = new RowSplitter(name, options, defaultRowLimits);
    try {
      for await (const chunk of unpack(name === '-' ? io.stdin : io.openFile(name))) {
        bytes += chunk.length;
        take(splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
        if (
          rows.length >= limits.maxRows ||
          bytes > limits.maxBytes ||
          io.heapUsage() > limits.maxHeapUsage
        ) {
          return { rows, isTruncated: true, bytes };
        }
        await onProgress(rows.length, bytes);
      }
      take(splitter.end());
    } catch (error) {
      if (error instanceof InputError) throw new InputRowError(error, { file: name, row: null, line: null });
      throw explainReadError(name, error) ?? error;
    }
  }
  return { rows, isTruncated: false, bytes };
}
