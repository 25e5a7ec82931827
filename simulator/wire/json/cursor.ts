/** What is wrong with a JSON text, and the byte where. */
export class JsonError extends Error {
  constructor(
    readonly why: string,
    readonly at: number,
  ) {
    super(why);
  }
}

/** A text and how far it has been read. */
export interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

/** Gives up where the cursor stands. */
export function refuse(cursor: Cursor, why: string): never {
  throw new JsonError(why, cursor.at);
}

/** The byte under the cursor as a character; a NUL behind the end. */
export function charAt({ bytes, at }: Cursor): string {
  return String.fromCharCode(bytes[at] ?? 0);
}

/** Goes over the character if it stands here. */
export function skip(cursor: Cursor, char: string): boolean {
  if (charAt(cursor) !== char || cursor.at >= cursor.bytes.length) return false;
  cursor.at += 1;
  return true;
}

/** Whether the character is a decimal digit. */
export function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}
