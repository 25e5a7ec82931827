import { Failure } from '../../failure';
import { describeFailure, splitList } from '../../perl-text';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { isCloudInitKey, recordImageChange } from '../cloud-init/changes';
import { generateCloudInit } from '../cloud-init/image';
import { deleteOrDetachDrive } from '../drives/detach';
import { isCloudInit, isDriveKey, parseDrive } from '../drives/drive';
import { plugCpus, plugMemory } from './cpu-memory';
import { plugDrive } from './plug-drive';
import { plugNet } from './plug-net';
import type { Plug, Plugging } from './plugging';
import { changeAgent, changeBalloon, changeFeatures, resetBalloon } from './values';
import { unplug } from './unplug';
import { writeConfig } from '../conf-file/write';

/** Takes a value away live: true when that worked. */
type Removal = (plugging: Plugging, key: string, force: boolean) => boolean;

const LIVE = new Set(
  'description hookscript lock migrate_downtime migrate_speed name onboot protection shares startup tags vmstatestorage'.split(
    ' ',
  ),
);
const isLive = (key: string): boolean => LIVE.has(key) || isCloudInitKey(key);
const atOnce: Plug = (_plugging, _key, value) => value;
const needs =
  (feature: string, plug: Plug): Plug =>
  (plugging, key, value) =>
    plugging.features.has(feature) ? plug(plugging, key, value) : undefined;

const PLUGS: readonly (readonly [RegExp, Plug])[] = [
  [/^hotplug$/, changeFeatures],
  [/^tablet$/, needs('usb', atOnce)],
  [/^usb\d+$/, plugUsb],
  [/^vcpus$/, needs('cpu', plugCpus)],
  [/^balloon$/, changeBalloon],
  [/^net\d+$/, plugNet],
  [/^memory$/, needs('memory', plugMemory)],
  [/^(cpuunits|cpulimit)$/, atOnce],
  [/^agent$/, changeAgent],
];

const REMOVALS: readonly (readonly [RegExp, Removal])[] = [
  [/^hotplug$/, ({ guest }) => !/cpu|memory/.test(guest.config['hotplug'] ?? '')],
  [/^tablet$/, ({ features }) => features.has('usb')],
  [/^usb\d+$/, plugging => canPlugUsb(plugging)],
  [/^vcpus$/, plugging => needs('cpu', plugCpus)(plugging, 'vcpus', '') !== undefined],
  [/^balloon$/, resetBalloon],
  [/^net\d+$/, removeNet],
  [/^(scsi|virtio)\d+$/, removeDrive],
  [/^memory$/, plugging => needs('memory', plugMemory)(plugging, 'memory', '512') !== undefined],
  [/^(cpuunits|cpulimit)$/, () => true],
];

/**
 * Makes the pending changes of a running guest live where qemu can; the others keep waiting without a word. Only the
 * chosen keys are tried, but what needs no plugging is always taken over. What went wrong comes back by key.
 */
export function hotplugPending(
  sim: Sim,
  guest: Guest,
  user: string,
  chosen: ReadonlySet<string>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  writeConfig(sim, guest, takeOverLive);
  const plugging = { sim, guest, user, features: featuresOf(guest) };
  for (const key of Object.keys(guest.pendingDelete).sort()) {
    if (chosen.has(key)) attempt(errors, key, () => removeLive(plugging, key));
  }
  const keys = Object.keys(guest.pending).filter(key => chosen.has(key));
  const isImage = (key: string): boolean =>
    isDriveKey(key) && isCloudInit(parseDrive(key, guest.pending[key] ?? ''));
  // PVE: the cloud-init drive comes last, so that its image has all the other changes
  for (const key of [...keys.filter(each => !isImage(each)), ...keys.filter(isImage)]) {
    attempt(errors, key, () => changeLive(plugging, key));
  }
  if (plugging.features.has('cloudinit') && guest.cloudInitChanges) {
    writeConfig(sim, guest, draft => generateCloudInit(sim, draft));
  }
  return errors;
}

function takeOverLive(draft: Guest): void {
  for (const [key, value] of Object.entries(draft.pending).filter(([each]) => isLive(each))) {
    recordImageChange(draft, key, draft.config[key], value);
    draft.config[key] = value;
    delete draft.pending[key];
  }
}

function featuresOf({ config }: Guest): Set<string> {
  const { hotplug = '1' } = config;
  if (hotplug === '0') return new Set();
  return new Set(splitList(hotplug === '1' ? 'network,disk,usb' : hotplug));
}

function attempt(errors: Record<string, string>, key: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    errors[key] = `hotplug problem - ${describeFailure(error)}`;
  }
}

function removeLive(plugging: Plugging, key: string): void {
  const { sim, guest } = plugging;
  writeConfig(sim, guest, draft => {
    const force = draft.pendingDelete[key] ?? false;
    const removal = REMOVALS.find(([pattern]) => pattern.test(key))?.[1];
    const gone = isLive(key) || (removal?.({ ...plugging, guest: draft }, key, force) ?? false);
    if (!gone) return;
    recordImageChange(draft, key, draft.config[key], undefined);
    delete draft.config[key];
    delete draft.pendingDelete[key];
  });
}

function changeLive(plugging: Plugging, key: string): void {
  const { sim, guest } = plugging;
  writeConfig(sim, guest, draft => {
    const wanted = draft.pending[key];
    if (wanted === undefined) return;
    const plug = isDriveKey(key) ? plugDrive : PLUGS.find(([pattern]) => pattern.test(key))?.[1];
    const value = plug?.({ ...plugging, guest: draft }, key, wanted);
    if (value === undefined) return;
    recordImageChange(draft, key, draft.config[key], value);
    draft.config[key] = value;
    delete draft.pending[key];
  });
}

function removeNet(plugging: Plugging, key: string): boolean {
  if (!plugging.features.has('network')) return false;
  unplug(plugging.sim, plugging.guest, key);
  return true;
}

function removeDrive({ sim, guest, user, features }: Plugging, key: string, force: boolean): boolean {
  if (!features.has('disk')) return false;
  if (guest.config[key] === undefined) return true;
  unplug(sim, guest, key);
  deleteOrDetachDrive(sim, guest, key, user, force);
  return true;
}

/** USB devices come and go only in Linux and newer Windows. */
function canPlugUsb({ guest, features }: Plugging): boolean {
  return features.has('usb') && /^(l26|win(8|10|11))$/.test(guest.config['ostype'] ?? '');
}

function plugUsb(plugging: Plugging, _key: string, value: string): string | undefined {
  return canPlugUsb(plugging) ? value : undefined;
}
