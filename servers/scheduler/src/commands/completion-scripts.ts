/** The shells that completion is written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

// Each asks the program itself, which answers with a line that says what follows, and the words, one a line.

const bash = `# bash completion of scheduler: source <(scheduler completion bash)
_scheduler() {
  local cur words line kind=
  if declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref -n ':=' cur words
  else
    cur=\${COMP_WORDS[COMP_CWORD]}
    words=("\${COMP_WORDS[@]:0:COMP_CWORD+1}")
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; continue; fi
    case $cur in
      \\'*|\\"*) COMPREPLY+=("$line") ;;
      *) COMPREPLY+=("$(printf %q "$line")") ;;
    esac
  done < <(scheduler __complete "\${words[@]:1}" 2> /dev/null)
  if [ "$kind" = files ]; then
    compopt -o filenames 2> /dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
  if declare -F __ltrim_colon_completions > /dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -F _scheduler scheduler
`;

const zsh = `#compdef scheduler
# zsh completion of scheduler: source <(scheduler completion zsh), or a file _scheduler on the fpath
_scheduler() {
  local -a answer
  answer=("\${(@f)$(scheduler __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $answer[1] == files ]]; then
    _files
  else
    compadd -- "\${(@)answer[2,-1]}"
  fi
}
if [[ $funcstack[1] == _scheduler ]]; then _scheduler "$@"; else compdef _scheduler scheduler; fi
`;

const fish = `# fish completion of scheduler: scheduler completion fish | source
function __scheduler_complete
  set -l answer (scheduler __complete (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $answer[2..]
  end
end
complete -c scheduler -f -a '(__scheduler_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

/** The text that a shell reads to complete command lines of this program. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
