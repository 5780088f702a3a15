import { fromJSONSchema } from '../entries/json-schema.js';
import { parseSchema, type FilterOptions, type Schema } from '../index.js';
import { timeKind } from '../language/values/instance/time.js';
import type { Language } from '../language/parse.js';
import type { Arguments, OptionSpec, OptionTable } from './arguments.js';
import { explainReadError, readText, UsageError, type Io } from './io.js';

/** Options about the expression, shared by several commands. */
export const languageOptions: OptionTable = {
  schema: {
    value: 'FILE',
    help: 'the kinds of the fields, as JSON or JSON Schema; unknown fields and impossible\ncomparisons are then reported before the first row',
  },
  dialect: {
    value: 'NAME',
    choices: ['standard', 'go-bexpr'],
    help: 'standard (default), or go-bexpr to reject what that library rejects',
  },
  level: {
    value: 'N',
    choices: ['0', '1'],
    help: '1 (default), or 0 to reject what go-bexpr does not have:\n<, in [..], starts with, ends with, like, len(..), @, "x"i, now, 7d',
  },
};

/** The clock option, for commands that apply an expression to rows. */
export const clockOptions: OptionTable = {
  now: {
    value: 'TIME',
    help: 'the value of now in the expression: 2026-11-01T08:00:00Z or a date; default: the clock',
  },
};

export const unresolvedOption: OptionSpec = {
  value: 'error|absent',
  choices: ['error', 'absent'],
  help: 'a row without a field of the filter is an error (default),\nor its comparison counts as absent',
};

/** The options for rows that lack a field or value that the filter reads. */
export const evaluationOptions: OptionTable = {
  ...clockOptions,
  unresolved: unresolvedOption,
  'no-check': { help: 'report mistakes only at the first row that they affect, as go-bexpr does' },
};

/** Maximum size of a schema file, in bytes. Prevents a data file given by mistake from being read completely. */
const maxSchemaBytes = 16 * 1024 * 1024;

/** Returns the schema given by --schema; null if it is not given. */
export async function readSchema(args: Arguments, io: Io): Promise<Schema | null> {
  const path = args.value('schema');
  if (path === null) return null;
  let text: string;
  try {
    text = await readText(io.openFile(path), path, maxSchemaBytes);
  } catch (error) {
    throw explainReadError(path, error) ?? error;
  }
  try {
    const document: unknown = JSON.parse(text);
    return isJSONSchema(document) ? fromJSONSchema(document) : parseSchema(document);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    const hint =
      'a schema is a JSON Schema, or looks like {"root":"Job","structs":{"Job":{"fields":{"ID":{"kind":"string"}}}}}';
    throw new UsageError(`${path}: is no schema: ${error.message}`, hint);
  }
}

/** Whether a document is a JSON Schema instead of a Tamis schema, which has a root and structs. */
function isJSONSchema(document: unknown): boolean {
  if (typeof document !== 'object' || document === null || 'structs' in document) return false;
  return ['$schema', 'properties', 'type', '$ref', '$defs', 'allOf'].some((key) => key in document);
}

/** Returns the options for parsing an expression. */
export function languageOf(args: Arguments): Language {
  const dialect = args.value('dialect');
  const level = args.value('level');
  return {
    ...(dialect === 'standard' || dialect === 'go-bexpr' ? { dialect } : {}),
    ...(level === null ? {} : { level: level === '0' ? 0 : 1 }),
  };
}

/** Returns the instant given by --now; null if it is not given. */
export function readNow(args: Arguments): Date | null {
  const text = args.value('now');
  if (text === null) return null;
  const instant = timeKind.parse(text);
  if (instant !== null) return new Date(Number(typeof instant === 'number' ? instant : instant.millis));
  throw new UsageError(
    `--now must be an instant, not ${JSON.stringify(text)}`,
    'write it as 2026-11-01T08:00:00Z, or as a date for its midnight in UTC',
  );
}

/** Returns the options for compiling a filter. One command uses one instant. */
export function filterOptions(args: Arguments, schema: Schema | null, io: Io): FilterOptions {
  const now = readNow(args) ?? io.clock();
  const unresolved = args.value('unresolved');
  return {
    ...(schema === null ? {} : { schema }),
    ...languageOf(args),
    ...(unresolved === 'error' || unresolved === 'absent' ? { unresolved } : {}),
    check: !args.has('no-check'),
    now: () => now,
  };
}

/** Maximum size of an expression read from a file or pipe, in bytes: more than any limit of the language allows anyway. */
const maxExpressionBytes = 1024 * 1024;

/** Reads the expression of `check` and `fmt`: the only argument, or standard input if it is `-` or missing. */
export async function readExpression(args: Arguments, io: Io): Promise<string> {
  const [source, ...rest] = args.positionals;
  if (rest.length > 0) {
    const whole = args.positionals.join(' ');
    throw new UsageError('more than one expression', `put quotes around the whole expression: '${whole}'`);
  }
  if (source !== undefined && source !== '-') return source;
  if (source === undefined && io.stdin.isTerminal) {
    throw new UsageError('no expression', `write it after the command, in quotes: 'Status == "running"'`);
  }
  return (await readText(io.stdin, 'the expression', maxExpressionBytes)).replace(/\r?\n$/, '');
}
