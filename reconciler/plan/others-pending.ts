import type { MachinePlan, Warning } from '../action';
import { propertiesOf } from '../guest/configuration';
import { isSecretKey } from '../guest/key-kinds';
import { takeBackLine } from '../guest/take-back';
import { bootSlots, STATE_SLOTS } from '../guest/slot-names';
import { waitingKeys } from '../guest/waiting';
import { wantsOf } from '../machine/parts/wants-of';
import type { Scene } from '../machine/scene';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';
import { bringsPending, goesBack, lostByPending } from './brings-pending';

/** What somebody else left waiting in Proxmox: this run brings it, though nothing in the spec asks for it. */
export function othersPending(
  scene: Scene,
  guest: ObservedGuest,
  doing: Pick<MachinePlan, 'actions' | 'restart'>,
): Warning[] {
  const what = bringsPending(doing, guest);
  if (what === undefined) return [];
  const lost = lostByPending(guest, doing).map(({ slot }) => slot);
  const felt = goesBack(doing) ? [] : waitingKeys(guest).filter(key => isOthers(scene, guest, key));
  const keys = Object.keys(guest.pending).filter(key => lost.includes(key) || felt.includes(key));
  if (keys.length === 0) return [];
  const changes = keys.map(key => pendingText(key, guest, lost));
  const text = `${what} also brings what somebody else left waiting in Proxmox, and the spec does not say: ${changes.join('; ')}. To keep it out, take it back first (${takeBackLine(guest, keys)}).`;
  return [{ about: 'pending of others', text }];
}

function isOthers(scene: Scene, { current, pending }: ObservedGuest, key: string): boolean {
  const waiting = pending[key];
  if (waiting === undefined) return false;
  if (key === 'boot' && isFollowUp(current[key], waiting)) return false;
  if (leavingSlots(scene).includes(key)) return false;
  const wants = [...wantsOf(scene), ...wantsOf({ ...scene, next: scene.running })].filter(
    want => want.key === key,
  );
  if (wants.some(({ property }) => property === undefined)) return false;
  // made once, and whole: one that waits beside the spec that asks for it is ours, with what Proxmox added to it
  if (STATE_SLOTS.includes(key) && current[key] === undefined && wants.length > 0) return false;
  const [now, then] = [propertiesOf(key, current[key]), propertiesOf(key, waiting ?? undefined)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])];
  return names.some(name => now[name] !== then[name] && !wants.some(({ property }) => property === name));
}

/** What left the spec, and goes with the restart. */
function leavingSlots({ slots }: Scene): string[] {
  return [...Object.values(slots.goneDisks), ...Object.values(slots.goneNetworks), ...slots.spareNetworks];
}

/** Proxmox takes a device that goes out of the boot order, and appends one that comes (behaviour.md §15.8). */
function isFollowUp(now = '', then: string | null): boolean {
  const [before, after] = [bootSlots({ boot: now }), bootSlots({ boot: then ?? '' })];
  const stay = before.filter(slot => after.includes(slot));
  return stay.length > 0 && stay.join() === after.filter(slot => before.includes(slot)).join();
}

/** A change that waits, in words. `lost`: the slots whose volumes go with it. */
export function pendingText(
  key: string,
  { current, pending }: Pick<ObservedGuest, 'current' | 'pending'>,
  lost: readonly string[],
): string {
  const end = lost.includes(key) ? ', and its volume is deleted' : '';
  return `${key} ${shown(key, current[key])} -> ${shown(key, pending[key])}${end}`;
}

function shown(key: string, value: string | null | undefined): string {
  if (value === undefined || value === null) return '(none)';
  return isSecretKey(key) ? '(secret)' : shownValue({ key }, value);
}
