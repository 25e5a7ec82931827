import type { Proof } from './proof';

type Lines = (verb: string, plain: string[], ...options: string[][]) => Proof;

const over = ['--spec', '-'];

/** The options of the verbs that people use on machines that are there. `none`: a desired state without machines. */
export function day2Rows(
  lines: Lines,
  { none, manifests, secrets }: { none: string; manifests: string; secrets: string },
): Record<string, Proof> {
  const whole = ['--manifests', manifests, '--secrets', secrets];
  const inputs = (verb: string, plain: string[]): Record<string, Proof> => ({
    [`${verb} --spec`]: lines(verb, plain, over, ['--spec', none]),
    [`${verb} --manifests`]: lines(verb, plain, [], whole),
    [`${verb} --owner`]: lines(verb, [...plain, '--spec', none], [], ['--owner', 'team']),
    [`${verb} --secrets`]: lines(verb, [...plain, '--manifests', manifests], [], ['--secrets', secrets]),
  });
  return {
    'power <subcommand>': lines('power', [], ['start', 'web', ...over], ['reboot', 'web', ...over]),
    'power <machines>': lines('power', ['start', ...over], ['web'], ['web', 'wbe']),
    ...inputs('power', ['start', 'web']),
    'power --json': lines('power', ['stop', 'web', ...over], [], ['--json']),
    'power --quiet': lines('power', ['stop', 'web', ...over], [], ['--quiet']),
    'console <machine>': lines('console', over, ['web'], ['wbe']),
    ...inputs('console', ['web']),
    ...inputs('doctor', []),
    'doctor --cluster': lines('doctor', [], [], ['--cluster', '!']),
    'doctor --role': lines('doctor', over, [], ['--role', 'PVEOurs']),
    'doctor --json': lines('doctor', over, [], ['--json']),
    'doctor --source': lines('doctor', over, [], ['--source', '!']),
    'schema [document]': lines('schema', [], [], ['machine'], ['machin']),
    'completion <shell>': lines('completion', [], ['bash'], ['zsh'], ['fish'], ['bsh']),
    'completion --spec': lines('completion', ['machines'], over, ['--spec', none]),
    'completion --manifests': lines('completion', ['machines'], [], whole),
    'completion --secrets': lines(
      'completion',
      ['machines', '--manifests', manifests],
      [],
      ['--secrets', secrets],
    ),
    'status --watch': lines('status', over, [], ['--watch']),
    'destroy [machines]': lines('destroy', [...over, '--yes'], ['web'], ['wbe']),
    ...inputs('destroy', ['web', '--yes']),
    'destroy --with-kept-volumes': {
      test: 'runs/destroy/kept-volumes › by the flag, and by the word once it is applied, it goes, and is named',
    },
    'destroy --yes': lines('destroy', ['web', ...over], [], ['--yes']),
  };
}
