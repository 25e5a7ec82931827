import type { Action, Change, Effect } from './action';
import { compare } from './machine/compare';
import { effectOn, isAlwaysLive } from './machine/effect';
import type { Scene } from './machine/scene';
import { wantsOf } from './machine/wants-of';
import { readDescription, writeDescription } from './mark';
import { markFor, sameMark } from './mark-for';
import type { ObservedGuest } from './observed';

/** The one write of the configuration that a round makes, if any. */
export interface ConfigWrite {
  actions: Action[];
  changes: Change[];
  keys: string[];
}

/** Everything that one write of the configuration can carry, the mark with it. `untouched`: keys for a later round. */
export function configWrite(scene: Scene, guest: ObservedGuest, untouched: readonly string[]): ConfigWrite {
  const effectOf = effectOn(scene.current, guest.power === 'running');
  const written = compare(
    wantsOf(scene).filter(({ key }) => !untouched.includes(key)),
    scene.config,
    effectOf,
  );
  const description = describe(scene, guest, slot => staysFor(slot, scene, effectOf));
  const set = { ...written.set, ...description.set };
  const keys = [...Object.keys(set), ...written.delete];
  const changes = [...adoption(scene), ...written.changes, ...description.changes];
  if (keys.length === 0) return { actions: [], changes, keys };
  const slow = keys.some(guest.power === 'stopped' ? isDrive : isSlow);
  const verify = !keys.every(isAlwaysLive);
  return { actions: [{ kind: 'configure', set, delete: written.delete, slow, verify }], changes, keys };
}

/** Keys whose write may allocate or free a volume. */
function isDrive(key: string): boolean {
  return /^(?:(?:ide|sata|scsi|virtio|unused)\d+|efidisk0|tpmstate0)$/.test(key);
}

/** Keys whose write may take long on a guest that runs: also what is plugged and unplugged. */
function isSlow(key: string): boolean {
  return isDrive(key) || /^(?:(?:net|usb|hostpci)\d+|memory|vcpus)$/.test(key);
}

/** A device that only leaves with the next start is remembered until then. */
function staysFor(
  slot: string,
  { config, current }: Scene,
  effectOf: (want: { field: string; key: string; value: null }) => Effect,
) {
  if (config[slot] === undefined) return current[slot] !== undefined;
  return effectOf({ field: '', key: slot, value: null }) === 'restart';
}

function adoption({ origin, vmid }: Scene): Change[] {
  return origin === 'adopted' ? [{ field: 'adopt', from: undefined, to: `VM ${vmid}`, effect: 'live' }] : [];
}

/** The user's text and our mark, where either differs. */
function describe(scene: Scene, guest: ObservedGuest, stays: (slot: string) => boolean) {
  const { spec } = scene;
  const cleared = spec.clear?.includes('description') === true;
  const text = spec.description ?? (cleared ? '' : guest.description);
  const mark = markFor(scene, stays);
  const isSameText = text.trimEnd() === guest.description.trimEnd();
  if (isSameText && scene.origin !== 'adopted' && sameMark(mark, guest.mark)) return { set: {}, changes: [] };
  const change: Change = {
    field: 'description',
    from: shown(guest.description),
    to: shown(text),
    effect: 'live',
  };
  return { set: { description: writeDescription(text, mark) }, changes: isSameText ? [] : [change] };
}

function shown(text: string): string | undefined {
  return text.trimEnd() === '' ? undefined : text;
}

/** The user's part of the description that a clone brings from its source. */
export function sourceText(config: Record<string, string> | undefined): string {
  return readDescription(config?.description ?? '').text;
}
