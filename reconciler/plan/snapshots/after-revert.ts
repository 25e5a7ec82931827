import type { Configuration } from '../../guest/configuration';
import { isDisk, isOwnVolume, readDrive } from '../../guest/drive';
import { isDriveKey, isUnusedKey } from '../../guest/key-kinds';
import { generationOf } from '../../guest/generation';
import type { Scene } from '../../machine/scene';
import type { Mark } from '../../mark/mark';
import type { ObservedGuest } from '../../observed';
import { revertAsked } from './revert-target';

/**
 * A guest as it comes back from the snapshot that it is to go back to. What then differs from the spec is planned on it,
 * and told before. Undefined: the snapshot was not read.
 */
export function afterRevert(scene: Scene, guest: ObservedGuest): ObservedGuest | undefined {
  const { spec, context, running } = scene;
  const { facts, wanted } = context;
  const to = revertAsked(scene);
  const found = facts.ask('snapshots')?.find(({ name }) => name === to);
  const kept = found && facts.ask('snapshotConfig', found.name);
  if (kept === undefined || found === undefined) return undefined;
  const begun: Partial<Mark> = { revertedTo: spec.revertTo, revertedFrom: generationOf(running) };
  return {
    ...guest,
    current: configAfter(kept, guest, found.name),
    pending: {},
    // PVE: it is stopped hard, and goes on where the snapshot has its memory (behaviour.md §8)
    power: found.hasMemory ? 'running' : 'stopped',
    mark: wanted.revert !== undefined ? guest.mark : guest.mark && { ...guest.mark, ...begun },
  };
}

/** PVE keeps the description and the unused volumes, and lists as unused what came since (behaviour.md §14.5). */
function configAfter(kept: Configuration, { current, vmid }: ObservedGuest, parent: string): Configuration {
  const brought = Object.entries(kept).filter(([key]) => !OF_SNAPSHOT.has(key));
  const files = new Set(brought.map(([, text]) => readDrive(text).file));
  const unused = Object.entries(current)
    .filter(([key, text]) => isUnusedKey(key) || (isDriveKey(key) && isDisk(text)))
    .map(([, text]) => readDrive(text).file)
    .filter(file => isOwnVolume(file, vmid) && !files.has(file));
  const { description } = current;
  return {
    ...Object.fromEntries(brought),
    ...Object.fromEntries(unused.map((file, index) => [`unused${index}`, file])),
    ...(description !== undefined && { description }),
    ...(kept['vmgenid'] !== undefined && { vmgenid: ANOTHER }),
    parent,
  };
}

/** What a snapshot says of itself, and of the process that ran. */
const OF_SNAPSHOT = new Set<string>([
  ...(['snaptime', 'snapstate', 'vmstate', 'runningmachine', 'runningcpu'] as const),
  ...(['description', 'parent', 'digest'] as const),
]);

/** Proxmox draws it anew; as what, nobody knows. */
const ANOTHER = '00000000-0000-0000-0000-000000000000';
