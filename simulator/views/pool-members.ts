import type { Call } from '../cluster/call';
import { isOn } from '../storage/on-node';
import type { Row } from './resource-rows';
import { guestRow, storageRow } from './resource-rows';
import { bytesInUse } from './statistics';
import type { Pool } from '../world';

/** The members of a pool that exist, as the cluster's lists know them; of one type when the request names one. */
export function poolMembers({ sim, node: from, params: { type } }: Call, pool: Pool): Row[] {
  const { world } = sim;
  const guests = pool.vms
    .flatMap(vmid => world.guests[vmid] ?? [])
    .filter(guest => type === undefined || type === guest.type);
  const storages = world.storages.filter(
    ({ storage }) => (type === undefined || type === 'storage') && pool.storages.includes(storage),
  );
  const inUse = bytesInUse(world);
  return [
    ...guests.map(guest => guestRow(sim, guest)),
    ...storages.flatMap(storage => {
      const node = world.nodes.find(({ name }) => name === from && isOn(storage, name));
      const shown = node ?? world.nodes.find(({ name }) => isOn(storage, name));
      return shown ? [storageRow(sim, from, shown, storage, inUse(shown.name, storage))] : [];
    }),
  ];
}
