import { commandHelp, groupHelp, overview } from '@tamis/scheduler-command/command-help.js';
import { commandTable } from './local/command-table.js';
import { findCommand, wordsBelow, type FoundCommand } from '@tamis/scheduler-command/find-command.js';

// Imports here delay every command, so each command loads the rest itself.

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '__complete') {
    const { runCompletion } = await import('./run-completion.js');
    return runCompletion(args.slice(1));
  }
  const requested = requestedCommand(args);
  if (requested.kind === 'help') return printHelp(requested.path);
  const { command } = requested;
  if (command.kind === 'local') {
    const { runLocal } = await import('./run-local.js');
    return runLocal(command, requested.args);
  }
  const { runInProcess } = await import('./run-in-process.js');
  process.exitCode = await runInProcess(command, requested.args);
}

/** Treats `help job run` like `job run --help`. */
function requestedCommand(args: readonly string[]): FoundCommand {
  const isVersion = ['--version', '-version', '-v'].includes(args[0] ?? '');
  const requested = findCommand(commandTable, isVersion ? ['version'] : args);
  if (requested.kind === 'help' || requested.command.path !== 'help') return requested;
  return { kind: 'help', path: requested.args.join(' ') };
}

async function printHelp(path: string): Promise<void> {
  process.stdout.write(await helpOn(path));
}

async function helpOn(path: string): Promise<string> {
  if (path === '') return overview(commandTable);
  const { helpText, helpTopics } = await import('./local/help.js');
  const text = await helpText(path);
  if (text !== null) return text;
  const command = commandTable.find((one) => one.path === path);
  if (command !== undefined) return commandHelp(command);
  if (commandTable.some((one) => one.path.startsWith(`${path} `))) return groupHelp(commandTable, path);
  const { UsageError } = await import('@tamis/scheduler-command/usage-error.js');
  const known = [...helpTopics, ...wordsBelow(commandTable, '')];
  throw new UsageError(`There is no help on "${path}": try one of ${known.join(', ')}`, 'help');
}

let hasFailed = false;

async function fail(error: unknown): Promise<void> {
  // The reader has closed the output.
  if (hasFailed || (error as NodeJS.ErrnoException).code === 'EPIPE') return;
  hasFailed = true;
  const { exitCodeOf, explain } = await import('./explain-error.js');
  const message = explain(error);
  process.stderr.write(
    message === null ? `${error instanceof Error ? error.stack : String(error)}\n` : `${message}\n`,
  );
  process.exitCode = exitCodeOf(error);
}

process.stdout.on('error', (error) => void fail(error));
main(process.argv.slice(2)).catch(fail);
