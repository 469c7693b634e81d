// What a shell reads to complete `stepwell`: it asks the program itself, with the words as they stand, and evaluates
// none of them. Of our own, since the scripts of @bomb.sh/tab hand what was typed to `eval` in bash, where pressing the
// key runs a `$(…)` that somebody is about to send elsewhere, and complete no files.
//
// The program is told words without their quotes, and what it answers is quoted again, each shell in its own way.

/** bash breaks words at `:`, `=` and `@` as well: they are put together again by where they stand in the line, and of an
 *  answer only what follows the last break goes back. */
const bash = `# bash completion of stepwell
_stepwell() {
  local line word rest=\${COMP_LINE:0:COMP_POINT} directive=plain quote='' current prefix='' index
  local -a words=() found=() files=()
  for (( index = 0; index <= COMP_CWORD; index++ )); do
    word=\${COMP_WORDS[index]}
    if [[ $index == 0 || $rest == [[:blank:]]* ]]; then
      rest=\${rest#"\${rest%%[![:blank:]]*}"}
      words+=("")
    fi
    (( index == COMP_CWORD )) && word=$rest
    words[\${#words[@]}-1]+=$word
    rest=\${rest#"$word"}
  done
  for index in "\${!words[@]}"; do
    word=\${words[index]} quote=''
    case $word in
      \\'*) quote=\\' word=\${word:1} word=\${word%\\'} ;;
      \\"*) quote=\\" word=\${word:1} word=\${word%\\"} word=\${word//\\\\/} ;;
      *) word=\${word//\\\\/} ;;
    esac
    words[index]=$word
  done
  current=$word
  [[ $quote == '' ]] && prefix=\${current%"\${current##*[:=@]}"}
  while IFS= read -r line; do
    case $line in
      *$'\\t'*) found+=("\${line%%$'\\t'*}") ;;
      :*) directive=\${line#:} ;;
    esac
  done < <(stepwell complete -- "\${words[@]:1}" 2>/dev/null)
  if [[ $directive == files ]]; then
    [[ $current == --*=* ]] && current=\${current#*=} prefix=\${current%"\${current##*[:=@]}"}
    while IFS= read -r line; do files+=("$line"); done < <(compgen -f -- "$current")
  fi
  COMPREPLY=()
  if (( \${#found[@]} == 0 )); then
    compopt -o filenames 2>/dev/null
    for line in "\${files[@]}"; do COMPREPLY+=("\${line#"$prefix"}"); done
    return
  fi
  [[ $directive == ordered ]] && compopt -o nosort 2>/dev/null
  for line in "\${found[@]}" "\${files[@]}"; do
    line=\${line#"$prefix"}
    case $quote in
      \\') line=\${line//\\'/\\'\\\\\\'\\'} ;;
      \\") line=\${line//\\\\/\\\\\\\\} line=\${line//\\"/\\\\\\"} line=\${line//\\$/\\\\\\$} line=\${line//\\\`/\\\\\\\`} ;;
      *) printf -v line %q "$line" ;;
    esac
    COMPREPLY+=("$line")
  done
}
complete -F _stepwell stepwell`;

const zsh = `#compdef stepwell
_stepwell() {
  local line value directive=plain
  local -a described
  for line in "\${(@f)$(stepwell complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      *$'\\t'*)
        value=\${line%%$'\\t'*}
        described+=("\${\${value//\\\\/\\\\\\\\}//:/\\\\:}:\${line#*$'\\t'}")
        ;;
      :*) directive=\${line#:} ;;
    esac
  done
  if (( $#described )); then
    if [[ $directive == ordered ]]; then _describe -V stepwell described; else _describe stepwell described; fi
  fi
  if [[ $directive == files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '--*='
    _files
  fi
}
if [[ $funcstack[1] == _stepwell ]]; then _stepwell "$@"; else compdef _stepwell stepwell; fi`;

const fish = `# fish completion of stepwell
function __stepwell_complete
  set -l before (commandline -opc)
  set -l typed (commandline -ct)
  set -l current (string unescape -- "$typed"; or string replace -a '\\\\' '' -- "$typed")
  test (count $current) -eq 0; and set current ''
  for line in (stepwell complete -- $before[2..-1] "$current" 2>/dev/null)
    switch $line
      case '*'\\t'*'
        printf '%s\\n' $line
      case ':files'
        set -l flag (string match -r -- '^--[^=]*=' "$current")
        set -l start (string replace -r -- '^--[^=]*=' '' "$current" | string replace -r '^~/' "$HOME/")
        for path in (__fish_complete_path "$start")
          printf '%s\\n' "$flag$path"
        end
    end
  end
end
complete -c stepwell -f -k -a '(__stepwell_complete)'`;

export const completionScripts: { readonly [shell in "bash" | "zsh" | "fish"]: string } = { bash, zsh, fish };
