import { createHash } from 'node:crypto';
import type { ImageSpec } from '../../spec';
import type { Mark } from './mark';

const LONGEST = 80;

/** The image in a few words, to be remembered in the mark: a full clone does not tell what it came from. */
export function imageWords(image: ImageSpec | undefined): string | undefined {
  if (image === undefined) return undefined;
  const words = sourceOf(image) + (image.snapshot === undefined ? '' : `@${image.snapshot}`);
  if (words.length <= LONGEST) return words;
  return `${words.slice(0, LONGEST - 11)}… ${createHash('sha256').update(words).digest('hex').slice(0, 9)}`;
}

function sourceOf({ template, machine, iso, url, file, checksum }: ImageSpec): string {
  if (template !== undefined)
    return `template ${typeof template === 'object' ? `tag:${template.tag}` : template}`;
  if (machine !== undefined) return `machine ${machine}`;
  if (iso !== undefined) return `iso ${iso}`;
  // what counts is the content: a file of the same is no other image
  return url === undefined && file === undefined ? 'blank' : `url ${checksum ?? url}`;
}

/** The image that these words are of, as a spec says it. Undefined: they are cut, or tell only the content. */
export function imageForm(words: string): string | undefined {
  const [, kind = '', tag, name = '', snapshot] =
    /^(template|machine|iso|blank)(?: (tag:)?([^@\u2026]+)(?:@([^\u2026]+))?)?$/.exec(words) ?? [];
  if (kind === '') return undefined;
  if (kind === 'blank') return '{"blank": true}';
  const value = /^\d+$/.test(name) ? Number(name) : name;
  const from = snapshot === undefined ? '' : `, "snapshot": ${JSON.stringify(snapshot)}`;
  const source = tag === undefined ? JSON.stringify(value) : `{"tag": ${JSON.stringify(name)}}`;
  return `{"${kind}": ${source}${from}}`;
}

/** Whether these words are those of an image that is cloned. */
export function sayCloned(words: string | undefined): boolean {
  return words !== undefined && /^(?:template|machine) /.test(words);
}

/** Whether a machine of this image begins as a clone, and so with disks and cards of its own. */
export function isCloned(image: ImageSpec | undefined): boolean {
  return image?.template !== undefined || image?.machine !== undefined;
}

/** The image whose template a machine of this id is. Undefined: its id tells no content. */
export function imageOfTemplate(id: string): string | undefined {
  return /^(.+)-[0-9a-f]{10}(?:-.+)?$/.exec(id)?.[1];
}

/** Whether an image made this template: its id tells the content, by the first digits of the checksum. */
export function isOfImage(mark: Mark | undefined): boolean {
  const digits = /^url \w+:([\da-f]{10})/i.exec(mark?.image ?? '')?.[1]?.toLowerCase();
  return (
    mark?.becomesTemplate === true &&
    digits !== undefined &&
    new RegExp(`-${digits}(?:-|$)`).test(mark.machine)
  );
}
