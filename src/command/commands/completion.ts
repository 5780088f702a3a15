import { completionScript, shells } from '../../entries/internal.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { UsageError, type ExitCode, type Io } from '../io.js';

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Prints what a shell needs to complete command lines of tamis.',
  usage: 'tamis completion bash|zsh|fish',
  options: {},
  words: shells,
  notes: `
Examples:
  source <(tamis completion bash)       in ~/.bashrc
  source <(tamis completion zsh)        in ~/.zshrc, after compinit
  tamis completion fish | source        in ~/.config/fish/config.fish`,
  run: runCompletion,
};

async function runCompletion({ positionals }: Arguments, io: Io): Promise<ExitCode> {
  const shell = shells.find((name) => name === positionals[0]);
  if (shell === undefined || positionals.length > 1)
    throw new UsageError(
      positionals.length === 1
        ? `unsupported shell ${JSON.stringify(positionals[0])}; use bash, zsh or fish`
        : 'name one shell: bash, zsh or fish',
    );
  await io.stdout.write(completionScript('tamis', shell));
  return 0;
}

/** The completable parts of a command. */
interface CompletedCommand {
  readonly name: string;
  readonly options: OptionTable;
  /** The possible arguments; files by default. */
  readonly words?: readonly string[];
}

/**
 * Returns the completions of the last word for a shell: `files`, or `words` and the candidates, one per line.
 *
 * @param line the arguments after the program's name, the current one last
 */
export function completeWord(
  line: readonly string[],
  commands: readonly CompletedCommand[],
  common: OptionTable,
): string {
  const word = line[line.length - 1] ?? '';
  const choices = choicesFor(line, word, commands, common);
  if (choices === null) return 'files\n';
  return ['words', ...choices.filter((choice) => choice.startsWith(word)), ''].join('\n');
}

/** Returns the possible arguments; null for files. */
function choicesFor(
  line: readonly string[],
  word: string,
  commands: readonly CompletedCommand[],
  common: OptionTable,
): readonly string[] | null {
  if (line.length <= 1) return [...commands.map(({ name }) => name), 'help', ...flagsOf(common)];
  const [name = '', ...rest] = line;
  if (name === 'help') return line.length === 2 ? commands.map((each) => each.name) : [];
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return [];
  const before = rest.slice(0, -1);
  if (before.includes('--')) return null;
  const options = { ...command.options, ...common };
  const assigned = /^--[^=]+(?==)/.exec(word)?.[0];
  if (assigned !== undefined)
    return choicesOf(options[assigned.slice(2)])?.map((choice) => `${assigned}=${choice}`) ?? null;
  const [option] = Object.entries(options).find(([each, { short, value }]) => {
    const last = before[before.length - 1];
    return value !== undefined && last !== undefined && (last === `--${each}` || last === `-${short}`);
  }) ?? [''];
  const spec = options[option];
  if (spec !== undefined) return choicesOf(spec);
  return word.startsWith('-') ? flagsOf(options) : (command.words ?? null);
}

/** Returns the values that an option takes; null for files. */
function choicesOf(spec: OptionTable[string] | undefined): readonly string[] | null {
  return spec?.choices ?? (spec?.value === 'FILE' ? null : []);
}

function flagsOf(options: OptionTable): string[] {
  return Object.keys(options).map((name) => `--${name}`);
}
