/** What a line may look like on a terminal. */
export type Colour = 'red' | 'yellow' | 'green';

/** The colour of a line by the words it begins or ends with; undefined for none. */
export type ColourOf = (line: string) => Colour | undefined;

const SIGNS: Readonly<Record<Colour, string>> = {
  red: '\u001b[31m',
  yellow: '\u001b[33m',
  green: '\u001b[32m',
};
const PLAIN = '\u001b[39m';

type ColourRule = [pattern: RegExp, colour: Colour];

/** What a change costs stands at the end of its line. */
const COSTS: ColourRule[] = [
  [/^ +.*\((?:rebuild|refused)\)$/, 'red'],
  [/^ +.*(?:\(restart\)|\(waits for a restart\)|, waits)$/, 'yellow'],
];

const PLAN: ColourRule[] = [
  [/^ {2}(?:! |LOST: )|^[^ ]+: refused$/, 'red'],
  [/^[^ ]+: would (?:.*, then )?(?:destroy |go back to )/, 'red'],
  [/^ {2}(?:WARNING: |waits for )|^[^ ]+: as wanted after a restart/, 'yellow'],
  [/^[^ ]+: would (?:.*, then )?(?:create|clone) VM /, 'green'],
  [/^[^ ]+: would /, 'yellow'],
  ...COSTS,
];

const REVIEW: ColourRule[] = [
  [/^[-±!\u21bb\u2193] |^ +(?:It goes with |Lost for good: )|^\d.*\. Lost: /, 'red'],
  [/^[~?] /, 'yellow'],
  [/^\+ /, 'green'],
  ...COSTS,
];

/** The colour of a line of a plan. */
export const planColour: ColourOf = line => colourIn(PLAN, line);

/** The colour of a line of a review. */
export const reviewColour: ColourOf = line => colourIn(REVIEW, line);

function colourIn(rows: readonly ColourRule[], line: string): Colour | undefined {
  return rows.find(([pattern]) => pattern.test(line))?.[1];
}

/** A text that is visible already, with the colours of its lines. */
export function coloured(text: string, colourOf: ColourOf): string {
  return text
    .split('\n')
    .map(line => {
      const colour = colourOf(line);
      return colour === undefined ? line : `${SIGNS[colour]}${line}${PLAIN}`;
    })
    .join('\n');
}

/**
 * Whether a stream takes colours: a terminal does, a pipe does not. FORCE_COLOR says so for both (0 and false: no), and
 * comes before NO_COLOR, of which any value but an empty one counts (no-color.org).
 */
export function takesColours(
  { isTTY }: { isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '') return !['0', 'false'].includes(forced.toLowerCase());
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return isTTY === true && environment['TERM'] !== 'dumb';
}
