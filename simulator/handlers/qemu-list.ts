import { hasPrivileges } from '../access/privileges';
import type { Call, HandlerTable } from '../call';
import { loadGuest } from '../guest/config';
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

/** A container in a list (assumed: containers only exist here to take ids). */
function containerRow({ vmid, config, running }: Guest): Record<string, unknown> {
  const MiB = 1024 ** 2;
  return {
    vmid: String(vmid),
    type: 'lxc',
    name: config['hostname'] ?? `CT${vmid}`,
    status: running ? 'running' : 'stopped',
    cpus: Number(config['cores'] ?? 1),
    maxmem: Number(config['memory'] ?? 512) * MiB,
    maxswap: Number(config['swap'] ?? 512) * MiB,
    maxdisk: 0,
    cpu: 0,
    mem: 0,
    disk: 0,
    swap: 0,
    diskread: 0,
    diskwrite: 0,
    netin: 0,
    netout: 0,
    uptime: 0,
    ...(config['template'] === '1' && { template: 1 }),
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
    ...(running && { pid: running.pid }),
  };
}
