import { shellWord } from '../../report/shell-word';
import { namesDesiredBy, type Verb } from '../verb';

type Hint = (verb: Verb) => string | undefined;

const formOf =
  (form: string): Hint =>
  verb =>
    takes(verb, 'format') ? `Write --format ${form}.` : FORM(verb);

const FILES: Hint = verb =>
  takes(verb, 'manifests')
    ? "--manifests PLACE names manifests of Kubernetes' shape, --spec FILE a desired state."
    : undefined;
const AGREED: Hint = verb =>
  takes(verb, 'yes') ? '--yes answers the question.' : `${verb.name} asks no question: leave it out.`;
const NO_WRITE: Hint = () => 'plan tells what would be done, and changes nothing.';
const WHOLE: Hint = verb =>
  `${verb.name} ${verb.machines === undefined ? 'takes all machines of the desired state' : 'takes machines by their names, without a flag'}.`;
const OWNERS: Hint = () =>
  'Whose machines they are stands in the desired state, as its owner; so does the cluster.';
const VALUES: Hint = () =>
  'Values stand in the desired state: make the file before, or pipe it in by --spec -.';
const LOUDER: Hint = () => 'LOG_LEVEL=debug in the environment tells more.';
const FORM: Hint = verb =>
  takes(verb, 'output') || takes(verb, 'listing')
    ? '-o FORM chooses how it is printed.'
    : takes(verb, 'json')
      ? '--json prints it as JSON.'
      : undefined;

/** Flags of other programs, and what is said of them. */
const FLAG_HINTS: Readonly<Record<string, Hint>> = {
  '-f': FILES,
  '--filename': FILES,
  '--file': FILES,
  '-k': FILES,
  '--auto-approve': AGREED,
  '--approve': AGREED,
  '--assume-yes': AGREED,
  '--dry-run': NO_WRITE,
  '--plan': NO_WRITE,
  '--target': WHOLE,
  '-n': OWNERS,
  '--namespace': OWNERS,
  '--context': OWNERS,
  '--var': VALUES,
  '--var-file': VALUES,
  '-v': LOUDER,
  '--verbose': LOUDER,
  '--debug': LOUDER,
  '-o': FORM,
  '--output': FORM,
  '--format': FORM,
  '--out': () => 'No plan is kept: reconcile plans anew from what Proxmox says then.',
  '--markdown': formOf('markdown'),
  '--md': formOf('markdown'),
  '--html': formOf('html'),
  '--text': formOf('text'),
  '--refresh-only': () => 'status tells what Proxmox has, and changes nothing.',
  '--detailed-exitcode': verb =>
    takes(verb, 'check') ? '--check exits 4 when something would change.' : undefined,
};

/** What is said beside an error in the words of a verb; undefined where the error names the word that was meant. */
export function hintFor(error: string, verb: Verb, typed: readonly string[]): string | undefined {
  const help = `pve-reconciler ${verb.name} --help tells what it takes.`;
  return knownHint(error, verb, typed) ?? (error.includes('Did you mean') ? undefined : help);
}

function knownHint(error: string, verb: Verb, typed: readonly string[]): string | undefined {
  const [, flag] = /unknown option '([^'=]*)/.exec(error) ?? [];
  if (flag !== undefined) return hintOfFlag(flag, verb);
  if (!error.includes('too many arguments') || verb.machines !== undefined || !namesDesiredBy(verb))
    return undefined;
  const line = filesNamed(verb, typed);
  if (line !== undefined)
    return `--spec names a desired state, --manifests those of Kubernetes' shape. Write, beside your other flags: ${line}`;

  return `${verb.name} takes no words: --spec FILE or --manifests PLACE tells what is wanted, and all of its machines are meant.`;
}

/** The line with each file behind a flag, where nothing but files was typed in the place of words. */
function filesNamed({ name }: Verb, typed: readonly string[]): string | undefined {
  const firstFlag = typed.findIndex(word => word.startsWith('--'));
  const words = firstFlag < 0 ? typed : typed.slice(0, firstFlag);
  if (!words.every(word => /\.(?:ya?ml|json)$/i.test(word))) return undefined;
  const inputs = [...typed.slice(words.length), ...words.flatMap(word => ['--spec', word])];
  return ['pve-reconciler', name, ...inputs.map(shellWord)].join(' ');
}

/** Terraform's flags begin with one "-". */
function hintOfFlag(flag: string, verb: Verb): string | undefined {
  const [long, short] = [`--${flag.replace(/^-+/, '')}`, flag];
  const hint = [short, long].find(name => Object.hasOwn(FLAG_HINTS, name));
  return hint === undefined ? undefined : FLAG_HINTS[hint]?.(verb);
}

function takes({ flags }: Verb, flag: Verb['flags'][number]): boolean {
  return flags.includes(flag);
}
