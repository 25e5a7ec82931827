const PROGRAM = 'pve-reconciler';

/** A verb, as a shell completes it. */
export interface Word {
  name: string;
  says: string;
  /** What may follow it directly. */
  first: readonly string[];
  flags: { long: string; short: string | undefined; takesValue: boolean; says: string }[];
}

/** For bash: `source <(pve-reconciler completion bash)`. Values and other words are completed as files. */
export function bashScript(words: readonly Word[]): string {
  const cases = words.map(
    ({ name, flags, first }) =>
      `    ${name}) flags='${flags.map(({ long }) => long).join(' ')}'; first='${first.join(' ')}' ;;`,
  );
  return `_pve_reconciler() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flags='--help --version' first='' words=''
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${words.map(({ name }) => name).join(' ')}'
  elif [ "$COMP_CWORD" -eq 2 ]; then words="$first"
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

/** For fish: `pve-reconciler completion fish | source`. */
export function fishScript(words: readonly Word[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(({ name, says, first, flags }) => {
    const after = `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${quoted(says)}`,
      ...(first.length === 0 ? [] : [`${after} -a '${first.join(' ')}'`]),
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
  return `${lines.join('\n')}\n`;
}
