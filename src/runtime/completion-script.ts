/** The supported shells. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * Returns the completion script of a program for a shell.
 *
 * The script runs `PROGRAM __complete WORDS...` with the current word last. The program prints a line `words` followed by the
 * candidates, one per line, or `files`.
 *
 * @param program the program's name: letters and digits, because it becomes part of a shell function's name.
 */
export function completionScript(program: string, shell: Shell): string {
  return scripts[shell].replaceAll('PROGRAM', program);
}

const scripts: Readonly<Record<Shell, string>> = {
  // In bash, the part of --flag=value after the = is a separate word, and completions replace only it.
  bash: `# bash completion of PROGRAM: source <(PROGRAM completion bash)
_PROGRAM() {
  local cur words cword line kind= before=
  if declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref -n ':=' cur words cword
  else
    cur=\${COMP_WORDS[COMP_CWORD]} cword=$COMP_CWORD
    words=("\${COMP_WORDS[@]}")
  fi
  if [[ $cur == --*=* && $COMP_WORDBREAKS == *=* ]]; then before=\${cur%%=*}=; fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; continue; fi
    line=\${line#"$before"}
    case $cur in
      \\'*|\\"*) COMPREPLY+=("$line") ;;
      *) COMPREPLY+=("$(printf %q "$line")") ;;
    esac
  done < <(PROGRAM __complete "\${words[@]:1:cword}" 2> /dev/null)
  if [ "$kind" = files ]; then
    compopt -o filenames 2> /dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "\${cur#"$before"}"))
  fi
  if declare -F __ltrim_colon_completions > /dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -F _PROGRAM PROGRAM
`,
  zsh: `#compdef PROGRAM
# zsh completion of PROGRAM: source <(PROGRAM completion zsh), or a file _PROGRAM on the fpath
_PROGRAM() {
  local -a reply
  reply=("\${(@f)$(PROGRAM __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $reply[1] == files ]]; then
    compset -P '--*='
    _files
  else
    compadd -- "\${(@)reply[2,-1]}"
  fi
}
if [[ $funcstack[1] == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
`,
  fish: `# fish completion of PROGRAM: PROGRAM completion fish | source
function __PROGRAM_complete
  set -l reply (PROGRAM __complete (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if test "$reply[1]" = files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $reply[2..]
  end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
};
