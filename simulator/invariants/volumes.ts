import { drivesOf } from '../guest/drives/drive';
import type { Sim } from '../cluster/sim';
import type { Guest, Volume } from '../world';

/** What is wrong with the volumes: where they are, whose they are, what they stand on. */
export function brokenVolumes(sim: Sim): string[] {
  const { volumes, storages, nodes } = sim.world;
  const kinds = new Map(storages.map(storage => [storage.storage, storage]));
  const names = new Set(nodes.map(({ name }) => name));
  const seen = new Set<string>();
  return volumes.flatMap(volume => {
    const { volid, node } = volume;
    const broken: string[] = [];
    const storage = kinds.get(volume.storage);
    // PVE: a storage can be taken out of the cluster, what lies on it stays
    // nor do files move when somebody says that a folder is shared
    const isFixed = storage !== undefined && !['dir', 'lvm'].includes(storage.type);
    if (isFixed && storage.shared !== (node === null))
      broken.push(`volume ${volid} is on the wrong kind of place`);
    if (node !== null && !names.has(node)) broken.push(`volume ${volid} is on no node`);
    if (!volid.startsWith(`${volume.storage}:`)) broken.push(`volume ${volid} names another storage`);
    if (!Number.isSafeInteger(volume.size) || volume.size < 0) broken.push(`volume ${volid} has no size`);
    const place = placeOf(node, volid);
    if (seen.has(place)) broken.push(`volume ${volid} is there twice on ${node ?? 'all nodes'}`);
    seen.add(place);
    return broken;
  });
}

const placeOf = (node: string | null, volid: string): string => `${node ?? '*'} ${volid}`;

/** Linked clones whose base is gone, and disks that carry another guest's name. */
export function brokenOwners({ world }: Sim): string[] {
  const places = new Set(world.volumes.map(({ node, volid }) => placeOf(node, volid)));
  return world.volumes.flatMap(volume => {
    const { volid, node, parent, vmid } = volume;
    const broken: string[] = [];
    if (parent !== undefined && !places.has(placeOf(node, parent))) {
      broken.push(`volume ${volid} is a clone of ${parent}, which is gone`);
    }
    const named = ownerIn(volume);
    if (named !== undefined && vmid !== named) broken.push(`volume ${volid} is owned by ${vmid ?? 'nobody'}`);
    return broken;
  });
}

function ownerIn({ volid, content }: Volume): number | undefined {
  if (content !== 'images' && content !== 'rootdir') return undefined;
  // PVE: the folder of an image says whose it is, its name may say another
  const vmid = /[:/](\d+)\/[^/]+$/.exec(volid)?.[1] ?? /:(?:vm|base)-(\d+)-[^/]*$/.exec(volid)?.[1];
  return vmid === undefined ? undefined : Number(vmid);
}

/**
 * Drives of a guest whose own volume is gone. Proxmox lets a person delete a volume that is in use, and a destroy
 * without quorum leaves the configuration: where a task of that kind ran, nothing is said.
 */
export function danglingDrives(sim: Sim): string[] {
  const places = new Set(sim.world.volumes.map(({ node, volid }) => placeOf(node, volid)));
  const excused = new Set(
    sim.tasks
      .all()
      .filter(({ type, exitstatus }) => type === 'imgdel' || (type === 'qmdestroy' && exitstatus !== 'OK'))
      .map(({ type, id }) => `${type} ${id}`),
  );
  return Object.values(sim.world.guests).flatMap(guest =>
    ownVolumes(guest)
      .filter(volid => !places.has(placeOf(guest.node, volid)) && !places.has(placeOf(null, volid)))
      .filter(volid => !excused.has(`qmdestroy ${guest.vmid}`) && !excused.has(imgdelOf(guest, volid)))
      .map(volid => `guest ${guest.vmid} uses ${volid}, which is not on ${guest.node}`),
  );
}

const imgdelOf = (guest: Guest, volid: string): string => `imgdel ${guest.vmid}@${volid.split(':')[0]}`;

/** The volumes of a guest's drives that carry its own id: another's may vanish with their owner. */
function ownVolumes({ vmid, config }: Guest): string[] {
  const own = new RegExp(`[:/](vm|base)-${vmid}-[^/]*$`);
  return drivesOf(config)
    .map(({ file }) => file)
    .filter(file => own.test(file));
}
