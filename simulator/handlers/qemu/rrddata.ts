import type { Call, HandlerTable } from '../../cluster/call';
import { placeOf } from '../../guest/place';
import { runningNumbers } from '../../guest/qemu/process';

export const qemuRrdDataHandlers: HandlerTable = { 'GET /nodes/{node}/qemu/{vmid}/rrddata': curves };

const STEPS: Record<string, number> = { hour: 60, day: 1800, week: 10_800, month: 43_200, year: 604_800 };
const POINTS = 70;

/** The curves of a guest (assumed: flat). */
function curves(call: Call): unknown[] {
  const { sim, params } = call;
  const { vmid } = placeOf(call);
  const step = STEPS[params['timeframe'] ?? 'hour'] ?? 60;
  const last = Math.floor(sim.clock.now() / 1000 / step) * step;
  const guest = sim.world.guests[vmid];
  const values = guest?.running ? runningNumbers(sim, guest, guest.running) : {};
  const { cpu, mem, netin, netout } = values;
  const shown = guest?.running ? { cpu, mem, netin, netout } : {};
  return Array.from({ length: POINTS }, (_, index) => ({
    time: last - (POINTS - 1 - index) * step,
    ...shown,
  }));
}
