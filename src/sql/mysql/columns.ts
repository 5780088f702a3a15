import {
  checkable,
  column,
  jsonColumnOf,
  type CheckedColumnOptions,
  type Column,
  type ColumnCode,
} from '../column.js';
import { readJson } from '../read-json.js';

/**
 * Creates a column of `DATETIME(6)`, whose instants are in UTC. Zero dates and dates such as 2026-02-31 are not valid in rows: set
 * `constrained` if a constraint excludes them.
 */
export function datetime(name: string, options: CheckedColumnOptions = {}): Column {
  return column('datetime', 'datetime', name, options, checkable);
}

const code: ColumnCode = {
  access() {
    throw new TypeError('json: use jsonb() for mappings of tamis/sql');
  },
  read: readJson,
};

/**
 * Creates a `JSON` column. It contains a value of the declared type, or null. `path` contains the names of the enclosing objects. Set
 * `constrained` if the type is `JSON`, which accepts only valid JSON.
 */
export function json(
  name: string,
  path: readonly string[] | CheckedColumnOptions = [],
  options: CheckedColumnOptions = {},
): Column {
  return jsonColumnOf('json', name, path, options, code);
}
