/** With `KILLS=every` whoever takes turns in the gate takes them all. */
export const EVERY = process.env['KILLS'] === 'every';

/** With `PROCESSES=N` the suites of several processes do all they have, at every N-th request; else undefined. */
export const PROCESSES = strideOf(process.env['PROCESSES']);

/** Which of 0, 1, 2 … one takes: the first and each `step`th after it. */
export interface Turns {
  first: number;
  step: number;
}

/** So many rows of a table share the requests of a run in the gate: row 1 of 4 takes request 1, 5, 9 … */
export const turnsOf = (row: number, rows: number): Turns =>
  EVERY ? { first: 0, step: 1 } : { first: row % rows, step: rows };

/** Each `step`th request, half of that in front of it: of a run that is shorter than `step`, one in its middle. */
export const halfWay = (step: number): Turns => ({ first: Math.floor(step / 2), step });

/** So many acts of somebody else share the requests of a run: two of eight come before each. */
export const ACTS = 4;

/** When an act comes that shares the requests with others, for the title of its test. */
export const BEFORE_SOME = EVERY ? 'before each request' : `before one request in ${ACTS}`;

/** The N of PROCESSES. Throws for what is no whole number of 1 or more: such a suite would never end. */
export function strideOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(
    `PROCESSES is '${text}': give a whole number of 1 or more, as PROCESSES=7. Nothing was run.`,
  );
}
