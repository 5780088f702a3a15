import { escapeControls } from '../../language/diagnostics/snippet.js';
import {
  compileFilter,
  FilterError,
  parse,
  print,
  type FilterOptions,
  type Expression,
  type Schema,
} from '../../index.js';
import { diagnose, type Diagnosis } from '../../filter/explain/diagnose.js';
import { correct, lint, type Correction, applySuggestion } from '../../entries/lint.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import {
  clockOptions,
  filterOptions,
  languageOf,
  languageOptions,
  readExpression,
  readSchema,
} from '../filter-options.js';
import type { InputOptions } from '../input/row-splitter.js';
import { UsageError, type ExitCode, type Io } from '../io.js';
import { defaultLoadLimits, loadRows } from '../load-rows.js';
import { warn } from '../finding.js';
import { NameCheck, type UnknownName } from '../name-check.js';
import { paletteFor, type Palette } from '../palette.js';
import { fieldPathText } from '../../language/syntax/field-path.js';
import { formatError, errorToJSON } from '../report-error.js';
import { selectorPaths } from '../selectors.js';
import type { Language } from '../../language/parse.js';

const options: OptionTable = {
  ...languageOptions,
  ...clockOptions,
  rows: {
    value: 'FILE',
    help: 'rows to check against: names that none of the first 1,000 rows has are mistakes',
  },
  fix: {
    help: 'print the expression, corrected if there is exactly one correction;\nalso corrects lint findings, unless --no-lint is given',
  },
  'no-lint': { help: 'report no lint findings' },
  json: { help: 'print one JSON object on standard output, including errors' },
};

export const checkCommand: Command = {
  name: 'check',
  summary: 'Checks an expression and reports where and why it is invalid.',
  usage: "tamis check ['EXPRESSION']",
  options,
  notes: `
Reads the expression from standard input if it is omitted, or for -. With --schema it also finds unknown fields,
impossible operators and values. A valid but probably unintended expression, such as a == 1 and a == 2, is a
warning on standard error.

Examples:
  tamis check 'Status == "running'
  tamis check --schema job.schema.json 'Priority == "high"'
  tamis check --fix "Status = 'running' && Stop = false"
  tamis check --fix --rows jobs.ndjson 'Stauts == running'
  tamis check --dialect go-bexpr --json < filter.txt

Exit status: 0 if the expression is valid, 2 if it is not.`,
  run: runCheck,
};

async function runCheck(args: Arguments, io: Io): Promise<ExitCode> {
  const source = await readExpression(args, io);
  const compileOptions = filterOptions(args, await readSchema(args, io), io);
  try {
    compileFilter(source, compileOptions);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return refuse(error, source, compileOptions, args, io);
  }
  const { schema, now = io.clock } = compileOptions;
  const language = languageOf(args);
  const rows = await readRows(args, io, schema ?? null);
  const correction = rows.length === 0 ? null : correct(source, { schema, ...language, rows, now });
  if (correction !== null) return doubt(source, correction, compileOptions, rows, args, io);
  const [unknown] = unknownNames(parse(source, language).ast, rows, schema ?? null);
  if (unknown !== undefined) {
    const error = new UsageError(unknown.message, unknown.hint);
    const text = formatError(error, paletteFor(io.stderr, io.env));
    const json = { ...errorToJSON(error), code: 'unknown-field' };
    return reject({ error: json }, text, null, compileOptions, args, io);
  }
  if (failsForAll(source, rows, compileOptions)) return doubt(source, null, compileOptions, rows, args, io);
  const isMended = args.has('fix') && !args.has('no-lint');
  const text = isMended ? applyAllFixes(source, compileOptions, language) : source;
  const parsed = parse(text, language);
  const { ast, relaxations } = parsed;
  const findings = args.has('no-lint') ? [] : lint(parsed, { schema, ...language, rows });
  const fixed = args.has('fix') ? { fixed: text } : {};
  if (args.has('json'))
    await writeResult(io, { ok: true, canonical: print(ast), ...fixed, relaxations, findings });
  else {
    await io.stdout.write(args.has('fix') ? `${text}\n` : 'ok\n');
    await warn(text, findings, io);
  }
  return 0;
}

/** Maximum number of rows that an expression is tried on. */
const maxRows = 1_000;

async function readRows(args: Arguments, io: Io, schema: Schema | null): Promise<readonly object[]> {
  const path = args.value('rows');
  if (path === null) return [];
  const options: InputOptions = { format: 'auto', path: null, csv: { schema } };
  return (await loadRows([path], options, { ...defaultLoadLimits, maxRows: maxRows }, io)).rows;
}

/** Returns the fields of the expression that are neither in the rows nor in the schema. */
function unknownNames(expression: Expression, rows: readonly object[], schema: Schema | null): UnknownName[] {
  const fields = selectorPaths(expression).map((path) => ({ title: fieldPathText(path), path }));
  const check = new NameCheck(fields, schema);
  for (const row of rows) check.add(row);
  return check.unknown();
}

/** Reports why an expression is rejected, with a suggestion. With `--fix`, prints a unique correction instead. */
async function reject(
  result: { readonly error: object | null; readonly diagnosis?: Diagnosis },
  text: string,
  correction: Correction | null,
  options: FilterOptions,
  args: Arguments,
  io: Io,
): Promise<ExitCode> {
  const isFixed = args.has('fix') && correction?.isOnlyOne === true;
  if (args.has('json')) await writeResult(io, { ok: false, ...result, correction });
  else if (isFixed) await writeFixed(correction, options, args, io);
  else await io.stderr.write(text + didYouMean(correction, paletteFor(io.stderr, io.env)));
  return isFixed ? 0 : 2;
}

/** Whether a clause of the expression fails for every row. */
function failsForAll(source: string, rows: readonly object[], options: FilterOptions): boolean {
  if (rows.length === 0) return false;
  const { blockingClause, clauses } = diagnose(source, rows, options);
  return blockingClause !== null && clauses[blockingClause]?.failed === rows.length;
}

/** Reports contradictions between an expression and the rows, with the values of the rows. */
async function doubt(
  source: string,
  correction: Correction | null,
  options: FilterOptions,
  rows: readonly object[],
  args: Arguments,
  io: Io,
): Promise<ExitCode> {
  const diagnosis = diagnose(source, rows, options);
  const text = `tamis: ${escapeControls(String(diagnosis) || source)}\n`;
  return reject({ error: null, diagnosis }, text, correction, options, args, io);
}

/** Reports why an expression is invalid. */
async function refuse(
  error: FilterError,
  source: string,
  options: FilterOptions,
  args: Arguments,
  io: Io,
): Promise<ExitCode> {
  const { schema, now = io.clock } = options;
  const rows = await readRows(args, io, schema ?? null);
  const correction = correct(source, { schema, ...languageOf(args), rows, now });
  const text = formatError(error, paletteFor(io.stderr, io.env));
  return reject({ error: errorToJSON(error) }, text, correction, options, args, io);
}

/** Prints a correction. Applies the fixes of lint too, unless `--no-lint` is given. */
async function writeFixed(
  { source }: Correction,
  options: FilterOptions,
  args: Arguments,
  io: Io,
): Promise<void> {
  const text = args.has('no-lint') ? source : applyAllFixes(source, options, languageOf(args));
  await io.stdout.write(`${text}\n`);
}

function didYouMean(correction: Correction | null, palette: Palette): string {
  if (correction === null) return '';
  return `  ${palette.good('did you mean:')} ${escapeControls(correction.source)}\n`;
}

async function writeResult(io: Io, value: object): Promise<void> {
  await io.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Maximum number of corrections of one expression. */
const maxSteps = 16;

/**
 * Returns the expression with the corrections of `lint`, applied one after another, if there is exactly one and it is not a
 * guess. Non-portable forms are kept: `fmt --portable` rewrites those. Corrections that would be rejected are skipped.
 */
function applyAllFixes(source: string, options: FilterOptions, language: Language): string {
  const { schema } = options;
  const seen = new Set([source]);
  let text = source;
  for (let step = 0; step < maxSteps; step += 1) {
    const next = lint(parse(text, language), { schema, ...language })
      .filter(({ code, suggestions: [only, ...others] }) => {
        return code !== 'not-portable' && only !== undefined && others.length === 0 && only.isGuess !== true;
      })
      .map(({ suggestions: [only] }) => (only === undefined ? text : applySuggestion(text, only)))
      .find((corrected) => !seen.has(corrected) && isAccepted(corrected, options));
    if (next === undefined) return text;
    seen.add(next);
    text = next;
  }
  return text;
}

function isAccepted(source: string, options: FilterOptions): boolean {
  try {
    compileFilter(source, options);
    return true;
  } catch (error) {
    if (error instanceof FilterError) return false;
    throw error;
  }
}
