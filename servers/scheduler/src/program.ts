import { commandHelp, groupHelp, overview } from './commands/command-help.js';
import { commandTable } from './commands/command-table.js';
import { findCommand, type Asked } from './commands/find-command.js';

// What is loaded here is what every command waits for: the rest is loaded by the one that needs it.

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '__complete') {
    const { runCompletion } = await import('./process/run-completion.js');
    return runCompletion(args.slice(1));
  }
  const asked = askedFor(args);
  if (asked.kind === 'help') return showHelp(asked.path);
  const { command } = asked;
  if (command.kind === 'local') {
    const { runLocal } = await import('./process/run-local.js');
    return runLocal(command.path, asked.args, () => overview(commandTable));
  }
  const { runInProcess } = await import('./process/run-in-process.js');
  process.exitCode = await runInProcess(command, asked.args);
}

/** `help job run` asks for what `job run --help` does. Topics that are no commands are told by `help` itself. */
function askedFor(args: readonly string[]): Asked {
  const isVersion = ['--version', '-version', '-v'].includes(args[0] ?? '');
  const asked = findCommand(commandTable, isVersion ? ['version'] : args);
  if (asked.kind === 'help' || asked.command.path !== 'help' || asked.args.length === 0) return asked;
  const path = asked.args.join(' ');
  const isKnown = commandTable.some((one) => one.path === path || one.path.startsWith(`${path} `));
  return isKnown ? { kind: 'help', path } : asked;
}

async function showHelp(path: string): Promise<void> {
  process.stdout.write(await helpOn(path));
}

async function helpOn(path: string): Promise<string> {
  if (path === '') return overview(commandTable);
  const command = commandTable.find((one) => one.path === path);
  if (command?.kind === 'client') return commandHelp(command);
  if (command === undefined) return groupHelp(commandTable, path);
  const { helpText } = await import('./commands/help.js');
  return helpText(path) ?? overview(commandTable);
}

main(process.argv.slice(2)).catch(async (error: unknown) => {
  // Whoever read the output has seen enough.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
  const { exitCodeOf, explain } = await import('./process/explain-error.js');
  const message = explain(error);
  process.stderr.write(
    message === null ? `${error instanceof Error ? error.stack : String(error)}\n` : `${message}\n`,
  );
  process.exitCode = exitCodeOf(error);
});
