/**
 * What steers a terminal or a reader and is not seen: controls, the signs that turn the direction of writing, the
 * line ends of Unicode, halves of a character.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text as it may leave this program, whoever wrote it: what is not seen stands as `\u001b`, which JSON and YAML read
 * as it was. Line ends stay.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, sign => (sign === '\n' ? sign : escaped(sign)));
}

/** The same in one line, for text of others inside of a line of ours: none of it may look like a line of ours. */
export function oneLine(text: string): string {
  return visible(text.trimEnd().replace(/\s*\n\s*/g, ' | '));
}

/** The same for each text in a value: for whoever reads it from JSON and shows it himself. */
export function visibleTexts(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [visible(key), visibleTexts(inner)]));
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
