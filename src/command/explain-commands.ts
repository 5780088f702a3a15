import { explain } from '../filter/explain-filter.js';
import { lint } from '../entries/lint.js';
import { portable } from '../entries/portable.js';
import { describeFinding } from './finding.js';
import type { SessionCommand, SessionContext } from './session-command.js';
import { describeUnportable } from './finding.js';

const noFilter = 'there is no filter yet: type one first\n';

/** Creates the commands for valid filters that do not match as expected. */
export function createExplainCommands(repl: SessionContext): SessionCommand[] {
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

function explainRow(argument: string, { rows, lastSource, filterOptions }: SessionContext): string {
  const source = lastSource();
  if (source === null) return noFilter;
  const at = argument === '' ? 1 : Number(argument);
  const row = Number.isInteger(at) ? rows[at - 1] : undefined;
  return row === undefined
    ? `.explain N takes 1 to ${rows.length}\n`
    : String(explain(source, row, filterOptions()));
}

function writePortable(source: string | null, { palette, filterOptions }: SessionContext): string {
  if (source === null) return noFilter;
  const { schema, dialect = 'standard', level = 1 } = filterOptions();
  const written = portable(source, { schema, dialect, level });
  return written.ok ? `${written.text}\n` : describeUnportable(source, written.clauses, palette);
}

function lintExpression(source: string | null, { palette, filterOptions, rows }: SessionContext): string {
  if (source === null) return noFilter;
  const { schema, dialect = 'standard', level = 1 } = filterOptions();
  const findings = lint(source, { schema, dialect, level, rows });
  if (findings.length === 0) return 'nothing to say\n';
  return findings.map((finding) => describeFinding(source, finding, palette)).join('');
}
