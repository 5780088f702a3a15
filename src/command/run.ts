import { suggestNames } from '../language/diagnostics/suggest.js';
import { readArguments, type OptionTable } from './arguments.js';
import { commandHelp, optionLines, type Command } from './command.js';
import { checkCommand } from './commands/check.js';
import { completionCommand } from './commands/completion.js';
import { filterCommand } from './commands/filter.js';
import { fmtCommand } from './commands/fmt.js';
import { replCommand } from './commands/repl.js';
import { schemaCommand } from './commands/schema.js';
import { sqlCommand } from './commands/sql.js';
import { OutputClosed, UsageError, type ExitCode, type Io } from './io.js';
import { paletteFor } from './palette.js';
import { formatError, errorToJSON } from './report-error.js';
import { completeWord } from './commands/completion.js';

const commands: readonly Command[] = [
  filterCommand,
  checkCommand,
  fmtCommand,
  sqlCommand,
  schemaCommand,
  replCommand,
  completionCommand,
];

const commonOptions: OptionTable = {
  help: { short: 'h', help: 'this text; tamis COMMAND --help for one command' },
  version: { short: 'V', help: 'the version of tamis' },
};

/**
 * Runs the program, except for its process environment.
 * @param argv the arguments after the program's name
 * @returns 0 if something matched or everything was valid, 1 if nothing matched, 2 on errors
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof OutputClosed) return 0;
    await report(error, argv, io);
    return 2;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(rest[0], io);
  if (name === '--version' || name === '-V' || name === 'version') return say(io, `${io.version}\n`);
  if (name === '__complete') return say(io, completeWord(rest, commands, commonOptions));
  const command = findCommand(name);
  const args = readArguments(rest, { ...command.options, ...commonOptions });
  if (args.has('help')) return say(io, commandHelp(command));
  if (args.has('version')) return say(io, `${io.version}\n`);
  return command.run(args, io);
}

function findCommand(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  if (name.startsWith('-')) {
    throw new UsageError(`there is no option ${name}`, `the command comes first: tamis filter ${name} ...`);
  }
  if (/[\s=]/.test(name)) {
    throw new UsageError(`there is no command in front of the expression`, `tamis filter '${name}' FILE`);
  }
  const [nearest] = suggestNames(
    name,
    commands.map((each) => each.name),
    1,
  );
  const names = commands.map((each) => each.name).join(', ');
  throw new UsageError(
    `there is no command ${JSON.stringify(name)}`,
    nearest === undefined ? `the commands are ${names}` : `did you mean ${nearest}?`,
  );
}

function help(name: string | undefined, io: Io): Promise<ExitCode> {
  return say(io, name === undefined ? generalHelp() : commandHelp(findCommand(name)));
}

async function say(io: Io, text: string): Promise<ExitCode> {
  await io.stdout.write(text);
  return 0;
}

async function report(error: unknown, argv: readonly string[], io: Io): Promise<void> {
  const text = argv.includes('--json')
    ? `${JSON.stringify({ error: errorToJSON(error) })}\n`
    : formatError(error, paletteFor(io.stderr, io.env));
  try {
    await io.stderr.write(text);
  } catch (closed) {
    if (!(closed instanceof OutputClosed)) throw closed;
  }
}

function generalHelp(): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n');
  return `tamis filters lists of JSON objects with expressions.

Usage: tamis COMMAND [OPTION...] [ARGUMENT...]

Commands:
${list}

Options:
${optionLines(commonOptions)}

An expression compares fields with values:
  Status == "running"                      text; == and != also take numbers, true and false
  Priority != 50 and not (Stop == true)    and, or, not and parentheses
  Priority >= 50 and Priority < 90         numbers and text; also times, sizes, versions with --schema
  Status in ["pending", "dead"]            one of several values
  "dc1" in Datacenters                     an element of a list, a key of a map, a part of a text
  Name starts with "web-"                  also: ends with, like "web-*"
  Name matches "^web-[0-9]+$"              a pattern
  Name == "WEB"i                           upper and lower case are the same
  CreateTime > now - 7d                    the clock, for times of a --schema
  ModifyIndex > @CreateIndex               another field of the row
  len(Tags) > 3                            how many elements, or characters
  Meta.owner is empty                      also: is not empty, is nil, is not nil
  Meta["cost.center"] == "42"              names that are not plain words
  any TaskGroups as g { g.Count == 0 }     some element of a list; all for every one

Try it:
  echo '[{"Name":"web-1"},{"Name":"db-1"}]' | tamis filter 'Name matches "^web-"'
  tamis repl jobs.ndjson

Exit status: 0 when something matched, 1 when nothing did, 2 when something went wrong.
`;
}
