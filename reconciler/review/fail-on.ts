import { InputError } from '../errors';
import { knownWord } from '../input/known-word';
import { losesAnything, lossesOf, PLANNED, type Review, type ReviewedMachine } from './review';

/** What a gate may stop at. `loss` is all that cannot be undone, in every release: whoever names its parts misses new ones. */
export const GATE_WORDS = ['loss', ...PLANNED, 'warning', 'revert', 'lost-volume', 'lost-snapshot'] as const;
type Word = (typeof GATE_WORDS)[number];

/** The words of `--fail-on`. Throws for one that is not known, and where it is given without any: such a gate lets all pass. */
export function failOnWords(text: string | undefined): Word[] {
  if (text === undefined) return [];
  const said = text.split(',').map(word => word.trim());
  const words = said.filter(word => word !== '').map(word => knownWord('--fail-on', word, GATE_WORDS));
  if (words.length > 0) return words;
  throw new InputError(
    `--fail-on names nothing: name what it is to stop; allowed: ${GATE_WORDS.join(', ')}.`,
  );
}

/** Which of these words the review holds, each with its count. */
export function failures(review: Review, words: readonly Word[]): string[] {
  // nobody knows what would become of those that were not read: it may be what any of the words says
  const asked = words.length === 0 ? [] : [...new Set<Word>([...words, 'unread'])];
  return asked.flatMap(word => {
    const count = countOf(word, review);
    return count === 0 ? [] : [`${word} (${count})`];
  });
}

function losesData(machine: ReviewedMachine): boolean {
  return (lossesOf(machine)?.data ?? []).length > 0;
}

function countOf(word: Word, { totals, warnings, lost, machines }: Review): number {
  if (word === 'loss') return machines.filter(losesAnything).length;
  if (word === 'warning') return warnings.length;
  if (word === 'revert')
    return machines.filter(({ snapshots }) => snapshots.some(({ does }) => does === 'revert')).length;
  // disks that nobody could tell are lost too, and what disks hold
  if (word === 'lost-volume') return lost.volumes + lost.unknown + machines.filter(losesData).length;
  return word === 'lost-snapshot' ? lost.snapshots : (totals[word] ?? 0);
}
