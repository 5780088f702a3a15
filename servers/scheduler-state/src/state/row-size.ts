import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { jsonSize } from 'tamis/internal';
import { clip } from '@tamis/scheduler-model/quote.js';
import { resourceOf } from '@tamis/scheduler-model/resources.js';
import type { StoredRow } from '../storage/storage.js';
import type { TableName } from './tables.js';

/**
 * Maximum size of a row as JSON, in bytes. Shared logs do not accept larger values. Prevents clients from filling the memory of
 * all servers with a few requests.
 */
export const maxRowSize = 1_048_576;

/** Rejects a row that is too large to store. @throws SchedulerError `row-too-large` */
export function requireStorable({ table, key, row }: StoredRow): void {
  const size = jsonSize(row);
  if (size <= maxRowSize) return;
  const name = resourceOf(table as TableName).name ?? table;
  throw new SchedulerError(
    'row-too-large',
    `${name} ${clip(key)} takes ${size} bytes in JSON, and at most ${maxRowSize} can be stored: make it smaller`,
  );
}
