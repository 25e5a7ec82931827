import { closest } from '../../spec';
import { InputError } from '../errors';
import { PLANNED, type Review } from './review';

const WORDS = [...PLANNED, 'warning'] as const;
type Word = (typeof WORDS)[number];

/** The words of `--fail-on`. Throws for one that is not known. */
export function failOnWords(text: string | undefined): Word[] {
  const said = (text ?? '').split(',').map(word => word.trim());
  return said.filter(word => word !== '').map(known);
}

/** Which of these words the review holds, each with its count. */
export function failures({ totals, warnings }: Review, words: readonly Word[]): string[] {
  return words.flatMap(word => {
    const count = word === 'warning' ? warnings.length : (totals[word] ?? 0);
    return count === 0 ? [] : [`${word} (${count})`];
  });
}

function known(word: string): Word {
  const found = WORDS.find(allowed => allowed === word);
  if (found !== undefined) return found;
  const near = closest(word, WORDS);
  throw new InputError(
    `--fail-on ${word} is not known; allowed: ${WORDS.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}
