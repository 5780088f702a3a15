import { isOfKind } from './input/csv-reader.js';
import { compactJson, createPathReader } from './input/json-layout.js';
import type { CellColumn } from './columns.js';
import { UsageError, type Output } from './io.js';
import type { RowOutput } from './row-output.js';

/**
 * Writes rows as CSV that parses to the same values. Numbers are unchanged, strings that look like numbers are quoted, lists and
 * objects are JSON, null and missing fields are empty cells. Without chosen columns the first row determines them.
 */
export function createCsvOutput(
  output: Output,
  delimiter: ',' | '\t',
  chosen: readonly CellColumn[] | null,
): RowOutput {
  const option = delimiter === ',' ? '--csv' : '--tsv';
  let columns = chosen;
  let names: ReadonlySet<string> | null = null;
  let readPaths: ReturnType<typeof createPathReader> | null = null;
  let isStarted = false;
  let text = '';
  const start = (all: readonly CellColumn[]): void => {
    if (!isStarted) text += `${all.map(({ title }) => quoted(title, delimiter)).join(delimiter)}\n`;
    isStarted = true;
  };
  return {
    add(raw, row) {
      if (columns === null) {
        columns = Object.keys(row).map((title) => ({ title, path: [title] }));
        names = new Set(Object.keys(row));
      }
      const extra = names === null ? undefined : Object.keys(row).find((name) => names?.has(name) === false);
      if (extra !== undefined)
        throw new UsageError(
          `${option}: row ${raw.number} has the field ${JSON.stringify(extra)}, which the first row does not have`,
          `name the columns: --select '${[...(names ?? []), extra].join(',')}'`,
        );
      start(columns);
      readPaths ??= createPathReader(columns.map(({ path }) => path));
      text += `${readPaths(raw.bytes)
        .map((value) => cellOf(value, delimiter))
        .join(delimiter)}\n`;
    },
    async flush() {
      if (text === '') return;
      const data = text;
      text = '';
      await output.write(data);
    },
    async end() {
      if (columns !== null) start(columns);
      await this.flush();
    },
  };
}

function cellOf(value: Uint8Array | null, delimiter: string): string {
  if (value === null) return '';
  const json = Buffer.from(compactJson(value)).toString();
  if (json === 'null') return '';
  if (json.startsWith('"')) return quoted(JSON.parse(json) as string, delimiter);
  return json.startsWith('{') || json.startsWith('[') ? quoted(json, delimiter) : json;
}

/** Returns a string, quoted if it would otherwise be parsed as something else. */
function quoted(text: string, delimiter: string): string {
  const isPlain =
    !text.includes(delimiter) &&
    !/["\r\n]|^[ \t]|[ \t]$|^$/.test(text) &&
    !isOfKind(text, 'decimal') &&
    !isOfKind(text, 'truth');
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
