import type { CellColumn } from './columns.js';
import { compactJson, createSlicer, indentJson } from './input/json-layout.js';
import type { RawRow } from './input/raw-row.js';
import type { Output } from './io.js';

/** Where matching rows are written. */
export interface RowOutput {
  /** Takes a row. Nothing is written yet, so it costs no waiting. */
  add(raw: RawRow, row: object): void;
  /** Writes what has been added since the last call, and waits until the reader can accept more. */
  flush(): Promise<void>;
  /** Writes what can only be said at the end. */
  end(): Promise<void>;
}

const newline = Buffer.from('\n');

/**
 * Writes rows as NDJSON, byte for byte as read, so that all spellings and digits are preserved; only a row on several lines loses
 * the white space between its tokens. `pretty` formats them on several lines instead. If columns are chosen, rows contain only
 * these, under their titles, without missing ones.
 */
export function createRowWriter(
  output: Output,
  pretty: boolean,
  columns: readonly CellColumn[] | null = null,
): RowOutput {
  let parts: Uint8Array[] = [];
  const slice = createSlicer((columns ?? []).map(({ path }) => path));
  return {
    add({ bytes, onOneLine }) {
      const row = columns === null ? bytes : select(slice(bytes), columns);
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

/** Rows that are only counted. */
export function createRowSink(): RowOutput {
  const nothing = (): Promise<void> => Promise.resolve();
  return { add: () => undefined, flush: nothing, end: nothing };
}
