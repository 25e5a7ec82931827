import type { ObservedGuest } from '../../observed';
import { deleteGuest, destroyHindrance, listSnapshots, type TaskWait } from '../../pve';
import type { Run } from '../../run/run';
import { whyItStays } from '../../plan/why-it-stays';
import type { Losses } from '../../../spec';
import { generationOf, isBroughtBack } from '../../guest/generation';
import { lossesOf, unnamed } from '../../guest/losses';
import { removeIsos } from './remove-isos';
import { changed, sameGuest, type Warn } from '../../observe/same-guest';

/** What it takes to destroy a guest. */
export interface Destruction {
  run: Run;
  wait: TaskWait;
  warn: Warn;
  /** Brings the guest to a stop; how hard is the caller's choice. */
  stop: (guest: ObservedGuest) => Promise<void>;
  /** Throws where the guest must not go, for a reason that is not in the guest. */
  allowed?: (() => Promise<void>) | undefined;
  /** Called when the next request is the DELETE. */
  sending?: () => void;
  /** What was said to go with it: what came since stays, and so the guest does. Absent: nothing was said. */
  named?: Losses | undefined;
  /** Volumes that were kept go with it. Absent: where its mark says so. */
  withKept?: boolean | undefined;
  /** The guest is the machine itself, so that the ISOs with its cloud-init data go before it. */
  withIsos?: boolean;
}

/**
 * The only way to a DELETE. Whatever came before, the quorum and then the guest are read directly before it: somebody
 * else's write may have waited for the lock that our stop held. The caller has read the guest in the request before.
 * Throws `changed` where it must not go: it is to be looked at anew.
 */
export async function destroyGuest(guest: ObservedGuest, destruction: Destruction): Promise<void> {
  const { run, stop } = destruction;
  if (guest.power !== 'stopped') await stop(guest);
  try {
    await deleteNow(guest, destruction, guest.power !== 'stopped');
  } catch (error) {
    // the listing said that it is off, which lags by some seconds; or somebody has started it
    if (destroyHindrance(error) !== 'running') throw error;
    await stop({ ...(await sameGuest(run.pve, guest)), power: 'unknown' });
    await deleteNow(guest, destruction, true);
  }
}

async function deleteNow(guest: ObservedGuest, destruction: Destruction, wasStopped: boolean): Promise<void> {
  const { run, wait, sending, withIsos } = destruction;
  let now = await mayGo(guest, destruction, wasStopped);
  if (withIsos && now.mark?.dataIsoPlaces) {
    // before the guest, whose mark says where they are
    await removeIsos(now, destruction);
    now = await mayGo(guest, destruction, wasStopped);
  }
  sending?.();
  await deleteGuest(run.pve, now, wait);
}

/** The guest as it is now, where it may be deleted. */
async function mayGo(
  guest: ObservedGuest,
  { run, allowed, warn, named, withKept }: Destruction,
  wasStopped: boolean,
): Promise<ObservedGuest> {
  await allowed?.();
  await run.needQuorumNow();
  const snapshots = named === undefined ? [] : await listSnapshots(run.pve, guest);
  const now = await sameGuest(run.pve, guest, wasStopped ? warn : undefined);
  const place = `guest ${guest.vmid} on ${guest.node}`;
  const stays = whyItStays(now, undefined, { withKept });
  if (stays?.why === 'protected') throw changed(guest, `${place} is protected now`);
  if (stays?.why === 'kept-volumes') throw changed(guest, `${place} holds a volume now that was kept`);
  if (stays) throw changed(guest, `${place} is a template now`);
  if (named === undefined) return now;
  // what this names is of the disks that it had then
  if (isBroughtBack(generationOf(guest.current), now.current))
    throw changed(guest, `${place} was rolled back or restored just now`);
  const { parent } = now.current;
  const isListed = parent === undefined || snapshots.some(({ name }) => name === parent);
  if (!isListed || unnamed(lossesOf(now, snapshots), named))
    throw changed(guest, `${place} would take more with it than was said`);
  return now;
}
