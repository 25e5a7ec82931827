import type { ObservedGuest } from '../observed';
import {
  PveError,
  migrateGuest,
  readLastTask,
  readStatus,
  type GuestAddress,
  type Pve,
  type TaskWait,
} from '../pve';
import { haFailure, waitForHa } from '../waits/wait-for-ha';

/** Moves a guest to another node, with the disks that only its node has, and waits until it is there. */
export async function migrate(pve: Pve, guest: ObservedGuest, to: string, wait: TaskWait): Promise<void> {
  // Somebody may have started or stopped it since: Proxmox moves one that is off as such, whatever is said here
  const how = { target: to, online: true, 'with-local-disks': true };
  const ask = async () => (await migrateGuest(pve, guest, how, wait)).type;
  // Proxmox knows, whatever was listed before: HA's task ends as soon as HA was asked
  if ((await ask()) === 'hamigrate') await waitForHaMove(pve, guest, { to, askAgain: ask }, wait);
}

/** A move that HA was asked for. */
interface HaMove {
  to: string;
  askAgain: () => Promise<unknown>;
}

/** What HA says of a guest while it moves it. */
const MOVING = ['migrate', 'relocate'];

/**
 * HA's manager takes what it is asked every 10 s, and forgets it where it has not seen the guest before (Manager.pm, as
 * read). After so many looks at a guest that stays where it is, one in 2 s, HA is asked again: a second time does nothing.
 */
const LOOKS_AT_REST = 15;

/**
 * Waits until a guest is where HA was asked to move it. Fails with `changed` where it went elsewhere, and with what
 * Proxmox says where HA has begun and left it.
 */
async function waitForHaMove(pve: Pve, from: GuestAddress, { to, askAgain }: HaMove, wait: TaskWait) {
  const there = { vmid: from.vmid, node: to };
  let looksAtRest = 0;
  let hasBegun = false;
  let gone = 0;
  const isThere = async (): Promise<boolean> => {
    const state = await haStateAt(pve, from);
    if (state !== 'gone') {
      const isMoving = MOVING.includes(state);
      if (hasBegun && !isMoving) throw await left(pve, from, to);
      hasBegun ||= isMoving;
      if (!hasBegun && state !== '') looksAtRest += 1;
      if (looksAtRest === LOOKS_AT_REST) {
        looksAtRest = 0;
        await askAgain();
      }
      gone = 0;
      return false;
    }
    if ((await haStateAt(pve, there)) !== 'gone') return true;
    // a node may hear of the move a moment after the other
    gone += 1;
    if (gone > 1) throw haFailure('changed', from, `HA has moved it to another node than ${to}`);
    return false;
  };
  await waitForHa(pve, from, { to, isThere }, wait);
}

async function haStateAt(pve: Pve, at: GuestAddress): Promise<string> {
  try {
    return (await readStatus(pve, at)).ha?.state ?? '';
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return 'gone';
    throw error;
  }
}

async function left(pve: Pve, from: GuestAddress, to: string): Promise<PveError> {
  const log = await readLastTask(pve, from, 'qmigrate');
  const said = log.length === 0 ? '' : `: ${log.join(' | ')}`;
  return haFailure('failed', from, `HA has begun to move it to ${to} and left it on ${from.node}${said}`);
}
