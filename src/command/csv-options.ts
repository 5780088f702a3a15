import type { Schema } from '../index.js';
import { readCount, type Arguments, type OptionTable } from './arguments.js';
import type { CsvOptions } from './input/csv-splitter.js';
import { formatOf, rowFormats, type InputOptions } from './input/row-splitter.js';
import type { RowsPath } from './input/rows-path.js';
import { UsageError } from './io.js';

/** Options for CSV and TSV input. */
const csvOptions: OptionTable = {
  text: { help: 'every cell of CSV and TSV is a string, unless the schema declares its type' },
  delimiter: { value: 'CHAR', help: 'the separator of CSV cells: one character, or tab' },
  'no-header': { help: 'the first line of CSV has cells, not names: the fields are column1, column2, ...' },
  'skip-lines': { value: 'N', help: 'number of CSV lines to ignore before the header' },
  comment: { value: 'CHAR', help: 'lines of CSV that begin with this character are ignored' },
  null: {
    value: 'TOKEN',
    help: 'unquoted cells of CSV that are null, such as NA; may be given several times',
  },
};

/** Options for reading rows. */
export const inputOptions: OptionTable = {
  format: {
    short: 'f',
    value: 'NAME',
    choices: rowFormats,
    help: 'lines (NDJSON), json (arrays, or values one after another), csv, tsv, auto (default):\nby the file extension, then by the content',
  },
  ...csvOptions,
};

/**
 * Maximum number of null tokens, and maximum characters of each. Prevents a generated command line from slowing down every cell.
 */
const maxNulls = 100;
const maxNullLength = 1_000;

/** Returns how the given files are read. @throws UsageError if an option does not apply to one of them. */
export function readInputOptions(
  args: Arguments,
  schema: Schema | null,
  files: readonly string[],
  path: RowsPath | null = null,
): InputOptions {
  const format = rowFormats.find((name) => name === args.value('format')) ?? 'auto';
  const given = Object.keys(csvOptions).filter((name) => args.has(name));
  for (const file of files) {
    const isTable = ['csv', 'tsv'].includes(formatOf(file, format));
    const name = file === '-' ? 'standard input' : file;
    if (!isTable && given.length > 0)
      throw new UsageError(
        `--${given[0]} is for CSV and TSV, and ${name} is read as JSON`,
        '--format csv reads it as CSV',
      );
    if (isTable && path !== null)
      throw new UsageError(
        `--rows is for JSON, and ${name} is read as CSV`,
        'CSV has no lists inside of documents',
      );
  }
  return { format, path, csv: readCsvOptions(args, schema) };
}

function readCsvOptions(args: Arguments, schema: Schema | null): CsvOptions {
  const delimiter = readCharacter(args, 'delimiter');
  const comment = readCharacter(args, 'comment');
  if (comment !== null && comment === delimiter)
    throw new UsageError(`--comment and --delimiter must differ, got ${JSON.stringify(comment)} for both`);
  const nulls = args.values('null');
  if (nulls.length > maxNulls)
    throw new UsageError(`--null may be given at most ${maxNulls} times, got ${nulls.length}`);
  if (nulls.some((token) => token.length > maxNullLength))
    throw new UsageError(`--null must have at most ${maxNullLength} characters`);
  return {
    delimiter,
    comment,
    hasHeader: !args.has('no-header'),
    skipLines: readCount(args, 'skip-lines') ?? 0,
    nulls: new Set(nulls),
    asText: args.has('text'),
    schema,
  };
}

function readCharacter(args: Arguments, option: string): string | null {
  const text = args.value(option);
  if (text === null) return null;
  const character = text === 'tab' || text === '\\t' ? '\t' : text;
  if (character.length === 1 && !/["\r\n]/.test(character)) return character;
  throw new UsageError(
    `--${option} must be one character other than a quote or a line break, got ${JSON.stringify(text)}`,
    option === 'delimiter' ? `--delimiter ';' or --delimiter tab` : `--comment '#'`,
  );
}
