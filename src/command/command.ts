import type { Arguments, OptionTable } from './arguments.js';
import type { ExitCode, Io } from './io.js';

/** A subcommand of `tamis`. */
export interface Command {
  readonly name: string;
  /** Short description, for the list of commands. */
  readonly summary: string;
  readonly usage: string;
  readonly options: OptionTable;
  /** The allowed arguments, if they are not files. */
  readonly words?: readonly string[];
  /** Text and examples shown below the options in the help. */
  readonly notes: string;
  /** @throws UsageError, FilterError, InputError or OutputClosed, which `run` turns into messages and exit codes. */
  run(args: Arguments, io: Io): Promise<ExitCode>;
}

/** The help of one command. */
export function commandHelp({ summary, usage, options, notes }: Command): string {
  return `${summary}\n\nUsage: ${usage}\n\nOptions:\n${optionLines(options)}\n\n${notes.trim()}\n`;
}

/** The option table as aligned lines. */
export function optionLines(options: OptionTable): string {
  const rows = Object.entries(options).map(([name, { short, value, help }]) => {
    const flag = `${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`;
    return [flag, help] as const;
  });
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows
    .map(([flag, help]) => `  ${flag.padEnd(width)}  ${help.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`)
    .join('\n');
}
