import { closest } from '../../../spec';
import { shellWord } from '../../report/shell-word';
import type { Verb } from '../verb';
import { KINDS, OTHER_WORDS, PROGRAMS, type Other } from './other-words';
import { writtenLine } from './written-line';

/** What is said of a first word that is no verb of ours: the verb that was meant, or the line to write in its place. */
export function unknownVerb([typed = '', ...rest]: readonly string[], verbs: readonly Verb[]): string {
  if (typed.startsWith('-')) return optionFirst(typed);
  const [next, ...behind] = rest;
  const pair = otherWord(`${typed} ${next ?? ''}`.toLowerCase());
  if (pair !== undefined) return `there is no verb '${typed}' here. ${otherLine(pair, behind, verbs)}`;
  // "vm start web", as others write it
  if ((isKind(typed) || PROGRAMS.includes(typed)) && next !== undefined && wordOf(next, verbs) !== undefined)
    return `there is no '${typed}' here: the verb comes first. ${verbLine([next, ...behind], verbs)}`;
  const other = otherWord(typed.toLowerCase());
  if (other !== undefined) return `there is no verb '${typed}' here. ${otherLine(other, rest, verbs)}`;
  const names = verbs.map(({ name }) => name);
  const near = closest(typed, [...names, ...Object.keys(OTHER_WORDS)]);
  if (near === undefined) return `unknown verb '${typed}': there are ${names.join(', ')}`;
  const meant = names.includes(near) ? undefined : otherWord(near);
  const more = meant === undefined ? '' : ` There is none here. ${otherLine(meant, rest, verbs)}`;
  return `unknown verb '${typed}': did you mean '${near}'?${more}`;
}

/** What is said of words behind a verb of ours that takes none: another program has a verb of this name. */
export function otherMeaning({ name }: Verb, words: readonly string[], verbs: readonly Verb[]): string {
  const [first = '', ...rest] = words;
  const pair = otherWord(`${name} ${first}`.toLowerCase());
  const meant = pair ?? otherWord(name);
  const line = meant && otherLine(meant, pair === undefined ? words : rest, verbs);
  return `${name} takes no words here.${line === undefined ? '' : ` ${line}`}`;
}

/** The options that stand alone, without a verb. */
const ALONE = ['--help', '--version'];

function optionFirst(typed: string): string {
  const near = closest(typed, ALONE);
  if (near !== undefined) return `unknown option '${typed}': did you mean '${near}'?`;
  return `unknown option '${typed}' before the verb: the verb comes first, as in pve-reconciler plan --spec FILE.`;
}

/** What is said of a verb that Terraform calls, where a person wrote it. */
export function calledByTerraform(verb: Verb, typed: readonly string[], verbs: readonly Verb[]): string {
  const line = writtenLine(verb.instead ?? '', typed, verbs);
  return `Terraform calls ${verb.name}. By hand write: ${line}`;
}

/** What is said of a subcommand that has another name here. */
export function otherSubcommand(
  { name }: Verb,
  [typed, ours]: readonly [typed: string, ours: string],
  rest: readonly string[],
  verbs: readonly Verb[],
): string {
  const line = writtenLine(`${name} ${ours} ${behind(name, ours)}`, rest, verbs);
  return `there is no '${name} ${typed}': ${ours} does that. Write: ${line}`;
}

/** What is said where the name of a machine stands in the place of a subcommand, which may stand behind it. */
export function withoutSubcommand(
  { name, first = {}, meant = {} }: Verb,
  typed: readonly string[],
  verbs: readonly Verb[],
): string {
  const all = Object.keys(first);
  const flags = typed.findIndex(word => word.startsWith('-'));
  const words = flags < 0 ? typed : typed.slice(0, flags);
  const behindIt = words.find(word => all.includes(word) || Object.hasOwn(meant, word));
  const others = typed.filter((word, at) => word !== behindIt || at >= words.length);
  // of a snapshot that is named by no more than its words, only taking it does no harm
  const usual = name === 'snapshot' && words.length > 1 ? 'create' : (all[0] ?? '');
  const ours = behindIt === undefined ? usual : (meant[behindIt] ?? behindIt);
  const line = writtenLine(`${name} ${ours} ${behind(name, ours)}`, others, verbs);
  if (behindIt !== undefined)
    return `the subcommand of ${name} comes first: '${behindIt}' stands behind '${typed[0] ?? ''}'. Write: ${line}`;
  return `${name} needs a subcommand before '${typed[0] ?? ''}'; allowed: ${all.join(', ')}. Such as: ${line}`;
}

/** What stands behind a subcommand: a snapshot has a name, but where all of them are listed. */
function behind(name: string, subcommand: string): string {
  if (name !== 'snapshot') return 'MACHINE…';
  return subcommand === 'list' ? 'MACHINE' : 'MACHINE NAME';
}

function isKind(word: string): boolean {
  return KINDS.includes(word.toLowerCase());
}

function otherWord(word: string): Other | undefined {
  const plain = word.replaceAll('_', '-');
  if (Object.hasOwn(OTHER_WORDS, plain)) return OTHER_WORDS[plain];
  return isKind(word) ? OTHER_WORDS['list'] : undefined;
}

function wordOf(word: string, verbs: readonly Verb[]): Verb | Other | undefined {
  return verbs.find(({ name }) => name === word) ?? otherWord(word);
}

function verbLine([word = '', ...rest]: readonly string[], verbs: readonly Verb[]): string {
  const verb = verbs.find(({ name, others }) => name === word && !(others && rest.length > 0));
  const other = verb === undefined ? otherWord(word) : undefined;
  if (other !== undefined) return otherLine(other, rest, verbs);
  if (verb?.machines !== undefined && verb.first === undefined)
    return `Write: ${writtenLine(`${word} ${verb.machines === 1 ? '[MACHINE]' : 'MACHINE…'}`, rest, verbs)}`;
  if (verb?.instead !== undefined) return calledByTerraform(verb, rest, verbs);
  return `Write: pve-reconciler ${[word, ...rest].map(shellWord).join(' ')}`;
}

function otherLine({ says, write }: Other, rest: readonly string[], verbs: readonly Verb[]): string {
  return write === undefined ? `${says}.` : `${says}. Write: ${writtenLine(write, rest, verbs)}`;
}
