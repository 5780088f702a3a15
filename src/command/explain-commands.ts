import type { FilterOptions } from '../index.js';
import { explain } from '../filter/explain-filter.js';
import { lint } from '../entries/lint.js';
import { portable } from '../entries/portable.js';
import { describeFinding } from './finding.js';
import type { Palette } from './palette.js';
import { describeUnportable } from './unportable.js';

/** The state that the commands operate on. */
export interface ReplContext {
  readonly rows: readonly object[];
  readonly palette: Palette;
  /** Returns the last valid expression; null if none exists yet. */
  lastSource(): string | null;
  /** Returns the options with which filters are currently evaluated. */
  filterOptions(): FilterOptions;
  /** Returns the result of `render`; if it throws a filter error, the error's message. */
  guarded(render: () => string): string;
}

interface ExplainCommand {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  run(argument: string): string;
}

const noFilter = 'there is no filter yet: type one first\n';

/** Creates the commands for valid filters that do not match as expected. */
export function createExplainCommands(repl: ReplContext): ExplainCommand[] {
  return [
    {
      name: 'explain',
      usage: '.explain [N]',
      help: 'explain why the Nth row matches the last filter or not (default: the first)',
      run: (argument) => repl.guarded(() => explainRow(argument, repl)),
    },
    {
      name: 'lint',
      usage: '.lint [EXPRESSION]',
      help: 'lint an expression (default: the last one)',
      run: (source) => repl.guarded(() => lintExpression(source === '' ? repl.lastSource() : source, repl)),
    },
    {
      name: 'portable',
      usage: '.portable [EXPRESSION]',
      help: 'print an expression (default: the last one) for programs that use go-bexpr',
      run: (source) => repl.guarded(() => writePortable(source === '' ? repl.lastSource() : source, repl)),
    },
  ];
}

function explainRow(argument: string, { rows, lastSource, filterOptions }: ReplContext): string {
  const source = lastSource();
  if (source === null) return noFilter;
  const at = argument === '' ? 1 : Number(argument);
  const row = Number.isInteger(at) ? rows[at - 1] : undefined;
  return row === undefined
    ? `.explain N takes 1 to ${rows.length}\n`
    : String(explain(source, row, filterOptions()));
}

function writePortable(source: string | null, { palette, filterOptions }: ReplContext): string {
  if (source === null) return noFilter;
  const { schema, dialect = 'standard', level = 1 } = filterOptions();
  const written = portable(source, { schema, dialect, level });
  return written.ok ? `${written.text}\n` : describeUnportable(source, written.clauses, palette);
}

function lintExpression(source: string | null, { palette, filterOptions, rows }: ReplContext): string {
  if (source === null) return noFilter;
  const { schema, dialect = 'standard', level = 1 } = filterOptions();
  const findings = lint(source, { schema, dialect, level, rows });
  if (findings.length === 0) return 'nothing to say\n';
  return findings.map((finding) => describeFinding(source, finding, palette)).join('');
}
