import { FORMS, LIST_FORMS } from '../../report/forms';
import { shellWord } from '../../report/shell-word';
import { namesDesiredBy, type Verb } from '../verb';
import { KINDS } from './other-words';

/** Flags that name manifests elsewhere. */
const FILE_FLAGS = ['-f', '--filename', '--file', '-k', '--kustomize'];
/** Flags of others that take a word, which is no machine. */
const TAKES_WORD = ['-n', '--namespace', '-c', '--context', '-l', '--selector'];
const FORM_FLAGS = ['-o', '--output'];

/**
 * The line of ours for what somebody typed: its machines and files stand in the places of `pattern`. The number of a
 * guest names no machine of a desired state.
 */
export function writtenLine(pattern: string, typed: readonly string[], verbs: readonly Verb[]): string {
  // "logs -f" follows, and names no file
  const { words, inputs, form } = sorted(
    pattern.startsWith('console') ? typed.filter(word => word !== '-f') : typed,
  );
  const [name = ''] = pattern.split(' ');
  const filled = pattern.split(' ').flatMap(part => placed(part, words));
  const verb = verbs.find(each => each.name === name);
  const needsInput =
    verb !== undefined && namesDesiredBy(verb) && name !== 'doctor' && name !== 'permissions';
  const given = inputs.length > 0 || !needsInput ? inputs : ['--spec', 'FILE'];
  const isTaken = verb?.flags.includes('spec') === true;
  const printed = pattern.includes(' -o ') ? [] : formFor(verb, form);
  return ['pve-reconciler', ...[...filled, ...printed, ...(isTaken ? given : [])].map(shellWord)].join(' ');
}

/** The form that was typed, where this verb has it too. */
function formFor(verb: Verb | undefined, form: string | undefined): string[] {
  const forms: readonly string[] = verb?.flags.includes('output')
    ? FORMS
    : verb?.flags.includes('listing')
      ? LIST_FORMS
      : [];
  return form !== undefined && forms.includes(form) ? ['-o', form] : [];
}

function placed(part: string, words: string[]): string[] {
  if (part === '[MACHINE]') return words.splice(0, 1);
  if (part === 'MACHINE' || part === 'NAME') return [words.shift() ?? part];
  if (part === 'MACHINE…') return words.length === 0 ? ['MACHINE'] : words.splice(0);
  return [part];
}

const OURS = ['--spec', '--manifests', '--owner', '--secrets'];

/** The machines of a line, its flags that say what is wanted, and how it is to be printed. */
function sorted(typed: readonly string[]): { words: string[]; inputs: string[]; form: string | undefined } {
  const words: string[] = [];
  let form: string | undefined;
  const inputs: string[] = [];
  const left = [...typed];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, flag = word, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    const isFile = FILE_FLAGS.includes(flag);
    if (isFile || OURS.includes(flag))
      inputs.push(isFile ? '--manifests' : flag, value ?? left.shift() ?? 'FILE');
    else if (FORM_FLAGS.includes(flag)) form = value ?? left.shift();
    else if (TAKES_WORD.includes(flag)) left.splice(0, value === undefined ? 1 : 0);
    else if (!word.startsWith('-')) words.push(...machineIn(word));
  }
  return { words, inputs, form };
}

function machineIn(word: string): string[] {
  const [kind = '', name] = word.split('/', 2);
  const isKind = KINDS.includes(kind.toLowerCase());
  if (isKind) return name === undefined || name === '' ? [] : [name];
  return /^\d+$/.test(word) ? [] : [word];
}
