import { lossesOf } from '../guest/losses';
import type { ObservedGuest, ObservedNode, ObservedStorage } from '../observed';
import { THICK } from './node-objections';
import type { PlacementFacts } from './placement-facts';

/**
 * The facts as they are once a guest is destroyed: it is listed no more, and its memory and the room of its volumes are
 * free; never more than there is in all. What a thin volume gives back nobody tells: it counts for nothing. Pure.
 */
export function withoutGuest(facts: PlacementFacts, gone: ObservedGuest): PlacementFacts {
  const { cluster } = facts;
  const isLeft = ({ vmid }: { vmid: number }): boolean => vmid !== gone.vmid;
  const room = roomOf(gone);
  const listed = cluster.guests.find(guest => !isLeft(guest));
  const memory = listed?.memoryTaken ?? listed?.memory ?? 0;
  const nodes = cluster.nodes.map(node => freed(node, gone, { room, memory }));
  const guests = new Map([...facts.guests].map(([node, there]) => [node, there.filter(isLeft)]));
  return { ...facts, guests, cluster: { ...cluster, nodes, guests: cluster.guests.filter(isLeft) } };
}

type Room = ReadonlyMap<string, number>;

/** By storage, the size of its volumes there. */
function roomOf(guest: ObservedGuest): Room {
  const room = new Map<string, number>();
  for (const { volume, bytes = 0 } of lossesOf(guest).volumes) {
    const storage = volume.slice(0, volume.indexOf(':'));
    room.set(storage, (room.get(storage) ?? 0) + bytes);
  }
  return room;
}

function freed(
  node: ObservedNode,
  { node: home, power }: ObservedGuest,
  { room, memory }: { room: Room; memory: number },
): ObservedNode {
  const isHome = node.name === home;
  const used = isHome && power === 'running' ? Math.max(0, node.memoryUsed - memory) : node.memoryUsed;
  const storages = node.storages?.map(storage =>
    isHome || storage.shared ? roomier(storage, room) : storage,
  );
  return { ...node, memoryUsed: used, ...(storages && { storages }) };
}

function roomier(storage: ObservedStorage, room: Room): ObservedStorage {
  const { name, type, available, total = Infinity } = storage;
  if (available === undefined || !THICK.test(type)) return storage;
  return { ...storage, available: Math.min(total, available + (room.get(name) ?? 0)) };
}
