import type { Action, MachinePlan, Warning } from '../action';
import { propertiesOf } from '../guest/configuration';
import { isSecretKey } from '../guest/key-kinds';
import { isOnlySign } from '../guest/next-boot';
import { bootSlots } from '../guest/slot-names';
import { wantsOf } from '../machine/parts/wants-of';
import type { Scene } from '../machine/scene';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';

/** What somebody else left waiting in Proxmox: a start or a restart of ours brings it, though nothing in the spec asks for it. */
export function othersPending(
  scene: Scene,
  guest: ObservedGuest,
  actions: readonly Action[],
  { restart }: Pick<MachinePlan, 'restart'>,
): Warning[] {
  const starts = actions.some(action => action.kind === 'power' && action.to === 'running');
  if (restart !== 'now' && !starts) return [];
  const keys = Object.keys(guest.pending).filter(key => isOthers(scene, guest, key));
  if (keys.length === 0) return [];
  const changes = keys.map(
    key => `${key} ${shown(key, guest.current[key])} -> ${shown(key, guest.pending[key])}`,
  );
  const what = restart === 'now' ? 'The restart' : 'The start';
  const undo = `on ${guest.node}: qm set ${guest.vmid} --revert ${keys.join(',')}`;
  const text = `${what} also brings what somebody else left waiting in Proxmox, and the spec does not say: ${changes.join('; ')}. To keep it out, take it back first (${undo}).`;
  return [{ about: 'pending of others', text }];
}

function isOthers(scene: Scene, { current, pending }: ObservedGuest, key: string): boolean {
  const waiting = pending[key];
  if (waiting === undefined || waiting === current[key]) return false;
  if (key === 'smbios1' && isOnlySign(waiting, current[key])) return false;
  if (key === 'boot' && isFollowUp(current[key], waiting)) return false;
  if (leavingSlots(scene).includes(key)) return false;
  const wants = [...wantsOf(scene), ...wantsOf({ ...scene, next: scene.running })].filter(
    want => want.key === key,
  );
  if (wants.some(({ property }) => property === undefined)) return false;
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

function shown(key: string, value: string | null | undefined): string {
  if (value === undefined || value === null) return '(none)';
  return isSecretKey(key) ? '(secret)' : shownValue({ key }, value);
}
