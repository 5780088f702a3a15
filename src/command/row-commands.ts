import { splitFieldNames } from '../language/syntax/field-path.js';
import { columnOf } from './column-path.js';
import { toJSON, wholeValue, type CellColumn } from './columns.js';
import { rowsText } from './numbers.js';
import type { SaveFile, SessionCommand, SessionContext, TableChoice } from './session-command.js';

/** Creates the commands for matching rows: their columns, timing and export. */
export function createRowCommands(repl: SessionContext): SessionCommand[] {
  const { save } = repl;
  const saving: SessionCommand = {
    name: 'save',
    usage: '.save FILE',
    help: 'write the last matches to a new file, one per line',
    run: (path) => (save === null ? '' : saveMatches(path, repl.matches(), save)),
  };
  return [
    {
      name: 'table',
      usage: '.table [COLUMN, ... | auto]',
      help: 'set the columns of the tables: names and paths, or auto',
      run: (argument) => chooseTable(argument, repl.table),
    },
    {
      name: 'time',
      usage: '.time EXPRESSION',
      help: 'measure how long a filter takes to compile and to run over all rows',
      run: (source) => (source === '' ? '.time takes a filter\n' : repl.guarded(() => measure(repl, source))),
    },
    ...(save === null ? [] : [saving]),
  ];
}

function chooseTable(argument: string, table: TableChoice): string {
  if (argument === '') return `${table.columns?.map(({ title }) => title).join(', ') ?? 'auto'}\n`;
  if (argument === 'auto') {
    table.columns = null;
    return '';
  }
  const columns: CellColumn[] = [];
  for (const title of splitFieldNames(argument)) {
    const column = columnOf(title);
    if (column === null)
      return `${JSON.stringify(title)} is no name of a column: write Name, Meta.owner or ["First Name"]\n`;
    columns.push(column);
  }
  table.columns = columns;
  return '';
}

/** Minimum measuring time, in ms. The first runs are slower than later ones. */
const measuredFor = 200;
const maxRuns = 50;

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

function measure({ rows, now, compile }: SessionContext, source: string): string {
  const start = now();
  const filter = compile(source);
  const compiled = now() - start;
  let best = Infinity;
  let count = 0;
  for (let runs = 0; runs === 0 || (runs < maxRuns && now() - start < measuredFor); runs += 1) {
    const before = now();
    count = filter.count(rows);
    best = Math.min(best, now() - before);
  }
  const speed = best > 0 ? `, ${number.format(Math.round((rows.length / best) * 1_000))} rows/s` : '';
  return (
    `compiled in ${compiled.toFixed(2)} ms; ${rowsText(rows.length)} in ${best.toFixed(2)} ms at best${speed}; ` +
    `${number.format(count)} match\n`
  );
}

function saveMatches(path: string, matches: readonly object[], save: SaveFile): string {
  if (path === '') return '.save takes the name of a file\n';
  try {
    save(path, batches(matches));
  } catch (error) {
    return `${JSON.stringify(path)} was not written: ${explainSaveError(error)}\n`;
  }
  return `${rowsText(matches.length)} written to ${JSON.stringify(path)}\n`;
}

/** Number of characters written at once. */
const batchSize = 65_536;

function* batches(rows: readonly object[]): Generator<string, void, undefined> {
  let batch = '';
  for (const row of rows) {
    batch += `${toJSON(row, wholeValue)}\n`;
    if (batch.length < batchSize) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

/** @throws the error itself if it is not a file system error. */
function explainSaveError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (typeof code !== 'string') throw error;
  if (code === 'EEXIST') return 'there is such a file, and .save overwrites none';
  if (code === 'ENOENT') return 'there is no such folder';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'it may not be';
  return (error as Error).message;
}
