import { readCount, type Arguments, type OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { inputOptions, readInputOptions } from '../csv-options.js';
import { inferSchema } from '../infer-schema.js';
import type { SchemaJSON } from '../../index.js';
import { UsageError, type ExitCode, type Io } from '../io.js';
import { defaultLoadLimits, loadRows } from '../load-rows.js';
import { rowsText } from '../numbers.js';
import { readRowsPath, rowsOption } from '../column-path.js';

const options: OptionTable = {
  limit: { short: 'n', value: 'N', help: 'read at most N rows; default: 10,000' },
  rows: rowsOption,
  ...inputOptions,
};

const defaultLimit = 10_000;

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'Prints a schema that rows fit, for --schema.',
  usage: 'tamis schema [FILE...]',
  options,
  notes: `
Strings that are all times, versions, addresses or durations get that kind. Times without a zone, and dates, are
read in UTC. Strings that repeat few values get these as known values. A field that some rows lack is nullable. The
schema is open: filters may also use other fields. Look through it and change what the sample does not show, then
use it: tamis filter --schema jobs.schema.json 'Created > now - 7d' jobs.ndjson

Examples:
  tamis schema jobs.ndjson > jobs.schema.json
  tamis schema --rows 'Reservations[].Instances[]' instances.json

Exit status: 0; 1 if there are no rows; 2 on errors.`,
  run: runSchema,
};

async function runSchema(args: Arguments, io: Io): Promise<ExitCode> {
  const files = args.positionals.length > 0 ? args.positionals : ['-'];
  if (args.positionals.length === 0 && io.stdin.isTerminal)
    throw new UsageError('no file', 'name the files with the rows: tamis schema jobs.ndjson');
  const maxRows = readCount(args, 'limit') ?? defaultLimit;
  const options = readInputOptions(args, null, files, readRowsPath(args));
  const { rows, isTruncated } = await loadRows(files, options, { ...defaultLoadLimits, maxRows }, io);
  if (isTruncated) await io.stderr.write(`tamis: the schema is that of the first ${rowsText(rows.length)}\n`);
  if (rows.length === 0) {
    await io.stderr.write('tamis: there are no rows\n');
    return 1;
  }
  await io.stdout.write(schemaText(inferSchema(rows)));
  return 0;
}

/** Returns a schema as JSON with one field per line. */
function schemaText({ root, structs }: SchemaJSON): string {
  const blocks = Object.entries(structs).map(([name, { fields, ...rest }]) => {
    const lines = Object.entries(fields).map(
      ([field, type]) => `        ${JSON.stringify(field)}: ${JSON.stringify(type)}`,
    );
    const others = Object.entries(rest).map(
      ([key, value]) => `,\n      ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    const list = lines.length === 0 ? '' : `\n${lines.join(',\n')}\n      `;
    return `    ${JSON.stringify(name)}: {\n      "fields": {${list}}${others.join('')}\n    }`;
  });
  return `{\n  "root": ${JSON.stringify(root)},\n  "structs": {\n${blocks.join(',\n')}\n  }\n}\n`;
}
