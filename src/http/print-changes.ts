import { createPrinter, type ListForm } from '../runtime/json-list.js';
import { writeJson } from '../runtime/write-json.js';
import type { ListCore } from '../lists/query/list-core.js';
import type { RowSource } from '../lists/query/source/row-source.js';
import type { ResultChanges } from '../lists/query/watch/result-changes.js';
import { rowProjection } from './row-projection.js';

/**
 * Returns a function that prints changes as they are sent to clients. Removed rows only have the properties that identify them, by
 * default the key; if there are none, all.
 */
export function createChangePrinter<T extends object>(
  { source, pool }: ListCore<T>,
  identity: readonly string[] = keyOf(source),
): (changes: ResultChanges<T>, form: ListForm<T>) => Promise<string> {
  const project = rowProjection<T>(source.schema.root);
  const identifying = new Set(identity);

  async function print(rows: readonly T[], write: (row: T) => string): Promise<string> {
    const printer = createPrinter(rows, { pretty: false, write });
    await pool.slices.run((shouldYield) => printer.print(Infinity, shouldYield), null);
    return printer.take();
  }

  function writeIdentity(row: T): string {
    const entries = Object.entries(project(row)).filter(([property]) => identifying.has(property));
    return writeJson(Object.fromEntries(entries));
  }

  return async ({ entered, left, changed, positions }, { write }) => {
    const first = await print(entered, write);
    const second = await print(left, identifying.size === 0 ? write : writeIdentity);
    const third = await print(changed, write);
    const placed = positions === undefined ? '' : `,"positions":${JSON.stringify(positions)}`;
    return `{"entered":${first},"left":${second},"changed":${third}${placed}}`;
  };
}

function keyOf<T extends object>({ keyField, schema }: RowSource<T>): readonly string[] {
  const field = keyField === null ? undefined : schema.root.fields.get(keyField);
  return field === undefined ? [] : [field.property];
}
