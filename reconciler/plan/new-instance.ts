import type { Losses } from '../../spec';
import { startsGuest, writtenKeys, type Action, type ActionOf, type Warning } from '../action';
import { propertiesOf } from '../guest/configuration';
import { isCloudInit } from '../guest/drive';
import { isCardKey, isCloudInitKey } from '../guest/key-kinds';
import { waitsForBoot } from '../guest/next-boot';
import { runOnce, type RunOnce } from '../machine/data-iso/run-once';
import type { Scene } from '../machine/scene';
import { becomesNewInstance, hasOwnInstanceId, wantsDataIso } from '../machine/wanted-data-iso';
import type { ObservedGuest } from '../observed';

type Write = ActionOf<'configure'>;

/**
 * Cloud-init runs again what it runs once per instance. Whose id that is differs: Proxmox makes it of all that its drive
 * says (behaviour.md §9; Cloudinit.pm, nocloud_gen_metadata), we of what the user said (machine/data-iso). It is told where
 * that changes, and as long as it waits for the boot that reads it.
 */
export function newInstance(scene: Scene, guest: ObservedGuest, writes: readonly Write[]): Warning[] {
  const state = instanceOf(scene, guest, writes);
  if (state === undefined) return [];
  const isRenamed = !wantsDataIso(scene) && writes.some(({ set }) => set['name'] !== undefined);
  const begins = isRenamed
    ? 'the guest itself takes the new name at its next start. Cloud-init then takes it for a new one'
    : `at its next start cloud-init takes the guest for a new one${WHY[state]}`;
  const once = runOnce(dataOf(scene));
  const again = `it makes new SSH host keys${whatElse(scene, once)}`;
  const text = `${begins}: ${again}.${writtenOver(once)}`;
  return [{ about: isRenamed ? 'a new name in the guest' : 'a new instance', text }];
}

/** What a start may write over on disks of the guest, in words: by a start of this run, or by the next one after this write. */
export function dataLost(scene: Scene, guest: ObservedGuest, actions: readonly Action[]): Losses | undefined {
  const state = instanceOf(scene, guest, actions.filter(isWrite));
  if (state === undefined || (state !== 'changes' && !actions.some(startsGuest))) return undefined;
  const { formats } = runOnce(dataOf(scene));
  const data = formats.map(name => `what ${name} of its cloud-init data may write over`);
  return data.length === 0 ? undefined : { volumes: [], snapshots: [], data };
}

const WHY = {
  changes: ', as its cloud-init data changes',
  waits: ', as its cloud-init data has changed since it was started',
  'may wait': ', unless its cloud-init data is again what it was at the last start',
};

/** Whether it is another instance at its next start. One that is being made is new anyway. */
function instanceOf(
  scene: Scene,
  guest: ObservedGuest,
  writes: readonly Write[],
): keyof typeof WHY | undefined {
  const { origin, context, slots } = scene;
  if (origin === 'cloned' || context.done.isMade || guest.mark?.isUnfinished === true) return undefined;
  const waiting = waitsForBoot(guest) ?? {};
  if (wantsDataIso(scene)) {
    if (becomesNewInstance(scene)) return 'changes';
    const isSame = guest.mark?.keepsData === true || hasOwnInstanceId(scene);
    return slots.cloudInit in waiting && !isSame ? 'may wait' : undefined;
  }
  if (writes.some(write => changesDrive(scene, write))) return 'changes';
  const isOwn = isCloudInit(scene.next[slots.cloudInit]) && !hasOwnId(scene);
  const isLeft = (key: string): boolean => waiting[key] === null || !isWrittenBack(scene, key, writes);
  return isOwn && Object.keys(waiting).filter(isCloudInitKey).some(isLeft) ? 'waits' : undefined;
}

/** Whether a key is again as the guest was started with, by these writes. */
function isWrittenBack({ running }: Scene, key: string, writes: readonly Write[]): boolean {
  return writes.some(write => writtenKeys(write).includes(key) && write.set[key] === running[key]);
}

/** Whether a write changes what Proxmox's own drive says, compared with what the guest was started with. */
function changesDrive(scene: Scene, write: Write): boolean {
  const { next, running, slots } = scene;
  const drive = write.set[slots.cloudInit] ?? next[slots.cloudInit];
  if (!isCloudInit(drive) || hasOwnId(scene)) return false;
  if (!isCloudInit(next[slots.cloudInit])) return true;
  return writtenKeys(write).some(key => {
    if (isCardKey(key)) return isAnotherMac(scene, key, write.set);
    return (key === 'name' || isCloudInitKey(key)) && write.set[key] !== running[key];
  });
}

/** The drive names a card that has an address by its MAC address. */
function isAnotherMac({ next }: Scene, key: string, set: Write['set']): boolean {
  const address = key.replace('net', 'ipconfig');
  if ((set[address] ?? next[address]) === undefined) return false;
  const [then, now] = [set[key], next[key]].map(line => propertiesOf(key, line).macaddr);
  return then !== undefined && now !== undefined && String(then).toUpperCase() !== String(now).toUpperCase();
}

/** A snippet with meta data of the user's says the id. */
function hasOwnId({ next }: Scene): boolean {
  return /(?:^|,)meta=/.test(next['cicustom'] ?? '');
}

function isWrite(action: Action): action is Write {
  return action.kind === 'configure';
}

function dataOf(scene: Scene) {
  return wantsDataIso(scene) ? (scene.context.wanted.secrets.data ?? {}) : {};
}

function whatElse(scene: Scene, { names }: RunOnce): string {
  if (!wantsDataIso(scene)) {
    const isOff = scene.spec.cloudInit?.upgradePackages === false;
    return isOff ? '' : ', and upgrades the packages unless cloudInit.upgradePackages is false';
  }
  const said = names.length === 0 ? '' : ` (here ${names.join(', ')})`;
  return `, and runs again what it runs once${said}. To choose yourself when it is a new one, say an instance-id in cloudInit.metaData (cloud-init query instance_id, in the guest, tells the present one)`;
}

function writtenOver({ formats }: RunOnce): string {
  if (formats.length === 0) return '';
  const names = formats.join(' and ');
  return ` What ${names} may write over is lost then: as it is written, it may format a disk that is in use. Take ${names} out of the data in the same change, and the disks stay as they are.`;
}
