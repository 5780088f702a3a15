import { fieldPathText, parseFieldPath, splitFieldNames } from '../language/syntax/field-path.js';
import type { Arguments, OptionSpec } from './arguments.js';
import type { CellColumn } from './columns.js';
import { UsageError } from './io.js';
import { parseRowsPath, type RowsPath } from './input/rows-path.js';

/**
 * Parses a column in selector syntax: `Name`, `Meta.owner`, `["First Name"]`. Its title is the name of the field, or a path as
 * written. Null if it is invalid.
 */
export function columnOf(text: string): CellColumn | null {
  const path = parseFieldPath(text);
  if (path === null) return null;
  const [name = ''] = path;
  return { title: path.length === 1 ? name : text.trim(), path };
}

/** Parses the column in the value of an option. @throws UsageError */
export function readColumn(option: string, text: string): CellColumn {
  const column = columnOf(text);
  if (column !== null) return column;
  throw new UsageError(
    `--${option}: ${JSON.stringify(text)} is not a valid field name`,
    `write ${suggestedName(text)}`,
  );
}

/** Returns a text with blanks or signs as one name, and examples for other texts. */
export function suggestedName(text: string): string {
  const isName = text !== '' && !/["`[\]\\\p{Cc}]/u.test(text) && text.length <= 100;
  return isName ? fieldPathText([text]) : 'Name, Meta.owner or ["First Name"]';
}

/** Maximum number of fields of one option. */
const maxColumns = 100;

/** Parses the comma-separated columns of an option; null if the option is not given. @throws UsageError */
export function readColumns(args: Arguments, option: string): readonly CellColumn[] | null {
  const columns = readTitles(args, option)?.map((title) => readColumn(option, title)) ?? null;
  const byTitle = new Map<string, string>();
  for (const { title, path } of columns ?? []) {
    const text = fieldPathText(path);
    const other = byTitle.get(title) ?? text;
    if (other !== text)
      throw new UsageError(`--${option}: ${other} and ${text} would have the same name in the output`);
    byTitle.set(title, text);
  }
  return columns;
}

/** A field by which rows are sorted. */
export interface SortColumn {
  readonly title: string;
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

/** Parses `--sort`; null if it is not given. @throws UsageError */
export function readOrder(args: Arguments): readonly SortColumn[] | null {
  const titles = readTitles(args, 'sort');
  if (titles === null) return null;
  return titles.map((title) => {
    const isDescending = title.startsWith('-');
    return { ...readColumn('sort', isDescending ? title.slice(1) : title), isDescending };
  });
}

/** Splits the value of an option at commas, except inside quotes. */
function readTitles(args: Arguments, option: string): readonly string[] | null {
  const text = args.value(option);
  if (text === null) return null;
  const titles = splitFieldNames(text);
  if (titles.every((title) => title === ''))
    throw new UsageError(`--${option} names no field`, `--${option} Name,Meta.owner`);
  if (titles.length > maxColumns)
    throw new UsageError(`--${option} names ${titles.length} fields, and ${maxColumns} are the most`);
  return titles;
}

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
