/** With `KILLS=every` whoever takes turns in the gate takes them all. */
export const EVERY = process.env['KILLS'] === 'every';

/** Which of 0, 1, 2 … one takes: the first and each `step`th after it. */
export interface Turns {
  first: number;
  step: number;
}

/** So many rows of a table share the requests of a run in the gate: row 1 of 4 takes request 1, 5, 9 … */
export const turnsOf = (row: number, rows: number): Turns =>
  EVERY ? { first: 0, step: 1 } : { first: row % rows, step: rows };
