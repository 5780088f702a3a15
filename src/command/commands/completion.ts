import { completionScript, shells } from '../../entries/internal.js';
import type { Arguments } from '../arguments.js';
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
