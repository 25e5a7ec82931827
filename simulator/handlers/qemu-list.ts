import { hasPrivileges } from '../access/privileges';
import type { Call, HandlerTable } from '../call';
import { loadGuest } from '../guest/config';
import { containerRow } from '../guest/container';
import { placeOf } from '../guest/place';
import { statusRow } from '../guest/status';
import type { Guest } from '../world';

const SUBDIRS =
  'config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate';

/** The lists of a node's guests. */
export const qemuListHandlers: HandlerTable = {
  'GET /nodes/{node}/qemu': call => {
    const full = call.params['full'] === '1';
    return seen(call, 'qemu').map(guest => statusRow(call.sim, guest, full));
  },
  'GET /nodes/{node}/lxc': call => seen(call, 'lxc').map(guest => containerRow(guest)),
  'GET /nodes/{node}/qemu/{vmid}': call => {
    const { node, vmid } = placeOf(call);
    loadGuest(call.sim, node, vmid);
    return SUBDIRS.split(' ').map(subdir => ({ subdir }));
  },
};

function seen({ sim, node, user }: Call, type: Guest['type']): Guest[] {
  return Object.values(sim.world.guests).filter(
    guest =>
      guest.node === node &&
      guest.type === type &&
      hasPrivileges(sim, user, `/vms/${guest.vmid}`, ['VM.Audit']),
  );
}
