import { escapeControls } from '../language/diagnostics/snippet.js';
import {
  compileFilter,
  FilterError,
  FilterEvaluationError,
  FilterSyntaxError,
  parse,
  print,
  type Dialect,
  type Filter,
  type FilterOptions,
  type Level,
  type Schema,
} from '../index.js';
import type { Language } from '../language/parse.js';
import { diagnose } from '../filter/explain/diagnose.js';
import { correct, type Correction } from '../entries/lint.js';
import { createExplainCommands } from './explain-commands.js';
import { completeLine, type Completion } from './completion.js';
import { createFieldCatalog } from '../entries/editor.js';
import { number, rowsText } from './numbers.js';
import { paintFrame, type Palette } from './palette.js';
import { createRowCommands } from './row-commands.js';
import { selectorPaths } from './selectors.js';
import type { SaveFile, SessionCommand, SessionContext, TableChoice } from './session-command.js';
import { describeFields, helpText, renderRow } from './session-texts.js';
import { renderTable } from './table.js';

/** Options of an interactive session. */
export interface SessionOptions {
  readonly rows: readonly object[];
  readonly schema: Schema | null;
  readonly dialect: Dialect;
  /** Default: 1. */
  readonly level?: Level;
  readonly palette: Palette;
  /** Returns the width of the output, read each time because terminals change. */
  readonly columns: () => number;
  /** Returns a monotonic time, in ms. */
  readonly now: () => number;
  /** The clock for `now` in filters. */
  readonly clock: () => Date;
  /** Saves a file. Omitted if nothing can be written. */
  readonly save?: SaveFile;
}

/** The result of a line. An incomplete expression needs another line. */
export type Reply = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'incomplete' };

/** An interactive session about rows. Input and output are strings only. */
export interface Session {
  /** The message at the start. */
  readonly greeting: string;
  /** Evaluates an expression of one or several lines. An empty last line ends an incomplete expression. */
  evaluate(source: string): Reply;
  readonly commands: readonly SessionCommand[];
  complete(line: string): Completion;
}

interface State {
  readonly table: TableChoice;
  limit: number;
  unresolved: 'error' | 'absent';
  /** The matches of the last expression. */
  matches: readonly object[];
  /** The last valid expression; null if none exists yet. */
  source: string | null;
  /** The suggested correction of the last line; null if none is needed. */
  correction: Correction | null;
}

export function createSession(options: SessionOptions): Session {
  const { rows, palette } = options;
  const state: State = {
    table: { columns: null },
    limit: 10,
    unresolved: 'error',
    matches: rows,
    source: null,
    correction: null,
  };
  const catalog = createFieldCatalog(rows, options.schema);
  const commands = createCommands(options, state, catalog);
  return {
    greeting: `${rowsText(rows.length)}. Type a filter such as ${exampleFor(catalog)}, or .help\n`,
    commands,
    complete: (line) => completeLine(line, catalog, options.schema, languageOf(options)),
    evaluate(source) {
      if (source.trim() === '') return { kind: 'text', text: '' };
      state.correction = null;
      try {
        return { kind: 'text', text: renderMatches(source.trimEnd(), options, state) };
      } catch (error) {
        if (isIncomplete(error, source)) return { kind: 'incomplete' };
        const failure = describeFailure(error, palette);
        return { kind: 'text', text: failure + offerCorrection(source.trim(), options, state) };
      }
    },
  };
}

/** Searches for a correction of a line, and stores it for .fix. */
function offerCorrection(source: string, options: SessionOptions, state: State): string {
  const { rows, schema, clock, palette } = options;
  state.correction = correct(source, {
    schema: schema ?? undefined,
    ...languageOf(options),
    rows,
    now: clock,
  });
  if (state.correction === null) return '';
  return `  ${palette.good('did you mean:')} ${escapeControls(state.correction.source)}   ${palette.faint('(.fix runs it)')}\n`;
}

function exampleFor(catalog: ReturnType<typeof createFieldCatalog>): string {
  for (const { name } of catalog.children([])) {
    const [value] = catalog.values([name]);
    if (/^[A-Za-z]\w*$/.test(name) && value !== undefined) return `${name} == ${JSON.stringify(value)}`;
  }
  return 'Name == "web"';
}

/** Whether another line could complete the expression. An empty line ends the input. */
function isIncomplete(error: unknown, source: string): boolean {
  if (!(error instanceof FilterSyntaxError) || /\n[ \t]*\n$/.test(source)) return false;
  // A lone field or value is probably a mistake, not a beginning.
  const isAlone = error.expected.includes('"=="') || error.expected.includes('"in"');
  return error.found === 'end of input' && error.code !== 'unterminated-string' && !isAlone;
}

function renderMatches(source: string, options: SessionOptions, state: State): string {
  const settings = filterOptions(options, state);
  const filter = compileFilter<object>(source, settings).at();
  const start = options.now();
  const matches = selectRows(filter, options.rows);
  const milliseconds = options.now() - start;
  state.matches = matches;
  state.source = source;
  const { palette } = options;
  const listed = matches.slice(0, state.limit);
  const table = listed.length === 0 ? '' : tableOf(listed, filter, options, state);
  const why = matches.length > 0 ? '' : String(diagnose(filter, options.rows, settings));
  const diagnosis =
    why === '' ? '' : `${palette.good('hint:')} ${why}\n${offerCorrection(source, options, state)}`;
  const more = matches.length > listed.length ? `, the first ${listed.length} shown` : '';
  const count = `${number.format(matches.length)} of ${rowsText(options.rows.length)}${more}`;
  return `${table}${palette.faint(`${count} (${milliseconds.toFixed(1)} ms)`)}\n${diagnosis}`;
}

function languageOf({ dialect, level = 1 }: SessionOptions): Language {
  return { dialect, level };
}

/** Returns the options of the current evaluation. A filter and the explanation of its result use the same instant. */
function filterOptions(options: SessionOptions, { unresolved }: State): FilterOptions {
  const { schema, clock } = options;
  const now = clock();
  return { ...languageOf(options), unresolved, now: () => now, ...(schema === null ? {} : { schema }) };
}

/** An evaluation error with its row. */
class RowFailure extends Error {
  override readonly name = 'RowFailure';

  constructor(
    readonly row: number,
    readonly reason: FilterEvaluationError,
  ) {
    super(reason.message);
  }
}

function selectRows(filter: Filter<object>, rows: readonly object[]): object[] {
  let at = 0;
  try {
    const matches: object[] = [];
    for (const row of rows) {
      at += 1;
      if (filter.test(row)) matches.push(row);
    }
    return matches;
  } catch (error) {
    if (error instanceof FilterEvaluationError) throw new RowFailure(at, error);
    throw error;
  }
}

function tableOf(
  rows: readonly object[],
  filter: Filter<object>,
  options: SessionOptions,
  state: State,
): string {
  const preferred = selectorPaths(filter.ast);
  return renderTable(rows, {
    width: options.columns(),
    preferred,
    columns: state.table.columns,
    title: options.palette.strong,
    plain: true,
  });
}

function describeFailure(error: unknown, palette: Palette): string {
  const reason = error instanceof RowFailure ? error.reason : error;
  if (!(reason instanceof FilterError)) throw error;
  const place = error instanceof RowFailure ? `row ${error.row}: ` : '';
  const tip =
    error instanceof RowFailure && error.reason.code.startsWith('find-')
      ? `  ${palette.good('hint:')} .unresolved absent reads such rows as if they had no such field\n`
      : '';
  return `${palette.error('error:')} ${place}${paintFrame(reason.report, palette)}\n${tip}`;
}

function createCommands(
  options: SessionOptions,
  state: State,
  catalog: ReturnType<typeof createFieldCatalog>,
): SessionCommand[] {
  const { rows, palette } = options;
  const guarded = (render: () => string): string => {
    try {
      return render();
    } catch (error) {
      return describeFailure(error, palette);
    }
  };
  const compile = (source: string): Filter<object> =>
    compileFilter<object>(source, filterOptions(options, state)).at();
  const context: SessionContext = {
    ...{ rows, palette, guarded, compile, save: options.save ?? null, now: options.now, table: state.table },
    matches: () => state.matches,
    lastSource: () => state.source,
    filterOptions: () => filterOptions(options, state),
  };
  const commands: SessionCommand[] = [
    {
      name: 'help',
      usage: '.help',
      help: 'list the commands',
      run: () => helpText(commands),
    },
    {
      name: 'schema',
      usage: '.schema [FIELD]',
      help: 'list the fields of the rows, or of a field, with their most frequent values',
      run: (argument) => describeFields(argument, catalog, palette),
    },
    {
      name: 'count',
      usage: '.count [EXPRESSION]',
      help: 'count the matching rows',
      run: (source) =>
        source === ''
          ? `${number.format(rows.length)}\n`
          : guarded(() => `${number.format(selectRows(compile(source), rows).length)}\n`),
    },
    {
      name: 'show',
      usage: '.show [N]',
      help: 'show the Nth of the last matches completely (default: the first)',
      run: (argument) => renderRow(argument, state.matches),
    },
    {
      name: 'fix',
      usage: '.fix',
      help: 'apply the correction of the last line',
      run: () => {
        const corrected = state.correction?.source;
        if (corrected === undefined) return 'there is nothing to correct\n';
        state.correction = null;
        return `${escapeControls(corrected)}\n${guarded(() => renderMatches(corrected, options, state))}`;
      },
    },
    {
      name: 'limit',
      usage: '.limit [N]',
      help: 'set the number of matches that are shown',
      run: (argument) => setLimit(argument, state),
    },
    {
      name: 'unresolved',
      usage: '.unresolved [error|absent]',
      help: 'set how rows without a field of the filter are treated',
      run: (argument) => setUnresolved(argument, state),
    },
    {
      name: 'fmt',
      usage: '.fmt EXPRESSION',
      help: 'print the expression in canonical form',
      run: (source) => guarded(() => `${print(parse(source, languageOf(options)).ast)}\n`),
    },
    ...createExplainCommands(context),
    ...createRowCommands(context),
  ];
  return commands;
}

function setLimit(argument: string, state: State): string {
  if (argument === '') return `${state.limit}\n`;
  const limit = Number(argument);
  if (!Number.isSafeInteger(limit) || limit < 1) return '.limit takes a whole number of at least 1\n';
  state.limit = limit;
  return '';
}

function setUnresolved(argument: string, state: State): string {
  if (argument === '') return `${state.unresolved}\n`;
  if (argument !== 'error' && argument !== 'absent') return '.unresolved takes error or absent\n';
  state.unresolved = argument;
  return '';
}
