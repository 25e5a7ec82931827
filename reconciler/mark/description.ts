import { markFromJson, markToJson, versionOf, type Mark } from './mark';
import { ourLines, withoutLines, type OurLine } from './our-lines';

/** A description taken apart. */
export interface Description {
  text: string;
  mark: Mark | undefined;
  /** There is a line of ours, and none that can be read. */
  isDamaged: boolean;
}

/**
 * Takes a description as Proxmox gives it apart: the user's text, and our line, wherever people have moved it. Of several
 * the last one that is true of the guest counts, else the last one that can be read.
 */
export function readDescription(
  description: string,
  isTrue: (mark: Mark) => boolean = () => true,
): Description {
  const lines = marksIn(description);
  if (lines.length === 0) return { text: description.replace(/\n+$/, ''), mark: undefined, isDamaged: false };
  const marks = lines.flatMap(({ json }) => (json === undefined ? [] : (markFromJson(json) ?? [])));
  const mark = marks.findLast(isTrue) ?? marks.at(-1);
  const text = withoutLines(description.replace(/\s+$/, ''), lines);
  return { text, mark, isDamaged: mark === undefined };
}

/** A description as Proxmox gives it, without any line of ours: all other text stays as it is, to the byte. */
export function withoutMarks(description: string): string {
  return withoutLines(description, marksIn(description));
}

/** Whether a line of ours stands in a description, also one that cannot be read. */
export function hasMark(description: string): boolean {
  return marksIn(description).length > 0;
}

/** Whether a line of ours is of a later version than this release knows: that is no damage, and is never written over. */
export function isOfLaterVersion(description = ''): boolean {
  // asked of each guest that is looked at: what says version 1 is not taken apart for it
  if (!/"v":(?!1[,}])/.test(description)) return false;
  const isLater = (json: string): boolean => versionOf(json) > 1;
  return ourLines(description, isLater).some(({ json = '' }) => isLater(json));
}

/** Whether more than one line of ours stands in a description: the one that counts may be deleted, and an old one count. */
export function isMarkedTwice(description = ''): boolean {
  return ourLines(description, () => false).length > 1;
}

/** The description to send: the user's text, untouched, and our line below it. */
export function writeDescription(text: string, mark: Mark): string {
  // `-->` in a value would end the comment where a viewer renders the description
  const line = `<!-- pvr:${markToJson(mark).replaceAll('-->', '--\\u003e')} -->`;
  return text === '' ? line : `${text}\n${line}`;
}

function marksIn(description: string): OurLine[] {
  return ourLines(description, json => markFromJson(json) !== undefined);
}
