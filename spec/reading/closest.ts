/** The known word nearest to a mistyped one; undefined when none is near enough to be meant. */
export function closest(given: string, known: Iterable<string>): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/[-_ ]/g, '');
  let best: string | undefined;
  let least = Math.max(1, Math.floor(plain(given).length / 3)) + 1;
  for (const word of known) {
    const far = distance(plain(given), plain(word));
    if (far < least) [best, least] = [word, far];
  }
  return best;
}

/** How many letters to add, drop, change or swap to make one word of the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [(above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps.push((before[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
