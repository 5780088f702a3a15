import type { CellColumn } from './columns.js';
import { compactJson, createPathReader, indentJson } from './input/json-layout.js';
import type { RawRow } from './input/raw-row.js';
import type { Output } from './io.js';

/** Writes matching rows. */
export interface RowOutput {
  /** Adds a row to the buffer; `flush` writes it. */
  add(raw: RawRow, row: object): void;
  /** Writes the buffered rows and waits until the reader can accept more. */
  flush(): Promise<void>;
  /** Writes output that depends on all rows, after the last row. */
  end(): Promise<void>;
}

const newline = Buffer.from('\n');

/**
 * Writes rows as NDJSON with their original bytes, so that spellings and digits are preserved. Only rows on several lines lose
 * the white space between tokens. `pretty` formats rows on several lines instead. With chosen columns, rows contain only these,
 * under their titles, without missing ones.
 */
export function createRowWriter(
  output: Output,
  pretty: boolean,
  columns: readonly CellColumn[] | null = null,
): RowOutput {
  let parts: Uint8Array[] = [];
  const readPaths = createPathReader((columns ?? []).map(({ path }) => path));
  return {
    add({ bytes, onOneLine }) {
      const row = columns === null ? bytes : select(readPaths(bytes), columns);
      parts.push(pretty ? indentJson(row) : onOneLine ? row : compactJson(row), newline);
    },
    async flush() {
      if (parts.length === 0) return;
      const data = Buffer.concat(parts);
      parts = [];
      await output.write(data);
    },
    end: () => Promise.resolve(),
  };
}

function select(values: readonly (Uint8Array | null)[], columns: readonly CellColumn[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [at, { title }] of columns.entries()) {
    const value = values[at] ?? null;
    if (value === null) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(title)}:`), value);
  }
  return Buffer.concat(parts.length === 0 ? [Buffer.from('{}')] : [...parts, Buffer.from('}')]);
}

/** Creates an output that discards rows, for callers that only count them. */
export function createRowSink(): RowOutput {
  const nothing = (): Promise<void> => Promise.resolve();
  return { add: () => undefined, flush: nothing, end: nothing };
}
