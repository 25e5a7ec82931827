import { ownerTag } from '../reconciler/mark/owner-tag';

/** A guest and the volumes of a world, as far as copying needs them. */
interface WorldJson {
  guests: Record<string, { vmid: number; config: Record<string, string> }>;
  volumes: { volid: string }[];
}

export const OWNER = 'bench';

/** Makes more of the machine `m0`, as its program would have made each: creating thousands one by one takes an hour. */
export function withCopies(world: WorldJson, count: number, nodes: number, owner = OWNER): WorldJson {
  const first = Object.values(world.guests).find(({ config }) => config['name'] === 'm0');
  if (first === undefined) throw new Error('there is no m0 to copy');
  const id = String(first.vmid);
  const disks = world.volumes.filter(({ volid }) => volid.includes(`vm-${id}-`));
  const guest = JSON.stringify(first);
  for (let index = 1; index < count; index += 1) {
    const copy = copier({ id, owner }, guest, index, `pve${(index % nodes) + 1}`);
    world.guests[String(first.vmid + index)] = copy(guest);
    for (const disk of disks) world.volumes.push(copy(JSON.stringify(disk)));
  }
  return world;
}

/** Writes the same text for another machine: its ids, names, tag, uuid and MAC address. */
function copier(first: { id: string; owner: string }, guest: string, index: number, node: string) {
  const { id, owner } = first;
  const number = index.toString(16).padStart(6, '0');
  const uuid = /uuid=([0-9a-f-]{36})/.exec(guest)?.[1] ?? '';
  const mac = /virtio=([0-9A-F:]{17})/.exec(guest)?.[1] ?? '';
  const rows: [from: string, to: string][] = [
    [ownerTag(owner, 'm0'), ownerTag(owner, `m${index}`)],
    [uuid, `${uuid.slice(0, -6)}${number}`],
    [mac, `BC:24:11:${number.toUpperCase().replace(/(..)(..)(..)/, '$1:$2:$3')}`],
    [`"name":"m0"`, `"name":"m${index}"`],
    [String.raw`\"m\":\"m0\"`, String.raw`\"m\":\"m${index}\"`],
    [`vm-${id}-`, `vm-${Number(id) + index}-`],
    [`"vmid":${id}`, `"vmid":${Number(id) + index}`],
    [`"node":"pve1"`, `"node":"${node}"`],
  ];
  return <T>(text: string): T =>
    JSON.parse(rows.reduce((whole, [from, to]) => whole.replaceAll(from, to), text)) as T;
}
