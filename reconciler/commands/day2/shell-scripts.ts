const PROGRAM = 'pve-reconciler';

/** What a script asks the program for: the names of machines. */
export const MACHINES = 'machines';

/** A verb, as a shell completes it. */
export interface Word {
  name: string;
  says: string;
  /** What may follow it directly. */
  first: readonly string[];
  /** Whether names of machines follow. */
  takesMachines: boolean;
  flags: { long: string; short: string | undefined; takesValue: boolean; says: string }[];
}

// the desired state stands anywhere on the line; bash takes "--spec=x" apart at its "="
const BASH_MACHINES = `_pve_reconciler_machines() {
  local -a given=()
  local at value i
  for ((i = 1; i < \${#COMP_WORDS[@]}; i++)); do
    case "\${COMP_WORDS[i]}" in
      --spec | --manifests)
        at=$((i + 1))
        if [ "\${COMP_WORDS[at]}" = '=' ]; then at=$((at + 1)); fi
        value="\${COMP_WORDS[at]}"
        case "$value" in '~/'*) value="$HOME/\${value#??}" ;; esac
        if [ "$at" -ne "$COMP_CWORD" ]; then given+=("\${COMP_WORDS[i]}" "$value"); fi
        ;;
    esac
  done
  if [ "\${#given[@]}" -gt 0 ]; then ${PROGRAM} completion ${MACHINES} "\${given[@]}" 2>/dev/null </dev/null; fi
}
`;

/** For bash: `source <(pve-reconciler completion bash)`. Values and other words are completed as files. */
export function bashScript(words: readonly Word[]): string {
  const cases = words.map(({ name, flags, first, takesMachines }) => {
    const values = flags.filter(({ takesValue }) => takesValue).map(({ long }) => long);
    const from = takesMachines ? (first.length > 0 ? 3 : 2) : 0;
    return `    ${name}) flags='${flags.map(({ long }) => long).join(' ')}'; values=' ${values.join(' ')} '; first='${first.join(' ')}'; machines=${from} ;;`;
  });
  return `${BASH_MACHINES}_pve_reconciler() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flags='--help --version' values='' first='' words='' machines=0
  local before="\${COMP_WORDS[COMP_CWORD - 1]}"
  if [ "$before" = '=' ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$values" in *" $before "*) return ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${words.map(({ name }) => name).join(' ')}'
  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$first" ]; then words="$first"
  elif [ "$machines" -gt 0 ] && [ "$COMP_CWORD" -ge "$machines" ]; then
    case "$cur" in -*) ;; *) words="$(_pve_reconciler_machines)" ;; esac
  fi
  case "$cur" in -*) words="$flags" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _pve_reconciler ${PROGRAM}
`;
}

/** For zsh: `source <(pve-reconciler completion zsh)`. */
export function zshScript(words: readonly Word[]): string {
  const begin = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';
  return begin + bashScript(words);
}

const FISH_MACHINES = `function __pve_reconciler_machines
  set -l words (commandline -opc)
  set -l given
  for at in (seq (count $words))
    set -l next (math $at + 1)
    switch $words[$at]
      case --spec --manifests
        if test $next -le (count $words)
          set -a given $words[$at] $words[$next]
        end
      case '--spec=*' '--manifests=*'
        set -a given $words[$at]
    end
  end
  if test (count $given) -gt 0
    ${PROGRAM} completion ${MACHINES} $given 2>/dev/null </dev/null
  end
end
`;

/** For fish: `pve-reconciler completion fish | source`. */
export function fishScript(words: readonly Word[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(({ name, says, first, flags, takesMachines }) => {
    const after = `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${quoted(says)}`,
      ...(first.length === 0 ? [] : [`${after} -a '${first.join(' ')}'`]),
      ...(takesMachines ? [`${after} -a '(__pve_reconciler_machines)'`] : []),
      ...flags.map(({ long, short, takesValue, says: about }) =>
        [
          after,
          `-l ${long.slice(2)}`,
          ...(short === undefined ? [] : [`-s ${short}`]),
          ...(takesValue ? ['-r'] : []),
          `-d ${quoted(about)}`,
        ].join(' '),
      ),
    ];
  });
  return `${FISH_MACHINES}${lines.join('\n')}\n`;
}
