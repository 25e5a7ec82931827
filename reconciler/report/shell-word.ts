/** A word as a shell reads it, whoever wrote it: nothing in it is run or taken apart. */
export function shellWord(word: string): string {
  // the signs that mean nothing to a shell; `~` and `*` are not among them
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
