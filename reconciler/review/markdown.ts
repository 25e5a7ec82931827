import { oneLine } from '../report/visible';
import type { Review, ReviewedMachine } from './review';
import {
  disksText,
  headingOf,
  isQuiet,
  lostText,
  originOf,
  placeText,
  rowsOf,
  titleOf,
  totalsText,
  WORDS,
} from './words';

/** A review for a pull request: a table of what happens, then the details of each machine, folded. */
export function reviewMarkdown(review: Review): string {
  const loud = review.machines.filter(machine => !isQuiet(machine));
  const rows = loud.map(machine =>
    row([
      `**${plain(titleOf(machine, review))}**`,
      WORDS[machine.verdict].word,
      plain(placeText(machine)),
      summary(machine),
    ]),
  );
  return [
    '## Machines\n',
    `${plain(`${headingOf(review)}.`)} ${plain(originOf(review))}\n`,
    `${[totalsText(review), lostText(review)].filter(text => text !== undefined).join(' ')}\n`,
    ...review.warnings.map(warning => `> **Warning:** ${plain(warning)}\n`),
    ...table(['machine', 'what', 'where', 'fields'], rows),
    ...loud.flatMap(machine => details(machine, review)),
  ].join('\n');
}

function details(machine: ReviewedMachine, review: Review): string[] {
  const { does, notes } = machine;
  const lines = [disksText(machine) ?? [], notes, does.map(action => `Does: ${action}.`)]
    .flat()
    .map(line => `- ${plain(line)}`);
  const rows = rowsOf(machine).map(({ field, from, to, cost }) =>
    row([plain(field), plain(from), plain(to), cost]),
  );
  if (lines.length + rows.length === 0) return [];
  return [
    `<details><summary>${plain(titleOf(machine, review))}: ${WORDS[machine.verdict].word}</summary>\n`,
    ...(lines.length > 0 ? [`${lines.join('\n')}\n`] : []),
    ...table(['field', 'from', 'to', 'cost'], rows),
    '</details>\n',
  ];
}

function summary({ changes }: ReviewedMachine): string {
  const fields = changes.map(({ field }) => plain(field));
  return fields.length > 6 ? `${fields.slice(0, 6).join(', ')}, …` : fields.join(', ');
}

function table(head: string[], rows: string[]): string[] {
  return rows.length === 0 ? [] : [[row(head), '|---|---|---|---|', ...rows, ''].join('\n')];
}

function row(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text of others as text: no markup, no link, no mention of a person, in one line. */
function plain(text: string): string {
  return oneLine(text)
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//')
    .replace(/www\./gi, 'www&#46;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&');
}
