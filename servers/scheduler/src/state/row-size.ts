import { clip } from '../model/quote.js';
import { resourceOf } from '../model/resources.js';
import { SchedulerError } from '../errors.js';
import type { StoredRow } from '../storage/storage.js';
import type { TableName } from './tables.js';

/**
 * Most bytes of a row in JSON. Logs that servers share take no more in one value, and stops whoever writes from
 * filling the memory of all servers by few requests.
 */
export const maxRowSize = 1_048_576;

/** Most bytes in JSON of a character of a text, such as those of a control character: `\u0001`. */
const longestCharacter = 6;
/** Most characters of what is neither text nor name: numbers, and the signs around values. */
const longestScalar = 28;

/** Refuses a row that is too large to be stored. @throws SchedulerError `row-too-large` */
export function requireStorable({ table, key, row }: StoredRow): void {
  const size = sizeBeyond(row, maxRowSize);
  if (size === null) return;
  const name = resourceOf(table as TableName).name ?? table;
  throw new SchedulerError(
    'row-too-large',
    `${name} ${clip(key)} takes ${size} bytes in JSON, and at most ${maxRowSize} can be stored: make it smaller`,
  );
}

/** The size of a row in bytes where it is greater than that; null for others, most of which are never written out. */
export function sizeBeyond(row: object, most: number): number | null {
  if (boundOf(row) <= most) return null;
  const text = JSON.stringify(row, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  const size = Buffer.byteLength(text);
  return size > most ? size : null;
}

/** A number of bytes that a value in JSON does not exceed. */
function boundOf(value: unknown): number {
  if (typeof value === 'string') return longestCharacter * value.length + 2;
  if (typeof value !== 'object' || value === null) return longestScalar;
  let sum = 2;
  if (Array.isArray(value)) {
    for (const item of value) sum += boundOf(item) + 1;
    return sum;
  }
  for (const name in value) {
    sum += longestCharacter * name.length + boundOf((value as Readonly<Record<string, unknown>>)[name]) + 4;
  }
  return sum;
}
