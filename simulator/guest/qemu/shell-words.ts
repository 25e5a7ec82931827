/** The words of a line as a shell reads them: blanks part them, quotes and backslashes keep what they hold. An open quote gives none. */
export function splitShellWords(line: string): string[] {
  const WORD = /\s*((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+)/gy;
  const words: string[] = [];
  let end = 0;
  for (const match of line.matchAll(WORD)) {
    words.push(plain(match[1] ?? ''));
    end = match.index + match[0].length;
  }
  return line.slice(end).trim() === '' ? words : [];
}

function plain(word: string): string {
  return word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/g, '$1'),
  );
}
