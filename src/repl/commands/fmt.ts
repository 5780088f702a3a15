import { parse, print } from '../../index.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { languageOf, languageOptions, readExpression } from '../filter-options.js';
import type { ExitCode, Io } from '../io.js';

const { dialect = { help: '' }, level = { help: '' } } = languageOptions;
const options: OptionTable = {
  dialect,
  level,
  json: { help: 'errors as JSON on standard error' },
};

export const fmtCommand: Command = {
  name: 'fmt',
  summary: 'Prints an expression the canonical way.',
  usage: "tamis fmt ['EXPRESSION']",
  options,
  notes: `
Reads the expression from standard input when there is none, or for -. Two expressions with the same tree have the
same canonical text.

Examples:
  tamis fmt 'Status==running and(not Meta.owner is not empty)'
  tamis fmt < filter.txt

Exit status: 0, or 2 when it is no expression.`,
  run: runFmt,
};

async function runFmt(args: Arguments, io: Io): Promise<ExitCode> {
  const source = await readExpression(args, io);
  await io.stdout.write(`${print(parse(source, languageOf(args)).ast)}\n`);
  return 0;
}
