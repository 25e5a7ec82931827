import { picture, text } from './svg.mjs';

const [LETTER, LINE, EDGE] = [7.83, 19, 18];
/** How a line of a review is coloured, by its first sign. @type {Record<string, string>} */
const KINDS = { '-': 'bad', '!': 'bad', '±': 'bad', '~': 'warn', '?': 'warn', '+': 'good' };

/** What a program printed, as a picture. @param {string} command @param {string} output @param {string} says */
export function terminal(command, output, says) {
  const lines = [`$ ${command}`, '', ...output.trimEnd().split('\n')];
  const widest = Math.max(...lines.map(line => line.length));
  return picture(Math.ceil(widest * LETTER) + 2 * EDGE, lines.length * LINE + 2 * EDGE, says, [
    ...lines.map((line, at) => {
      const kind = /^\S \S/.test(line) ? (KINDS[line[0] ?? ''] ?? '') : '';
      return text(EDGE, EDGE + 13 + at * LINE, line, `mono ${kind}`.trim());
    }),
  ]);
}
