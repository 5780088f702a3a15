import { compactJson, indentJson } from './input/json-layout.js';
import type { RawRow } from './input/raw-row.js';
import type { Output } from './io.js';

/** Where matching rows go. */
export interface RowOutput {
  /** Takes a row. Nothing is written yet, so it costs no waiting. */
  add(raw: RawRow, row: object): void;
  /** Writes what was taken since the last time, and waits until the reader has room again. */
  flush(): Promise<void>;
  /** Writes what can only be said at the end. */
  end(): Promise<void>;
}

const newline = Buffer.from('\n');

/**
 * Rows as NDJSON, byte for byte as they were read, so that all spellings and digits survive; only a row that stood on
 * several lines loses the white space between its tokens. `pretty` lays them out over several lines instead.
 */
export function createRowWriter(output: Output, pretty: boolean): RowOutput {
  let parts: Uint8Array[] = [];
  const layOut = ({ bytes, onOneLine }: RawRow): Uint8Array => {
    if (pretty) return indentJson(bytes);
    return onOneLine ? bytes : compactJson(bytes);
  };
  return {
    add(raw) {
      parts.push(layOut(raw), newline);
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

/** Rows that are only counted. */
export function createRowSink(): RowOutput {
  const nothing = (): Promise<void> => Promise.resolve();
  return { add: () => undefined, flush: nothing, end: nothing };
}
