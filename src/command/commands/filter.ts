import { compileFilter, FilterSyntaxError, parse } from '../../index.js';
import { diagnose } from '../../filter/explain/diagnose.js';
import { readCount, type Arguments, type OptionTable } from '../arguments.js';
import { readColumns, readOrder } from '../column-path.js';
import type { Command } from '../command.js';
import { createCsvOutput } from '../csv-output.js';
import { inputOptions, readInputOptions } from '../csv-options.js';
import { createFacetOutput } from '../facet-output.js';
import { lint } from '../../entries/lint.js';
import {
  evaluationOptions,
  filterOptions,
  languageOf,
  languageOptions,
  readSchema,
} from '../filter-options.js';
import { warn } from '../finding.js';
import { FilterRun, type FilterJob } from '../filter-run.js';
import { defaultRowLimits } from '../input/raw-row.js';
import { NameCheck, type NamedField } from '../name-check.js';
import { rowsText } from '../numbers.js';
import { OutputClosed, UsageError, type ExitCode, type Io } from '../io.js';
import { paletteFor } from '../palette.js';
import { createProgress, type Progress, type Tally } from '../progress.js';
import { RowSample } from '../row-sample.js';
import { readRowsPath, rowsOption } from '../column-path.js';
import { createRowSink, createRowWriter, type RowOutput } from '../row-output.js';
import { createSortedOutput } from '../sorted-output.js';
import { selectorPaths } from '../selectors.js';
import { createTableOutput } from '../table.js';

const options: OptionTable = {
  count: { short: 'c', help: 'print how many rows match, instead of the rows' },
  invert: { short: 'v', help: 'print the rows that do not match' },
  limit: { short: 'n', value: 'N', help: 'stop after N matching rows' },
  pretty: { short: 'p', help: 'print rows on several lines, indented' },
  table: { short: 't', help: 'print rows as a table' },
  csv: { help: 'print rows as CSV, with a header line' },
  tsv: { help: 'print rows as TSV, with a header line' },
  select: {
    value: 'FIELDS',
    help: 'print only these fields, separated by commas: Name, Meta.owner, ["First Name"]',
  },
  sort: {
    value: 'FIELDS',
    help: 'sort rows by these fields; -Priority sorts in descending order;\nwith --schema, versions, times, durations, sizes and addresses sort by value;\nholds the matching rows in memory, with --limit N the first N of them',
  },
  facets: {
    value: 'FIELDS',
    help: 'count the values of these fields in the matching rows, instead of printing rows',
  },
  ...languageOptions,
  ...evaluationOptions,
  'skip-errors': {
    short: 's',
    help: 'skip rows that cannot be read or evaluated, and report their number',
  },
  ...inputOptions,
  rows: rowsOption,
  'max-row-bytes': { value: 'N', help: `maximum size of a row, default ${defaultRowLimits.maxRowBytes}` },
  explain: { short: 'e', help: 'explain why nothing matches; the default on a terminal' },
  quiet: { short: 'q', help: 'print no progress and no explanation' },
  json: {
    help: 'errors and a final summary as JSON, one object a line, on standard error;\nwith --count the summary is the output',
  },
};

export const filterCommand: Command = {
  name: 'filter',
  summary: 'Prints the rows of JSON, CSV and TSV files that match a filter expression.',
  usage: "tamis filter 'EXPRESSION' [FILE...]",
  options,
  notes: `
Reads standard input if there is no FILE, or for FILE -. A row is a JSON object: a line of NDJSON, an element
of a top-level array, or one of several values one after another. A document such as {"items": [...], "next": "x"},
with one list of a usual name and only paging keys next to it, means the elements of the list, except in .ndjson and
.jsonl files and with --format lines or json; --rows names another list. Rows are written as NDJSON, byte for byte
as they were read. Input of any size is read in little memory; one row has at most 16 MiB.

In a .csv or .tsv file a row is a line below the names. --schema decides the types of its columns; others are numbers,
or true and false, if all unquoted cells of the first 1,000 rows are. Quoted cells are strings. Blanks around names
and cells are removed, those inside of quotes are kept.

Examples:
  tamis filter 'Status == "running" and "dc1" in Datacenters' jobs.ndjson
  curl -s http://localhost:4646/v1/nodes | tamis filter 'Attributes["cpu.arch"] == "arm64"' --table
  tamis filter 'Meta.owner is empty' --unresolved absent --count jobs.json
  tamis filter 'Status == dead' jobs.csv --sort -Priority --limit 10 --select ID,Priority --table
  tamis filter 'amount > 100' export.csv --delimiter ';' --null NA --csv
  tamis filter 'Stop == false' jobs.ndjson --facets Status,Datacenters
  tamis filter 'any TaskGroups as g { g.Count == 0 }' --schema job.schema.json jobs.ndjson

Exit status: 0 when a row matched, 1 when none did, 2 when something went wrong.`,
  run: runFilter,
};

async function runFilter(args: Arguments, io: Io): Promise<ExitCode> {
  const [source, ...files] = args.positionals;
  if (source === undefined) throw missingExpression;
  const inputs = files.length === 0 ? ['-'] : files;
  const job = await readJob(source, inputs, args, io);
  const output = chooseOutput(args, io, job);
  const tally: Tally = { rows: 0, matched: 0, skipped: 0, bytes: 0 };
  const progress = createProgress(io, args.has('quiet') || args.has('json'));
  const readsTerminal = io.stdin.isTerminal && (files.length === 0 || files.includes('-'));
  if (readsTerminal) await io.stderr.write('tamis: reading rows from the terminal; Ctrl-D ends them\n');
  const start = io.now();
  const run = new FilterRun(job, io, output, progress, tally);
  try {
    for (const file of inputs) {
      if (run.isDone(file)) continue;
      await run.readFile(file);
    }
    checkNames(
      job,
      inputs.some((file) => run.isDone(file)),
    );
  } catch (error) {
    if (error instanceof OutputClosed) return tally.matched > 0 ? 0 : 1;
    await finish(output, progress, tally);
    throw error;
  }
  await output.end();
  await progress.end(tally);
  await reportEnd(args, io, tally, io.now() - start);
  if (tally.matched === 0) await reportEmptiness(job, args, io);
  return tally.matched > 0 ? 0 : 1;
}

/** Flushes the output before an error is reported, if the output is still read. */
async function finish(output: RowOutput, progress: Progress, tally: Tally): Promise<void> {
  try {
    await output.flush();
    await progress.end(tally);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/**
 * Rejects options that name a field which no row has.
 *
 * @param isTruncated whether a limit left rows of a pipe unread: these may have the field, unless there is a similar one
 * @throws UsageError if an option names such a field.
 */
function checkNames({ names }: FilterJob, isTruncated: boolean): void {
  const unknown = names.unknown().find(({ hint }) => !isTruncated || hint !== null);
  if (unknown !== undefined) throw new UsageError(unknown.message, unknown.hint);
}

const missingExpression = new UsageError(
  'no expression',
  `write it after the command, in quotes: tamis filter 'Status == "running"' jobs.json`,
);

async function readJob(
  source: string,
  files: readonly string[],
  args: Arguments,
  io: Io,
): Promise<FilterJob> {
  const maxRows = readCount(args, 'limit') ?? Infinity;
  // The first rows in sort order may be the last ones of the input.
  const limit = args.has('sort') ? Infinity : maxRows;
  const maxRowBytes = readCount(args, 'max-row-bytes') ?? defaultRowLimits.maxRowBytes;
  const expected = !args.has('invert');
  try {
    const schema = await readSchema(args, io);
    const options = filterOptions(args, schema, io);
    const filter = compileFilter<object>(source, options).at();
    return {
      filter,
      schema: options.schema,
      sample: explainsEmptiness(args, io) ? new RowSample() : null,
      diagnose: (rows) => diagnose(source, rows, options),
      lint: (rows) => lint(source, { schema: options.schema, ...languageOf(args), rows }),
      source,
      expected,
      limit,
      inputOptions: readInputOptions(args, schema, files, readRowsPath(args)),
      writesAtOnce: !['count', 'table', 'sort', 'facets'].some((name) => args.has(name)),
      names: new NameCheck(readNames(args), schema),
      maxRowBytes,
      skipsErrors: args.has('skip-errors'),
      asJSON: args.has('json'),
    };
  } catch (error) {
    throw (error instanceof FilterSyntaxError ? explainArguments(args.positionals) : null) ?? error;
  }
}

/** Whether an empty result is explained: if requested, and on a terminal. */
function explainsEmptiness(args: Arguments, io: Io): boolean {
  if (args.has('invert')) return false;
  return args.has('explain') || (io.stdout.isTerminal && !args.has('quiet') && !args.has('json'));
}

/** Reports which clause of the filter excluded all rows. */
async function reportEmptiness(
  { source, sample, diagnose: find, lint: findMistakes }: FilterJob,
  args: Arguments,
  io: Io,
): Promise<void> {
  if (sample === null || sample.rows.length === 0) return;
  const diagnosis = find(sample.rows);
  if (args.has('json')) await io.stderr.write(`${JSON.stringify({ diagnosis })}\n`);
  else {
    const sampled = sample.isTruncated ? `of the first ${rowsText(sample.rows.length)}: ` : '';
    await io.stderr.write(`tamis: nothing matched: ${sampled}${String(diagnosis)}\n`);
    await warn(source, findMistakes(sample.rows), io);
  }
}

/** Returns the usage error, if the other arguments explain it. */
function explainArguments(positionals: readonly string[]): UsageError | null {
  const [first = '', ...rest] = positionals;
  const whole = findUnquoted(positionals);
  if (whole !== null) {
    return new UsageError(
      'the shell took the expression apart',
      `put quotes around it: tamis filter '${whole}'`,
    );
  }
  const expression = rest.find(isExpression);
  if (expression === undefined) return null;
  return new UsageError(
    `${JSON.stringify(first)} is not an expression`,
    `the expression comes first: tamis filter '${expression}' ${first}`,
  );
}

function isExpression(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the first arguments that together form an expression, if the first alone does not: `Status == running jobs.json`. */
function findUnquoted(positionals: readonly string[]): string | null {
  for (let count = 2; count <= Math.min(positionals.length, 50); count += 1) {
    const whole = positionals.slice(0, count).join(' ');
    if (isExpression(whole)) return whole;
  }
  return null;
}

/** Returns the fields given by --sort, --select and --facets. */
function readNames(args: Arguments): NamedField[] {
  const fields = {
    sort: readOrder(args),
    select: readColumns(args, 'select'),
    facets: readColumns(args, 'facets'),
  };
  return Object.entries(fields).flatMap(([option, named]) =>
    (named ?? []).map(({ title, path }) => ({ title, path, option })),
  );
}

function chooseOutput(args: Arguments, io: Io, job: FilterJob): RowOutput {
  const forms = ['count', 'table', 'csv', 'tsv', 'pretty', 'facets'].filter((name) => args.has(name));
  const isCounted = forms.includes('count') || forms.includes('facets');
  const taken = isCounted ? ['select', 'sort'].filter((name) => args.has(name)) : [];
  const chosen = [...forms, ...taken];
  if (chosen.length > 1 && (forms.length > 1 || isCounted))
    throw new UsageError(`--${chosen.join(' and --')} cannot go together`, `choose one of them`);
  if (args.has('count')) return createRowSink();
  const palette = paletteFor(io.stdout, io.env);
  const facets = readColumns(args, 'facets');
  if (facets !== null) return createFacetOutput(io.stdout, facets, args.has('json'), palette);
  const columns = readColumns(args, 'select');
  const rows =
    args.has('csv') || args.has('tsv')
      ? createCsvOutput(io.stdout, args.has('csv') ? ',' : '\t', columns)
      : args.has('table')
        ? createTableOutput(io.stdout, palette, selectorPaths(job.filter.ast), columns)
        : createRowWriter(io.stdout, args.has('pretty'), columns);
  const order = readOrder(args);
  return order === null
    ? rows
    : createSortedOutput(rows, order, job.schema, readCount(args, 'limit') ?? Infinity);
}

async function reportEnd(args: Arguments, io: Io, tally: Tally, milliseconds: number): Promise<void> {
  const { rows, matched, skipped, bytes } = tally;
  const summary = `${JSON.stringify({ rows, matched, skipped, bytes, milliseconds: Math.round(milliseconds) })}\n`;
  if (args.has('count')) await io.stdout.write(args.has('json') ? summary : `${matched}\n`);
  else if (args.has('json')) await io.stderr.write(summary);
  if (skipped > 0 && !args.has('json')) {
    await io.stderr.write(`tamis: ${skipped} of ${rowsText(rows)} skipped\n`);
  }
}
