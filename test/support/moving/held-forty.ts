import type { World } from '../../../simulator';
import { administratorOf } from '../cluster/administrator';
import { lab, labWorld } from '../cluster/lab';
import { numbersBelow } from '../in-parallel';
import type { Move } from './killed-move';

const FIRST = 400;
const COUNT = 40;
const NODES = ['pve1', 'pve2', 'pve3'];
const two = (number: number): string => String(number).padStart(2, '0');
const macOf = (place: number): string => `BC:24:11:40:00:${two(place)}`;

/** Forty guests of five resources: each differs from its neighbours in what adoption must read. */
const HELD = numbersBelow(COUNT).map(place => {
  const form: Record<string, string> = {
    vmid: String(FIRST + place),
    // every eighth has the name of another one
    name: place % 8 === 7 ? 'same-name' : `guest-${place}`,
    cores: String(1 + (place % 4)),
    memory: String(512 * (1 + (place % 3))),
    scsi0: `local-lvm:${1 + (place % 2)}`,
    net0: `virtio=${macOf(place)},bridge=vmbr0`,
    ...(place % 3 === 0 && { description: `by hand, number ${place}` }),
    ...(place % 4 === 1 && { tags: 'old;shop' }),
    ...(place % 5 === 2 && { pool: 'lab' }),
    ...(place % 6 === 3 && { onboot: '1' }),
  };
  return { place, node: NODES[place % NODES.length]!, vmid: FIRST + place, form };
});
const RESOURCES = ['web', 'db', 'cache', 'queue', 'mail'];
const resourceOf = (place: number): string => RESOURCES[place % RESOURCES.length]!;
const indexOf = (place: number): number => Math.floor(place / RESOURCES.length);

/** Forty guests that another tool holds: every fourth runs, and every tenth has no uuid. */
export async function fortyHeld(): Promise<Move> {
  const marks = HELD.map(({ place, vmid }) => [vmid, `shop ${resourceOf(place)}-${indexOf(place)}`] as const);
  return {
    world: await fortyWorld(),
    state: fortyState(),
    marks: Object.fromEntries(marks),
    resources: RESOURCES.length,
  };
}

async function fortyWorld(): Promise<World> {
  const cluster = await lab({ world: labWorld(), taskMs: 0 });
  const admin = administratorOf(cluster);
  for (const { place, node, vmid, form } of HELD) {
    if (!(await admin('POST', `/nodes/${node}/qemu`, form))) throw new Error(`guest ${vmid} was not made`);
    if (place % 4 === 0) await admin('POST', `/nodes/${node}/qemu/${vmid}/status/start`);
    if (place % 10 === 6) await admin('PUT', `/nodes/${node}/qemu/${vmid}/config`, { delete: 'smbios1' });
  }
  const world = structuredClone(cluster.world);
  await cluster.close();
  return world;
}

function fortyState(): string {
  const resources = RESOURCES.map(name => ({
    ...{ mode: 'managed', type: 'proxmox_virtual_environment_vm', name },
    instances: HELD.filter(({ place }) => resourceOf(place) === name).map(({ place, node, vmid, form }) => ({
      index_key: indexOf(place),
      attributes: { vm_id: vmid, node_name: node, name: form['name'], mac_addresses: [macOf(place)] },
    })),
  }));
  return JSON.stringify({ version: 4, resources });
}
