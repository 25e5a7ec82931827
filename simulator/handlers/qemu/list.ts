import type { HandlerTable } from '../../cluster/call';
import { loadGuest } from '../../guest/conf-file/load';
import { placeOf } from '../../guest/place';
import { statusRow } from '../../guest/power/status';
import { guestsSeenBy } from '../../views/visible-guests';

const SUBDIRS =
  'config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate';

/** A node's virtual machines, and what lies below one. */
export const qemuListHandlers: HandlerTable = {
  'GET /nodes/{node}/qemu': call => {
    const full = call.params['full'] === '1';
    return guestsSeenBy(call, 'qemu').map(guest => statusRow(call.sim, guest, full));
  },
  'GET /nodes/{node}/qemu/{vmid}': call => {
    const { node, vmid } = placeOf(call);
    loadGuest(call.sim, node, vmid);
    return SUBDIRS.split(' ').map(subdir => ({ subdir }));
  },
};
