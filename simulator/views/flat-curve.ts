import type { Sim } from '../cluster/sim';

const STEPS: Record<string, number> = { hour: 60, day: 1800, week: 10_800, month: 43_200, year: 604_800 };
const POINTS = 70;

/** The points of a curve over a time frame, up to now; each has its time and the same values (assumed: real ones move). */
export function flatCurve(
  sim: Sim,
  timeframe: string | undefined,
  values: Record<string, unknown>,
): Record<string, unknown>[] {
  const step = STEPS[timeframe ?? 'hour'] ?? 60;
  const last = Math.floor(sim.clock.now() / 1000 / step) * step;
  return Array.from({ length: POINTS }, (_, index) => ({
    time: last - (POINTS - 1 - index) * step,
    ...values,
  }));
}
