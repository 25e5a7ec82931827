import type { ActionOf } from '../action';
import { changeHa, joinHa, readStatus, type GuestAddress, type Pve } from '../pve';

/**
 * Brings a guest into the care of HA, or tells HA otherwise of it. HA starts or stops a guest until it is as HA was told:
 * where its power is not ours to say, HA is told what it is at that moment.
 */
export async function intoHa(
  pve: Pve,
  guest: GuestAddress,
  { kind, set, keepsPower }: ActionOf<'join-ha' | 'change-ha'>,
): Promise<void> {
  const write = kind === 'join-ha' ? joinHa : changeHa;
  if (!keepsPower) return void (await write(pve, guest.vmid, set));
  const told = await haStateNow(pve, guest);
  await write(pve, guest.vmid, { ...set, state: told });
  // somebody may have started or stopped it meanwhile: HA acts some seconds later
  const state = await haStateNow(pve, guest);
  if (state !== told) await changeHa(pve, guest.vmid, { state });
}

async function haStateNow(pve: Pve, guest: GuestAddress): Promise<string> {
  return (await readStatus(pve, guest)).status === 'running' ? 'started' : 'stopped';
}
