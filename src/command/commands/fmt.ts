import { parse, print } from '../../index.js';
import { portable } from '../../entries/portable.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { languageOf, languageOptions, readExpression, readSchema } from '../filter-options.js';
import { UsageError, type ExitCode, type Io } from '../io.js';
import { paletteFor } from '../palette.js';
import { describeUnportable } from '../finding.js';

const { dialect = { help: '' }, level = { help: '' } } = languageOptions;
const options: OptionTable = {
  portable: { help: 'write it at level 0, for programs that use go-bexpr: in [..] as ==, like as matches' },
  schema: { value: 'FILE', help: 'the kinds of the fields, as JSON, which --portable may need' },
  dialect,
  level,
  json: { help: 'errors, and what is not portable, as JSON on standard error' },
};

export const fmtCommand: Command = {
  name: 'fmt',
  summary: 'Prints an expression in canonical form.',
  usage: "tamis fmt ['EXPRESSION']",
  options,
  notes: `
Reads the expression from standard input if it is omitted, or for -. Two expressions with the same tree have the
same canonical text.

Examples:
  tamis fmt 'Status==running and(not Meta.owner is not empty)'
  tamis fmt --portable 'Status in ["pending", "dead"] and Name starts with "web-"'
  tamis fmt < filter.txt

Exit status: 0; 1 if --portable cannot express the filter at level 0; 2 when it is not an expression.`,
  run: runFmt,
};

async function runFmt(args: Arguments, io: Io): Promise<ExitCode> {
  const source = await readExpression(args, io);
  if (args.has('portable')) return writePortable(source, args, io);
  if (args.has('schema'))
    throw new UsageError('--schema goes with --portable', 'an expression has one canonical text');
  await io.stdout.write(`${print(parse(source, languageOf(args)).ast)}\n`);
  return 0;
}

async function writePortable(source: string, args: Arguments, io: Io): Promise<ExitCode> {
  const schema = await readSchema(args, io);
  const written = portable(source, { ...languageOf(args), ...(schema === null ? {} : { schema }) });
  if (written.ok) {
    await io.stdout.write(`${written.text}\n`);
    return 0;
  }
  const { clauses } = written;
  await io.stderr.write(
    args.has('json')
      ? `${JSON.stringify({ unportable: clauses })}\n`
      : describeUnportable(source, clauses, paletteFor(io.stderr, io.env)),
  );
  return 1;
}
