import type { Call, HandlerTable } from '../../cluster/call';
import { statusRow } from '../../guest/power/status';
import { placeOf } from '../../guest/place';
import { flatCurve } from '../../views/flat-curve';

export const qemuRrdDataHandlers: HandlerTable = { 'GET /nodes/{node}/qemu/{vmid}/rrddata': curves };

const WHILE_RUNNING = ['cpu', 'mem', 'memhost', 'disk', 'netin', 'netout'];

/** The curves of a guest. PVE: one that is off has only its sizes. */
function curves(call: Call): unknown[] {
  const { sim, params } = call;
  const guest = sim.world.guests[placeOf(call).vmid];
  if (!guest) return flatCurve(sim, params['timeframe'], {});
  const row = statusRow(sim, guest);
  const measured = guest.running ? WHILE_RUNNING.map(key => [key, row[key]]) : [];
  return flatCurve(sim, params['timeframe'], {
    maxcpu: row['cpus'],
    maxmem: row['maxmem'],
    maxdisk: row['maxdisk'],
    ...Object.fromEntries(measured),
  });
}
