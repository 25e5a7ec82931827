import { closest } from '../../spec';
import { InputError } from '../errors';

/** What a word of the command line names in a table. Throws for one that is not in it, with those that are. */
export function entryNamed<T>(what: string, word: string, table: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(table, word) ? table[word] : undefined;
  if (found === undefined) throw new InputError(unknownWord(what, word, Object.keys(table)));
  return found;
}

/** A word of the command line that is one of these. Throws as `entryNamed` does. */
export function knownWord<T extends string>(what: string, word: string, words: readonly T[]): T {
  const found = words.find(each => each === word);
  if (found === undefined) throw new InputError(unknownWord(what, word, words));
  return found;
}

/** What is said of a word that is not known: those that are, and the one that was meant. */
export function unknownWord(what: string, word: string, known: readonly string[]): string {
  if (word === '')
    return `${what} needs a word after it; allowed: ${known.join(', ')}. --help shows all of it.`;
  const near = closest(word, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${what} ${word} is not known; allowed: ${known.join(', ')}.${meant}`;
}
