import { FilterError, parse } from '../index.js';
import type { Arguments } from './arguments.js';
import type { CellColumn } from './columns.js';
import { UsageError } from './io.js';

/** Parses a column in selector syntax: `Name`, `Meta.owner`, `Meta["a b"]`. Null if it is invalid. */
export function columnOf(title: string): CellColumn | null {
  const text = title.trim();
  try {
    const { ast } = parse(`${text} is nil`);
    const isOne = ast.kind === 'match' && ast.span.start === ast.selector.span.start;
    return isOne ? { title: text, path: ast.selector.path } : null;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** Maximum number of fields of one option. */
const maxColumns = 100;

/** Parses the column in the value of an option. @throws UsageError */
export function readColumn(option: string, title: string): CellColumn {
  const column = columnOf(title);
  if (column !== null) return column;
  throw new UsageError(
    `--${option}: ${JSON.stringify(title)} is not a valid field name`,
    'write Name, Meta.owner or Meta["a b"]',
  );
}

/** Parses the comma-separated columns of an option; null if the option is not given. @throws UsageError */
export function readColumns(args: Arguments, option: string): readonly CellColumn[] | null {
  const titles = readTitles(args, option);
  return titles === null ? null : titles.map((title) => readColumn(option, title));
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
  const titles = (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? []).map((title) => title.trim());
  if (titles.length > maxColumns)
    throw new UsageError(`--${option} names ${titles.length} fields, and ${maxColumns} are the most`);
  if (titles.length === 0) throw new UsageError(`--${option} names no field`, `--${option} Name,Meta.owner`);
  return titles;
}
