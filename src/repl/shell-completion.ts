import type { OptionTable } from './arguments.js';

/** The shells that completion is written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

// Each asks the program itself, which answers with `words` and one word a line, or with `files`.

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of tamis: source <(tamis completion bash)
_tamis() {
  local line kind= cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(tamis __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
  if [ "$kind" = files ]; then
    compopt -o filenames 2> /dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _tamis tamis
`,
  zsh: `#compdef tamis
# zsh completion of tamis: source <(tamis completion zsh), or a file _tamis on the fpath
_tamis() {
  local -a answer
  answer=("\${(@f)$(tamis __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $answer[1] == files ]]; then
    _files
  else
    compadd -- "\${(@)answer[2,-1]}"
  fi
}
if [[ $funcstack[1] == _tamis ]]; then _tamis "$@"; else compdef _tamis tamis; fi
`,
  fish: `# fish completion of tamis: tamis completion fish | source
function __tamis_complete
  set -l answer (tamis __complete (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $answer[2..]
  end
end
complete -c tamis -f -a '(__tamis_complete)'
`,
};

/** The text that a shell reads to complete command lines of this program. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

/** What a command has that can be completed. */
export interface CompletedCommand {
  readonly name: string;
  readonly options: OptionTable;
  /** What its arguments may be; files unless it says so. */
  readonly words?: readonly string[];
}

/**
 * What a shell is told of the last word of a command line: `files`, or `words` and those that it may become, one a line.
 *
 * @param line the words behind the program's name, the one at hand last
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

/** Null for files. */
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
  const [option] = Object.entries(options).find(([each, { short, value }]) => {
    const last = before[before.length - 1];
    return value !== undefined && last !== undefined && (last === `--${each}` || last === `-${short}`);
  }) ?? [''];
  const spec = options[option];
  if (spec !== undefined) return spec.choices ?? (spec.value === 'FILE' ? null : []);
  return word.startsWith('-') ? flagsOf(options) : (command.words ?? null);
}

function flagsOf(options: OptionTable): string[] {
  return Object.keys(options).map((name) => `--${name}`);
}
