import { shellWord } from '../../report/shell-word';
import { namesDesiredBy, type Verb } from '../verb';
import { KINDS } from './other-words';

/** Flags that name manifests elsewhere. */
const FILE_FLAGS = ['-f', '--filename', '--file', '-k', '--kustomize'];
/** Flags of others that take a word, which is no machine. */
const TAKES_WORD = ['-n', '--namespace', '-c', '--context', '-o', '--output', '-l', '--selector'];

/**
 * The line of ours for what somebody typed: its machines and files stand in the places of `pattern`. The number of a
 * guest names no machine of a desired state.
 */
export function writtenLine(pattern: string, typed: readonly string[], verbs: readonly Verb[]): string {
  const { words, inputs } = sorted(typed);
  const [name = ''] = pattern.split(' ');
  const filled = pattern.split(' ').flatMap(part => placed(part, words));
  const verb = verbs.find(each => each.name === name);
  const needsInput =
    verb !== undefined && namesDesiredBy(verb) && name !== 'doctor' && name !== 'permissions';
  const given = inputs.length > 0 || !needsInput ? inputs : ['--spec', 'FILE'];
  const isTaken = verb?.flags.includes('spec') === true;
  return ['pve-reconciler', ...[...filled, ...(isTaken ? given : [])].map(shellWord)].join(' ');
}

function placed(part: string, words: string[]): string[] {
  if (part === '[MACHINE]') return words.splice(0, 1);
  if (part === 'MACHINE' || part === 'NAME') return [words.shift() ?? part];
  if (part === 'MACHINE…') return words.length === 0 ? ['MACHINE'] : words.splice(0);
  return [part];
}

const OURS = ['--spec', '--manifests', '--owner', '--secrets'];

/** The machines of a line, and its flags that say what is wanted. */
function sorted(typed: readonly string[]): { words: string[]; inputs: string[] } {
  const words: string[] = [];
  const inputs: string[] = [];
  const left = [...typed];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, flag = word, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    const isFile = FILE_FLAGS.includes(flag);
    if (isFile || OURS.includes(flag))
      inputs.push(isFile ? '--manifests' : flag, value ?? left.shift() ?? 'FILE');
    else if (TAKES_WORD.includes(flag)) left.splice(0, value === undefined ? 1 : 0);
    else if (!word.startsWith('-')) words.push(...machineIn(word));
  }
  return { words, inputs };
}

function machineIn(word: string): string[] {
  const [kind = '', name] = word.split('/', 2);
  const isKind = KINDS.includes(kind.toLowerCase());
  if (isKind) return name === undefined || name === '' ? [] : [name];
  return /^\d+$/.test(word) ? [] : [word];
}
