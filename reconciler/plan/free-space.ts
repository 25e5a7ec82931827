import { inOneUnit } from '../../spec';
import type { Action, Warning } from '../action';
import type { Configuration } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import type { Scene } from '../machine/scene';
import type { ObservedCluster } from '../observed';

const GIB = 2 ** 30;

/**
 * What to tell where the disks of a guest are to take more room than its storage has left. Most storages take such a
 * disk, and it fails when it is written to.
 */
export function lackOfRoom(
  { config }: Pick<Scene, 'config'>,
  actions: readonly Action[],
  cluster: Pick<ObservedCluster, 'nodes'> | undefined,
  on: string | undefined,
): Warning[] {
  const node = cluster?.nodes.find(({ name }) => name === on);
  const wanted = new Map<string, number>();
  for (const { storage, bytes } of actions.flatMap(action => taken(config, action)))
    wanted.set(storage, (wanted.get(storage) ?? 0) + bytes);
  return (node?.storages ?? node?.listedStorages ?? []).flatMap(({ name, available = Infinity }) => {
    const bytes = wanted.get(name) ?? 0;
    if (bytes <= available) return [];
    const [free, more] = inOneUnit(Math.floor(available / GIB) * GIB, bytes);
    const text = `its disks may take ${more} more of storage ${name}, which has ${free} free on ${on}: where it is full, they fail.`;
    return { about: `room on ${name}`, text };
  });
}

/** The room that an action takes, where that is known before: of new disks, and of those that grow. */
function taken(config: Configuration, action: Action): { storage: string; bytes: number }[] {
  if (action.kind === 'resize') {
    const { storage, bytes: before } = readDrive(config[action.slot]);
    return storage === undefined || before === undefined ? [] : [{ storage, bytes: action.bytes - before }];
  }
  if (action.kind !== 'configure') return [];
  return Object.entries(action.set).flatMap(([key, line]) => {
    const { file, storage } = readDrive(line);
    const [, gib] = /^[^:]+:(\d+(?:\.\d+)?)$/.exec(file) ?? [];
    const isNew = isDriveKey(key) && storage !== undefined && gib !== undefined;
    return isNew ? [{ storage, bytes: Number(gib) * GIB }] : [];
  });
}
