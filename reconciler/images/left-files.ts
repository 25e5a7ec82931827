import { checksumOf } from '../guest/image-file';
import { isDataIso, tagOfDataIso } from '../machine/data-iso/data-iso-name';
import { idsOf } from '../mark/identity';
import { ownerTag } from '../mark/owner-tag';
import type { ObservedCluster } from '../observed';
import { ifSeen } from '../observe/if-allowed';
import { listVolumes, deleteVolume, type Pve, type TaskWait } from '../pve';
import type { DesiredState } from '../../spec';
import { usersOfFiles, type Going, type KeptFile } from './file-users';

type WantedMachines = Pick<DesiredState, 'owner' | 'machines'>;

/**
 * The files of ours that no desired state of these wants, no guest of anybody names or was made of, and no task is at
 * work with. Reads only; whoever removes one looks again.
 */
export async function findLeftFiles(
  pve: Pve,
  cluster: ObservedCluster,
  states: readonly WantedMachines[],
  going: Going,
): Promise<KeptFile[]> {
  const isWanted = wantedBy(states);
  const kept = withSurplus(await keptFiles(pve, cluster)).filter(file => file.isSurplus || !isWanted(file));
  if (kept.length === 0) return [];
  const { users } = await usersOfFiles(pve, cluster, kept, going);
  return kept.filter((_, index) => users[index]?.length === 0);
}

/** Files that the machines of these states are made of. An ISO of a machine that is wanted is its own run's to remove. */
function wantedBy(states: readonly WantedMachines[]): (file: KeptFile) => boolean {
  const machines = states.flatMap(state => state.machines);
  const checksums = new Set(machines.map(({ image }) => image?.checksum?.toLowerCase()));
  const tags = new Set(
    states.flatMap(({ owner, machines: own }) =>
      own.flatMap(machine => idsOf(machine).map(id => ownerTag(owner, id))),
    ),
  );
  return ({ volume }) => checksums.has(checksumOf(volume)) || tags.has(tagOfDataIso(volume) ?? '');
}

/** Uploads that began at once, or were cut short, leave copies: the longest is the whole one. */
function withSurplus(files: readonly KeptFile[]): KeptFile[] {
  const best = new Map<string, KeptFile>();
  for (const file of files) {
    const other = best.get(contentOf(file));
    if (other === undefined || isBetter(file, other)) best.set(contentOf(file), file);
  }
  return files.map(file =>
    checksumOf(file.volume) === undefined || best.get(contentOf(file)) === file
      ? file
      : { ...file, isSurplus: true },
  );
}

function contentOf({ volume, node, isShared }: KeptFile): string {
  const [storage = ''] = volume.split(':');
  const ending = volume.slice(volume.lastIndexOf('.'));
  return [isShared ? '' : node, storage, checksumOf(volume) ?? volume, ending].join(' ');
}

/** One that was downloaded is named by its content alone, and is found by that name only. */
function isBetter(file: KeptFile, other: KeptFile): boolean {
  return file.bytes > other.bytes || (file.bytes === other.bytes && file.volume.length < other.volume.length);
}

/** All files of ours that the caller may see, on nodes that answer; one on shared storage once. */
async function keptFiles(pve: Pve, { nodes }: ObservedCluster): Promise<KeptFile[]> {
  const places = nodes
    .filter(({ online }) => online)
    .flatMap(({ name: node, storages = [] }) =>
      storages
        .filter(({ active, content }) => active && content.some(each => each === 'import' || each === 'iso'))
        .map(({ name: storage, shared: isShared }) => ({ node, storage, isShared })),
    );
  const once = places.filter(
    ({ storage, isShared }, index) =>
      !isShared || places.findIndex(other => other.isShared && other.storage === storage) === index,
  );
  const lists = await Promise.all(
    once.map(async ({ node, storage, isShared }) =>
      ((await ifSeen(listVolumes(pve, node, storage))) ?? [])
        .filter(({ volid }) => checksumOf(volid) !== undefined || isDataIso(volid))
        .map(({ volid, size = 0 }) => ({ volume: volid, node, isShared, bytes: size })),
    ),
  );
  return lists.flat();
}

/** A guest that was destroyed is not read any more; one that took its number is. */
const NOBODY: ReadonlySet<number> = new Set();

/**
 * Removes a file that was found left, unless somebody uses it by now or may: then why it stays is reported. All guests and
 * tasks are read directly before the delete; the caller has asked for the quorum. One that is gone is done.
 */
export async function removeLeftFile(
  file: KeptFile,
  cluster: ObservedCluster,
  { pve, wait }: { pve: Pve; wait: TaskWait },
): Promise<string | undefined> {
  const { users, unread } = await usersOfFiles(pve, cluster, [file], NOBODY);
  const now = users.flat();
  if (now.length > 0) return `it is used by now: ${now.join(', ')}`;
  if (unread.length > 0)
    return `who uses it is not known: ${unread.join(' and ')} could not be listed. Running again is safe`;
  await deleteVolume(pve, file.node, file.volume, wait);
  return undefined;
}
