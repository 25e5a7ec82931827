import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { containerConfig, containerRow, interfacesOf, loadContainer } from './container';
import { snapshotRows } from '../../guest/snapshot/view';
import { placeOf } from '../../guest/place';
import { haStatus } from '../../ha/guest-in-ha';
import { flatCurve } from '../../views/flat-curve';
import type { Guest } from '../../world';

const CONTAINER = '/nodes/{node}/lxc/{vmid}';
const SUBDIRS =
  'config pending status vncproxy termproxy vncwebsocket spiceproxy migrate clone rrd rrddata firewall snapshot resize interfaces';
const POWER = 'current start stop shutdown suspend resume reboot';

/** What may be read of a container. */
export const lxcReadHandlers: HandlerTable = {
  [`GET ${CONTAINER}`]: call => {
    containerOf(call);
    return SUBDIRS.split(' ').map(subdir => ({ subdir }));
  },
  [`GET ${CONTAINER}/config`]: call => {
    const guest = containerOf(call);
    const { snapshot } = call.params;
    if (snapshot !== undefined) fail(`snapshot '${snapshot}' does not exist`);
    return containerConfig(guest);
  },
  [`GET ${CONTAINER}/pending`]: call =>
    Object.entries(containerConfig(containerOf(call))).map(([key, value]) => ({ key, value })),
  [`GET ${CONTAINER}/interfaces`]: call => interfacesOf(containerOf(call)),
  [`GET ${CONTAINER}/snapshot`]: call => snapshotRows(containerOf(call)),
  [`GET ${CONTAINER}/status`]: call => {
    containerOf(call);
    return POWER.split(' ').map(subdir => ({ subdir }));
  },
  [`GET ${CONTAINER}/status/current`]: call => {
    const guest = containerOf(call);
    // PVE: the id is a number here, and text in the list
    return { ...containerRow(call.sim, guest), vmid: guest.vmid, ha: haStatus(call.sim, guest) };
  },
  // PVE: every node keeps the curves of all guests
  [`GET ${CONTAINER}/rrddata`]: call => {
    const guest = call.sim.world.guests[placeOf(call).vmid];
    const { cpus, maxmem, maxdisk } = guest ? containerRow(call.sim, guest) : {};
    return flatCurve(call.sim, call.params['timeframe'], { maxcpu: cpus, maxmem, maxdisk });
  },
};

function containerOf(call: Call): Guest {
  const { node, vmid } = placeOf(call);
  return loadContainer(call.sim, node, vmid);
}
