import { isPostgres } from '../postgres/address';
import { fileText, utf8Text } from './file-text';
import type { Surroundings } from './surroundings';

type TextSources = Pick<Surroundings, 'readInput' | 'texts'>;

/** The text at a place that is no folder: stdin, a desired state in PostgreSQL, a file. */
export async function placeText(place: string, { readInput, texts }: TextSources): Promise<string> {
  const read = texts?.get(place);
  if (read !== undefined) return read;
  if (place === '-') return readInput();
  if (!isPostgres(place)) return fileText(place);
  // who reads files pays nothing for it
  const { readNewest } = await import('../postgres/store.js');
  return utf8Text((await readNewest(place)).document, placeTitle(place));
}

/** How a place is named to people: an address without what belongs to the connection alone. */
export function placeTitle(place: string): string {
  return isPostgres(place) ? place.replace(/\?[^#]*/, '') : place;
}

/** Whether the place has a name that says of which kind its text is. */
export function saysKind(place: string, { texts }: TextSources): boolean {
  return !isPostgres(place) && texts?.has(place) !== true;
}
