import type { CreateParams } from '../action';
import { propertiesOf, type Configuration } from '../guest/configuration';
import { isCardKey, isDriveKey } from '../guest/key-kinds';
import type { ObservedCluster } from '../observed';
import { keyRow } from '../pve/keys/key-row';
import { bridgeNeeds } from './bridge-needs';
import { deviceNeeds } from './device-needs';
import { driveNeeds, volumeNeeds } from './drive-needs';
import { onGuest, onPath, onlyRoot, type Need, type Subject } from './need';

/** A write of the configuration: what it sets and removes, and what stands there before. */
export interface KeysWritten {
  subject: Subject;
  set: Configuration;
  delete: readonly string[];
  before: Configuration;
  /** What waits for a restart. */
  pending: Readonly<Record<string, string | null>>;
  cluster: ObservedCluster;
}

/** What a write to a guest that is there asks for. */
export function configNeeds({ subject, set, delete: gone, before, pending, cluster }: KeysWritten): Need[] {
  const { permissions } = cluster;
  const forKey = (key: string, text: string): Need[] => [
    ...ofKey(key, text, subject),
    ...(isDriveKey(key) ? driveNeeds(key, text, subject) : []),
    ...(isCardKey(key) ? bridgeNeeds(key, text, permissions) : []),
  ];
  // PVE looks at what a device was as well
  const replaced = [...Object.keys(set), ...gone].filter(key => before[key] !== undefined);
  const removed = gone.filter(key => before[key] === undefined);
  return [
    ...replaced.flatMap(key => forKey(key, before[key] ?? '')),
    // of a device that only waits, PVE looks at what waits
    ...removed.flatMap(key => ofKey(key, pending[key] ?? '', subject)),
    ...Object.entries(set).flatMap(([key, text]) => [
      ...forKey(key, text),
      ...valueNeeds(key, text, subject, cluster),
    ]),
  ];
}

/** What a create takes beside the keys of the configuration. */
const NO_SETTINGS =
  'archive bwlimit force ha-managed import-working-storage live-restore pool start storage unique vmid'.split(
    ' ',
  );

/** What the configuration of a new guest asks for, beside the right to make it: its drives need only their storages. */
export function createNeeds(params: CreateParams, subject: Subject, cluster: ObservedCluster): Need[] {
  const settings = Object.entries(params).filter(([key]) => !NO_SETTINGS.includes(key));
  const managed = params['ha-managed'] === undefined ? [] : [onPath('ha-managed', '/', 'Sys.Console')];
  const needs = settings.flatMap(([key, value]) => {
    const text = String(value);
    return [
      ...ofKey(key, text, subject),
      ...(isCardKey(key) ? bridgeNeeds(key, text, cluster.permissions) : []),
      ...valueNeeds(key, text, subject, cluster),
    ];
  });
  return [...managed, ...needs];
}

/** What a key asks for whatever drive or bridge it names. */
function ofKey(key: string, text: string, subject: Subject): Need[] {
  if (isDriveKey(key)) return [];
  const { privilege = 'root@pam', hostPrivilege } = keyRow(key) ?? {};
  if (privilege === 'by value') return deviceNeeds(key, text, subject);
  if (privilege === 'root@pam') return [onlyRoot(key)];
  const need = onGuest(key, subject, ...privilege);
  return hostPrivilege === undefined ? [need] : [need, onPath(key, '/', hostPrivilege)];
}

/** What it takes to use what a key names: a volume, a storage, the host's random numbers. */
function valueNeeds(key: string, text: string, subject: Subject, { version }: ObservedCluster): Need[] {
  if (isDriveKey(key)) return volumeNeeds(key, text, subject);
  if (key === 'vmstatestorage') return [onPath(key, `/storage/${text}`, 'Datastore.AllocateSpace')];
  const isHostRandom = key === 'rng0' && propertiesOf(key, text).source === '/dev/hwrng';
  // PVE 9 shares the host's random numbers by a mapping; before, nobody but root could name them (assumed)
  const isMapped = Number.parseInt(version, 10) >= 9;
  return isHostRandom && isMapped ? [onPath(key, '/mapping/hwrng', 'Mapping.Use')] : [];
}
