import { isDataIsoOf, isRemembered, isSharedPlace } from '../../machine/data-iso/data-iso-name';
import { readDrive } from '../../guest/drive';
import type { IsoFacts, IsoFile } from '../../machine/facts';
import { maySeeAllGuests, type ObservedGuest } from '../../observed';
import { ifSeen } from '../../observe/if-allowed';
import { unseenUsers } from '../../observe/may-see-guests';
import { usersOf } from '../../observe/volume-users';
import { listIsos } from '../../pve';
import type { Run } from '../run';
import type { Wanted } from '../wanted';

/** Where a machine is or is to be. */
interface At {
  node: string;
  guest: ObservedGuest | undefined;
}

/** The ISOs that the plans of one run saw in the drives of its machine, and those that it gave up since. */
export class SeenIsos {
  private readonly attached = new Set<string>();
  private readonly givenUp = new Set<string>();

  /** Takes what the guest has in its drives now. */
  note(volumes: readonly string[]): void {
    for (const volume of volumes) this.attached.add(volume);
  }

  /** Whether the guest had it in a drive when this run looked. */
  has(volume: string): boolean {
    return this.attached.has(volume);
  }

  /**
   * Whether this run has just taken an ISO out: true once for each. All guests are asked directly before it is removed,
   * and where one of them uses it the next plan asks them too.
   */
  isGivenUp(volume: string): boolean {
    if (!this.attached.has(volume) || this.givenUp.has(volume)) return false;
    this.givenUp.add(volume);
    return true;
  }
}

/**
 * What a plan needs to know of the ISOs with a machine's cloud-init data. Undefined: the storages are not known. Read
 * anew for each plan: anybody may remove a file.
 */
export async function isosOf(
  run: Run,
  wanted: Wanted,
  at: At,
  seen: SeenIsos,
): Promise<IsoFacts | undefined> {
  const remembered = at.guest?.mark?.dataIsoPlaces ?? [];
  await run.reading.learn([at.node]);
  const storages = storagesOf(run, at.node);
  if (storages === undefined) return undefined;
  const unread: string[] = [];
  // nothing was uploaded to a place before the mark named it
  const lists = await Promise.all(
    remembered.map(async place => {
      const [storage = '', node = at.node] = place.split('@');
      const rows = await ifSeen(listIsos(run.pve, node, storage));
      if (rows === undefined) unread.push(place);
      return (rows ?? []).map(({ volid, size }) => ({ place, node, volume: volid, bytes: size ?? 0 }));
    }),
  );
  const { owner, ids } = wanted.identity;
  const own = lists.flat().filter(({ volume }) => isDataIsoOf(volume, owner, ids));
  return {
    node: at.node,
    storages,
    files: await withUsers(run, own, { id: wanted.spec.id, guest: at.guest }, seen),
    unread,
  };
}

/** The storages of a node that take ISO files and that the cluster's spec allows; undefined: not known. */
function storagesOf({ cluster, clusterSpec }: Run, node: string) {
  const known = cluster.nodes.find(({ name }) => name === node)?.storages;
  return known
    ?.filter(
      ({ active, content, name }) => active && content.includes('iso') && allows(clusterSpec.storages, name),
    )
    .map(({ name, shared }) => ({ name, shared }));
}

function allows(list: readonly string[] | undefined, name: string): boolean {
  return list === undefined || list.includes(name);
}

const UNSEEN = 'a guest that the user does not see';
const ELSEWHERE = 'a machine of that name in another cluster with the same storage';

/** Who else uses the files that the guest does not have in its drives: only those may be removed. */
async function withUsers(
  run: Run,
  files: readonly Omit<IsoFile, 'users'>[],
  { id, guest }: { id: string; guest: ObservedGuest | undefined },
  seen: SeenIsos,
): Promise<IsoFile[]> {
  const attached = Object.values({ ...guest?.current, ...guest?.pending }).map(
    text => readDrive(text ?? '').file,
  );
  seen.note(attached);
  const unclaimed = (file: Omit<IsoFile, 'users'>) =>
    isOwn(file, guest, seen) ? {} : { isUnclaimed: true as const };
  const loose = files.filter(({ volume }) => !attached.includes(volume));
  if (!maySeeAllGuests(run.cluster)) {
    const left = loose.filter(({ volume }) => seen.isGivenUp(volume));
    if (left.length > 0)
      run.report({ kind: 'warning', machine: id, text: unseenUsers(left, { isLast: false }) });
    return files.map(file => ({ ...file, ...unclaimed(file), users: [UNSEEN] }));
  }
  const asked = loose.filter(file => isOwn(file, guest, seen) && !seen.isGivenUp(file.volume));
  const volumes = asked.map(({ volume }) => volume);
  const users = volumes.length === 0 ? new Map<string, string[]>() : await usersOf(run.pve, volumes);
  return files.map(file => ({
    ...file,
    ...unclaimed(file),
    users: isOwn(file, guest, seen) ? (users.get(file.volume) ?? []) : [ELSEWHERE],
  }));
}

/** Whether a file is of this very guest: on a shared storage one of another cluster may have been made for its namesake. */
function isOwn(
  { volume, place }: Pick<IsoFile, 'volume' | 'place'>,
  guest: ObservedGuest | undefined,
  seen: SeenIsos,
): boolean {
  return !isSharedPlace(place) || seen.has(volume) || isRemembered(guest?.mark, volume);
}
