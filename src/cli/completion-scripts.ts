// What a shell reads to complete `stepwell`: it asks the program itself, with the words as they stand, and evaluates
// none of them. Of our own, since the scripts of @bomb.sh/tab hand what was typed to `eval` in bash, where pressing the
// key runs a `$(…)` that somebody is about to send elsewhere, and complete no files.

const bash = `# bash completion of stepwell
_stepwell() {
  local line directive=plain current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(stepwell complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $directive in
    ordered) compopt -o nosort 2>/dev/null ;;
    files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
      ;;
  esac
}
complete -F _stepwell stepwell`;

const zsh = `#compdef stepwell
_stepwell() {
  local line directive=plain
  local -a described
  for line in "\${(@f)$(stepwell complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :*) directive=\${line#:} ;;
      *) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  if (( $#described )); then
    if [[ $directive == ordered ]]; then _describe -V stepwell described; else _describe stepwell described; fi
  fi
  if [[ $directive == files ]]; then _files; fi
}
if [[ $funcstack[1] == _stepwell ]]; then _stepwell "$@"; else compdef _stepwell stepwell; fi`;

const fish = `# fish completion of stepwell
function __stepwell_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  test (count $current) -eq 0; and set current ''
  for line in (stepwell complete -- $before[2..-1] $current 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path $current
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c stepwell -f -k -a '(__stepwell_complete)'`;

export const completionScripts: { readonly [shell in "bash" | "zsh" | "fish"]: string } = { bash, zsh, fish };
