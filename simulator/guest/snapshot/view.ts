import { fail } from '../../failure';
import { findNamed } from '../../own-keys';
import type { Config, Guest, Snapshot } from '../../world';
import { digestOf, typedValue } from '../conf-file/load';

/** The rows of a guest's snapshot list; the last is the guest as it is now. */
export function snapshotRows(guest: Guest): Record<string, unknown>[] {
  const rows = Object.entries(guest.snapshots).map(([name, snapshot]) => ({
    name,
    snaptime: snapshot.snaptime,
    vmstate: snapshot.vmstate === undefined ? 0 : 1,
    description: snapshot.description,
    ...(snapshot.parent !== undefined && { parent: snapshot.parent }),
    ...(snapshot.snapstate !== undefined && { snapstate: snapshot.snapstate }),
  }));
  const parent = guest.config['parent'];
  const current = {
    name: 'current',
    digest: digestOf(guest),
    running: guest.running ? 1 : 0,
    description: 'You are here!',
    ...(parent !== undefined && { parent }),
  };
  return [...rows, current];
}

/** The snapshot by its name, or Proxmox's failure. */
export function snapshotNamed({ snapshots }: Guest, name: string): Snapshot {
  return findNamed(snapshots, name) ?? fail(`snapshot '${name}' does not exist`);
}

/** What a snapshot's own `config` answers. It hides no password (recording 50, step 19). */
export function snapshotAnswer({ config, ...facts }: Snapshot): Record<string, unknown> {
  const { parent, snaptime, description, vmstate, snapstate } = facts;
  return {
    ...typed(config),
    snaptime,
    ...(description !== '' && { description }),
    ...(parent !== undefined && { parent }),
    ...(vmstate !== undefined && { vmstate }),
    ...(snapstate !== undefined && { snapstate }),
  };
}

function typed(config: Config): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([key, raw]) => [key, typedValue(key, raw)]));
}
