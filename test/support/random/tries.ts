/** So many times the tries of the gate: `npm run test:campaign:unit` looks further. */
export const TIMES = Number(process.env['TIMES'] ?? 1);

/** How a property is tried: with one seed in the gate, so that it is red only for a change; SEED plays another. */
export const tries = (numRuns: number): { seed: number; numRuns: number } => ({
  seed: Number(process.env['SEED'] ?? 16),
  numRuns: numRuns * TIMES,
});
