const PROGRAM = 'pve-reconciler';

/** What a script asks the program for: the names of machines. */
export const MACHINES = 'machines';

/** A verb, as a shell completes it. */
export interface Word {
  name: string;
  says: string;
  /** What may follow it directly. */
  first: readonly string[];
  /** How many names of machines may follow then. */
  machines: number;
  flags: { long: string; short: string | undefined; takesValue: boolean; says: string }[];
}

// the desired state stands anywhere on the line; bash takes "--spec=x" apart at its "="
const BASH_MACHINES = `_pve_reconciler_machines() {
  local -a given=()
  local at value i
  for ((i = 1; i < \${#COMP_WORDS[@]}; i++)); do
    case "\${COMP_WORDS[i]}" in
      --spec=* | --manifests=* | --secrets=*) given+=("\${COMP_WORDS[i]}") ;;
      --spec | --manifests | --secrets)
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

// how many words before the one that is being written are neither flags nor values of flags; $1: the flags with values
const BASH_NAMED = `_pve_reconciler_named() {
  local i named=0
  for ((i = 2; i < COMP_CWORD; i++)); do
    case " $1 " in
      *" \${COMP_WORDS[i]} "*)
        if [ "\${COMP_WORDS[i + 1]}" = '=' ]; then i=$((i + 1)); fi
        i=$((i + 1))
        ;;
      *) case "\${COMP_WORDS[i]}" in -*) ;; *) named=$((named + 1)) ;; esac ;;
    esac
  done
  echo "$named"
}
`;

/** For bash: `source <(pve-reconciler completion bash)`. Values and other words are completed as files. */
export function bashScript(words: readonly Word[]): string {
  const cases = words.map(word => {
    const { name, flags, first, machines } = word;
    const known = `flags='${flags.map(({ long }) => long).join(' ')}'; values='${withValues(word).join(' ')}'`;
    return `    ${name}) ${known}; first='${first.join(' ')}'; machines=${machines === Infinity ? 'any' : machines} ;;`;
  });
  return `${BASH_MACHINES}${BASH_NAMED}_pve_reconciler() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flags='--help --version' values='' first='' words='' machines=0 named
  local before="\${COMP_WORDS[COMP_CWORD - 1]}"
  if [ "$before" = '=' ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case " $values " in *" $before "*) return ;; esac
  named="$(_pve_reconciler_named "$values")"
  if [ -n "$first" ]; then named=$((named - 1)); fi
  case "$cur" in -*) words="$flags" ;; *)
    if [ "$COMP_CWORD" -eq 1 ]; then words='${words.map(({ name }) => name).join(' ')}'
    elif [ "$named" -lt 0 ]; then words="$first"
    elif [ "$machines" = any ] || [ "$named" -lt "$machines" ]; then words="$(_pve_reconciler_machines)"
    fi
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _pve_reconciler ${PROGRAM}
`;
}

function withValues({ flags }: Word): string[] {
  return flags.flatMap(({ long, short, takesValue }) =>
    takesValue ? [long, ...(short === undefined ? [] : [`-${short}`])] : [],
  );
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
      case --spec --manifests --secrets
        if test $next -le (count $words)
          set -a given $words[$at] $words[$next]
        end
      case '--spec=*' '--manifests=*' '--secrets=*'
        set -a given $words[$at]
    end
  end
  if test (count $given) -gt 0
    ${PROGRAM} completion ${MACHINES} $given 2>/dev/null </dev/null
  end
end
function __pve_reconciler_named
  set -l words (commandline -opc)
  set -l named 0
  set -l at 3
  while test $at -le (count $words)
    if contains -- $words[$at] $argv
      set at (math $at + 1)
    else if not string match -q -- '-*' $words[$at]
      set named (math $named + 1)
    end
    set at (math $at + 1)
  end
  echo $named
end
`;

/** For fish: `pve-reconciler completion fish | source`. */
export function fishScript(words: readonly Word[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(word => {
    const { name, says, first, flags, machines } = word;
    const after = `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}'`;
    const named = `test (__pve_reconciler_named ${withValues(word).join(' ')})`;
    const from = first.length > 0 ? 1 : 0;
    const room = machines === Infinity ? '' : `; and ${named} -lt ${from + machines}`;
    return [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${quoted(says)}`,
      ...(first.length === 0 ? [] : [`${after} -n '${named} -eq 0' -a '${first.join(' ')}'`]),
      ...(machines > 0 ? [`${after} -n '${named} -ge ${from}${room}' -a '(__pve_reconciler_machines)'`] : []),
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
