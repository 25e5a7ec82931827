import type { Call, HandlerTable } from '../../cluster/call';
import { statusRow } from '../../guest/power/status';
import { nodeFigures } from '../../views/node-figures';
import { flatCurve } from '../../views/flat-curve';

/** What a node measured: its curves, and what its guests' cards sent. */
export const nodeTrafficHandlers: HandlerTable = {
  'GET /nodes/{node}/rrddata': curves,
  'GET /nodes/{node}/netstat': cards,
};

const GiB = 1024 ** 3;

/** PVE asks no other node for it: the name in the path only says whose file is read. */
function curves({ sim, params }: Call): unknown[] {
  const node = sim.world.nodes.find(({ name }) => name === params['node']);
  if (!node) return flatCurve(sim, params['timeframe'], {});
  const { cpu, maxcpu, mem = 0, maxmem = 0, disk, maxdisk } = nodeFigures(sim, node);
  return flatCurve(sim, params['timeframe'], {
    cpu,
    maxcpu,
    iowait: 0,
    loadavg: 0.1,
    memtotal: maxmem,
    memused: mem,
    memavailable: maxmem - mem,
    swaptotal: 8 * GiB,
    swapused: 0,
    roottotal: maxdisk,
    rootused: disk,
    netin: 0,
    netout: 0,
  });
}

/** PVE: the counters stand as text, and out of the guest is into the card. */
function cards({ sim, node }: Call): unknown[] {
  const running = Object.values(sim.world.guests).filter(
    guest => guest.node === node && guest.type === 'qemu' && guest.running,
  );
  return running.flatMap(guest => {
    const keys = Object.keys(guest.config).filter(key => /^net\d+$/.test(key));
    const { netin, netout } = statusRow(sim, guest);
    const share = (bytes: unknown): string => String(Math.floor(Number(bytes) / keys.length));
    return keys.map(dev => ({ vmid: String(guest.vmid), dev, in: share(netin), out: share(netout) }));
  });
}
