import { compileFilter, FilterError, print, type Relaxation } from '../../index.js';
import { positionAt } from '../../diagnostics/source.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { filterOptions, languageOptions, readExpression, readSchema } from '../filter-options.js';
import type { ExitCode, Io } from '../io.js';
import { troubleJSON } from '../trouble.js';

const options: OptionTable = {
  ...languageOptions,
  json: { help: 'the answer as one JSON object on standard output, errors included' },
};

export const checkCommand: Command = {
  name: 'check',
  summary: 'Says whether an expression is right, and if not, where and why.',
  usage: "tamis check ['EXPRESSION']",
  options,
  notes: `
Reads the expression from standard input when there is none, or for -. With --schema it also finds unknown fields,
impossible operators and values that cannot be.

Examples:
  tamis check 'Status == "running'
  tamis check --schema job.schema.json 'Priority == "high"'
  tamis check --dialect go-bexpr --json < filter.txt

Exit status: 0 when the expression is right, 2 when it is not.`,
  run: runCheck,
};

async function runCheck(args: Arguments, io: Io): Promise<ExitCode> {
  const source = await readExpression(args, io);
  const compileOptions = filterOptions(args, await readSchema(args, io));
  try {
    const { ast, relaxations } = compileFilter(source, compileOptions);
    if (args.has('json')) await answer(io, { ok: true, canonical: print(ast), relaxations });
    else {
      await io.stdout.write('ok\n');
      if (relaxations.length > 0) await io.stderr.write(relaxationNote(source, relaxations));
    }
    return 0;
  } catch (error) {
    if (!(error instanceof FilterError) || !args.has('json')) throw error;
    await answer(io, { ok: false, error: troubleJSON(error) });
    return 2;
  }
}

async function answer(io: Io, value: object): Promise<void> {
  await io.stdout.write(`${JSON.stringify(value)}\n`);
}

/** What go-bexpr would refuse or read in another way, for those who send the expression to a program that uses it. */
function relaxationNote(source: string, relaxations: readonly Relaxation[]): string {
  const places = relaxations.slice(0, 5).map(({ kind, span }) => {
    const { line, column } = positionAt(source, span.start);
    return `${kind.replaceAll('-', ' ')} at ${line}:${column}`;
  });
  const more = relaxations.length > places.length ? `, and ${relaxations.length - places.length} more` : '';
  return `note: go-bexpr reads this differently or not at all (${places.join(', ')}${more}); tamis fmt writes it for both\n`;
}
