import { drivesOf } from '../guest/drives/drive';
import type { Guest, World } from '../world';
import { refuse } from './fields';

/** Fails at the first guest, pool or HA resource that names what the world does not have. */
export function checkGuests(world: World): void {
  const nodes = world.nodes.map(({ name }) => name);
  const volumes = new Set(world.volumes.map(({ node, volid }) => `${node ?? '*'} ${volid}`));
  for (const guest of Object.values(world.guests)) {
    const { vmid, node } = guest;
    if (vmid < 100 || vmid > 999_999_999) refuse('guests.vmid', vmid, 'an id from 100 to 999999999');
    if (!nodes.includes(node)) refuse(`guests (${vmid}).node`, node, `one of ${nodes.join(', ')}`);
    checkDrives(guest, volumes);
    checkSnapshots(guest);
  }
}

function checkDrives({ vmid, node, type, config }: Guest, volumes: Set<string>): void {
  if (type !== 'qemu') return;
  for (const { key, file } of drivesOf(config)) {
    const isVolume = /^[a-z][a-z0-9\-_.]*:/i.test(file);
    if (!isVolume || volumes.has(`${node} ${file}`) || volumes.has(`* ${file}`)) continue;
    refuse(`guests (${vmid}).config.${key}`, file, `a volume of the file that is on ${node}`);
  }
}

function checkSnapshots({ vmid, snapshots, config }: Guest): void {
  const names = Object.keys(snapshots);
  const parents = Object.entries(snapshots).map(([name, { parent }]): [string, string | undefined] => [
    `snapshots.${name}.parent`,
    parent,
  ]);
  for (const [place, parent] of [...parents, ['config.parent', config['parent']] as const]) {
    if (parent === undefined || names.includes(parent)) continue;
    refuse(
      `guests (${vmid}).${place}`,
      parent,
      `one of the guest's snapshots: ${names.join(', ') || 'none'}`,
    );
  }
}

/** Fails when a guest is in two pools: Proxmox has one at most. */
export function checkPools({ pools }: World): void {
  const seen = new Map<number, string>();
  for (const [poolid, { vms }] of Object.entries(pools)) {
    for (const vmid of vms) {
      const other = seen.get(vmid);
      if (other !== undefined)
        refuse(`pools (${poolid}).vms`, vmid, `a guest that is not in the pool ${other}`);
      seen.set(vmid, poolid);
    }
  }
}

/** Fails when HA watches a guest that is not there. */
export function checkHa({ ha, guests }: World): void {
  for (const { sid } of Object.values(ha.resources)) {
    const [type, vmid = ''] = sid.split(':');
    const guest = guests[Number(vmid)];
    if (guest?.type === (type === 'ct' ? 'lxc' : 'qemu')) continue;
    refuse(`ha.resources (${sid}).sid`, sid, 'the id of a guest of the file');
  }
}
