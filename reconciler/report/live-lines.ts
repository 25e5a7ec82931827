import { oneLine } from './visible';

/** Keeps some lines at the bottom of a terminal up to date, below everything that is written above them. */
export class LiveLines {
  private shown = 0;

  constructor(
    private readonly write: (text: string) => void,
    private readonly columns: () => number,
  ) {}

  /** Puts these lines in the place of those that are shown. */
  show(lines: string[]): void {
    this.clear();
    const width = Math.max(20, this.columns() - 1);
    lines.forEach(line => this.write(`${fitted(oneLine(line), width)}\n`));
    this.shown = lines.length;
  }

  /** Takes them away, so that a line may be written in their place. */
  clear(): void {
    // up one line and clear it, for each
    this.write('\u001b[1A\u001b[2K'.repeat(this.shown));
    this.shown = 0;
  }
}

/** What stands in parentheses at the end, the time and the percent, stays when the rest is too long. */
function fitted(line: string, width: number): string {
  if (line.length <= width) return line;
  const [end = ''] = / \([^()]*\)$/.exec(line) ?? [];
  const kept = end.length < width / 2 ? end : '';
  return `${line.slice(0, width - 1 - kept.length)}…${kept}`;
}
