import { trySplitVolumeId } from '../../storage/volumes/name';
import type { Config, Guest, Snapshot } from '../../world';
import { addUnusedVolume, dropReattached } from '../drives/detach';
import type { Drive } from '../drives/drive';
import { drivesOf, isCdrom, isUnusedKey } from '../drives/drive';
import { RUNNING_FACTS } from '../power/saved-state';

const NOT_TAKEN = new Set(['lock', 'description', 'parent', 'vmstate']);

/** The part of a configuration that a snapshot keeps. The description stays the guest's alone. */
export function configToKeep(config: Config): Config {
  const kept = Object.entries(config).filter(([key]) => !NOT_TAKEN.has(key) && !isUnusedKey(key));
  return Object.fromEntries(kept);
}

/** The drives of a configuration whose volumes a snapshot covers. */
export function disksOf(config: Config): Drive[] {
  return drivesOf(config).filter(drive => !isCdrom(drive) && trySplitVolumeId(drive.file));
}

/** Gives the guest the snapshot's configuration: its own description and unused volumes stay, all that waited is gone. */
export function applySnapshot(guest: Guest, name: string, snapshot: Snapshot, vmgenid: string): void {
  const now = new Set(disksOf(snapshot.config).map(({ file }) => file));
  for (const { file } of disksOf(guest.config)) if (!now.has(file)) addUnusedVolume(guest.config, file);
  const kept = Object.entries(guest.config).filter(([key]) => key === 'description' || isUnusedKey(key));
  const config: Config = { ...Object.fromEntries(kept), ...snapshot.config, parent: name };
  for (const key of RUNNING_FACTS) delete config[key];
  // PVE: the guest must see that it is another generation now
  if (config['vmgenid'] !== undefined) config['vmgenid'] = vmgenid;
  guest.config = config;
  guest.pending = {};
  guest.pendingDelete = {};
  dropReattached(guest);
}

/** Takes a snapshot out of the tree: its children become its parent's, its disks that the guest does not use become unused. */
export function removeSnapshot(guest: Guest, name: string, disks: Drive[]): void {
  const parent = guest.snapshots[name]?.parent;
  relink(guest.config, name, parent);
  delete guest.snapshots[name];
  for (const other of Object.values(guest.snapshots)) relink(other, name, parent);
  const used = new Set([guest.config, guest.pending].flatMap(each => drivesOf(each).map(({ file }) => file)));
  for (const { file } of disks) if (!used.has(file)) addUnusedVolume(guest.config, file);
}

function relink(child: { parent?: string }, name: string, parent: string | undefined): void {
  if (child.parent !== name) return;
  if (parent === undefined) delete child.parent;
  else child.parent = parent;
}
