import type { Arguments, OptionSpec } from './arguments.js';
import { columnOf } from './column-path.js';
import { parseRowsPath, type RowsPath } from './input/rows-path.js';
import { UsageError } from './io.js';

export const rowsOption: OptionSpec = {
  value: 'PATH',
  help: 'the rows in each document: data.items, Reservations[].Instances[],\nor packages.* (the values of an object, with their key as @key)',
};

/** Returns the path given by --rows; null if it is not given. @throws UsageError */
export function readRowsPath(args: Arguments): RowsPath | null {
  const text = args.value('rows');
  if (text === null) return null;
  const path = parseRowsPath(text, (names) => columnOf(names)?.path ?? null);
  if (path !== null) return path;
  throw new UsageError(
    `--rows: ${JSON.stringify(text)} is not the path of a list`,
    'write data.items, Reservations[].Instances[] or packages.*',
  );
}
