import type { ObservedNode } from '../../observed';
import { DRIVE_KEYS, NETWORK_SLOTS } from '../../guest/slot-names';
import { pluggable } from '../../../spec';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { readDrive } from '../../guest/drive';
import { effectiveAt } from '../compare';
import type { Problem } from '../problem';
import type { Start, Wanting } from './start';

/** What a start would fail on. `to`: the value that is in the way. */
type Obstacle = Pick<Problem, 'why' | 'detail' | 'remedy' | 'cause'> & { key: string; to: string };

type StartCheck = (after: Configuration, node: ObservedNode) => Obstacle[];

const ROWS: readonly StartCheck[] = [bridges, storages, processors, memory];

/**
 * Why a guest with this configuration would not start on its node, as far as that can be known: said before it is
 * stopped, and before a change waits for a start that must fail. All of the configuration counts, not only the spec's.
 */
export function startProblems(
  { slots }: Pick<Wanting, 'slots'>,
  { after, who = 'It' }: Pick<Start, 'after' | 'who'>,
  node: ObservedNode | undefined,
): Problem[] {
  if (node === undefined) return [];
  return ROWS.flatMap(row => row(after, node)).map(({ key, detail, ...obstacle }) => ({
    ...obstacle,
    field: fieldOf(key, slots),
    detail: `${who} would not start on ${node.name}: ${detail}.`,
  }));
}

function fieldOf(key: string, { networks, disks }: Wanting['slots']): string {
  const named = (list: string, names: Record<string, string>): string[] =>
    Object.entries(names).flatMap(([name, slot]) => (slot === key ? [`${list}[${name}]`] : []));
  return [...named('networks', networks), ...named('disks', disks)][0] ?? key;
}

function bridges(after: Configuration, { name: node, bridges: there }: ObservedNode): Obstacle[] {
  if (there === undefined) return [];
  return NETWORK_SLOTS.flatMap(key => {
    const { bridge } = propertiesOf(key, after[key]);
    if (bridge === undefined || there.includes(String(bridge))) return [];
    const to = String(bridge);
    const detail = `${key} is on bridge '${to}', and the node has ${there.join(', ') || 'none'}`;
    const remedy = 'Name one of these, or make it on the node.';
    const cause = { about: 'bridge' as const, facts: { bridge: to, node } };
    return [{ why: 'bridge-not-found', key, to, detail, remedy, cause }];
  });
}

function storages(after: Configuration, { storages: there }: ObservedNode): Obstacle[] {
  if (there === undefined) return [];
  const active = there.filter(one => one.active).map(({ name }) => name);
  return DRIVE_KEYS.flatMap(key => {
    // the cloud-init drive too: its image is made anew at each start, on its storage (Cloudinit.pm, commit_cloudinit_disk)
    const to = readDrive(after[key]).storage;
    if (to === undefined || active.includes(to)) return [];
    const detail = `${key} is on storage '${to}', and the node has ${active.join(', ') || 'none'}`;
    const remedy = 'Make the storage available there, or take the drive out.';
    return [{ why: 'storage-not-found', key, to, detail, remedy }];
  });
}

/** Recording g4: vcpus above cores × sockets; qemu-server: "MAX n vcpus allowed per VM on this node". */
function processors(after: Configuration, { cpus }: ObservedNode): Obstacle[] {
  const count = (key: string): number => Number(effectiveAt(after, { key }));
  const most = count('cores') * count('sockets');
  const plugged = Number(after.vcpus ?? most);
  if (plugged > most) {
    const detail = `it has ${plugged} vcpus of ${most} (cores × sockets)`;
    return fails({ key: 'cpu', to: String(plugged), detail, remedy: `Lower cpu.vcpus to ${most}.` });
  }
  if (cpus === 0 || most <= cpus) return [];
  const detail = `it has ${most} CPUs, and the node has ${cpus}`;
  return fails({ key: 'cpu', to: String(plugged), detail, remedy: 'Lower cpu.cores, or move it.' });
}

/** Recording g2: "NUMA needs to be enabled for memory hotplug", "minimum memory must be 1024MB", "must be aligned to". */
function memory(after: Configuration): Obstacle[] {
  if (!effectiveAt(after, { key: 'hotplug' }).split(',').includes('memory')) return [];
  const text = effectiveAt(after, { key: 'memory', property: 'current' });
  const or = 'or take "memory" out of hotplug.';
  const at = { key: 'memory', to: `${text} MiB` };
  if (effectiveAt(after, { key: 'numa' }) !== '1')
    return fails({ ...at, detail: 'memory hotplug needs NUMA', remedy: `Set cpu.numa to true, ${or}` });
  const wanted = Number.parseInt(text, 10);
  const { below, above } = pluggable(wanted);
  if (above === wanted) return [];
  const sizes = [...new Set([below, above])].join(' or ');
  const detail = `it has ${wanted} MiB, and with memory hotplug it takes ${sizes} MiB`;
  return fails({ ...at, detail, remedy: `Set memory to ${sizes} MiB, ${or}` });
}

function fails(obstacle: Omit<Obstacle, 'why'>): Obstacle[] {
  return [{ why: 'start-fails', ...obstacle }];
}
