import { isRootUser } from '../../access/privileges';
import { fail } from '../../failure';
import { parsePropertyString } from '../../schema/property-string';
import type { Guest } from '../../world';
import { bootOrderOf, printBootOrder } from '../drives/boot-order';
import { requireOnGuest } from './key-permissions';
import { configFormat } from '../keys/schema';
import type { ConfigUpdate } from './config-request';
import { registerUnusedDrive } from '../drives/detach';
import { requireDevice, requireDrive } from './device-permissions';
import { createDisks } from '../drives/create';
import { isCdrom, isDriveKey, parseDrive } from '../drives/drive';
import { checkMachine, isWindows, pinnedMachine } from '../keys/machine';
import { isNetKey, requireBridges } from '../keys/net';
import { hashedPassword } from '../cloud-init/password';
import { requireTags, uniqueTags } from '../keys/tags';
import { writeConfig } from '../conf-file/write';

type Setter = (update: ConfigUpdate, draft: Guest, key: string, value: string) => void;

const SETTERS: readonly (readonly [(key: string) => boolean, Setter])[] = [
  [isDriveKey, setDrive],
  [key => /^serial\d+$/.test(key), setSerial],
  [isNetKey, setNet],
];

const NAMED: Record<string, Setter> = {
  tags: setTags,
  vga: setVga,
  machine: setMachine,
  ostype: setOsType,
  cipassword: setPassword,
  boot: setBoot,
};

/** Writes one value into the pending section. A value that waits there already is left alone. */
export function setKey(update: ConfigUpdate, key: string, value: string): void {
  const { sim, guest } = update;
  update.changed.add(key);
  if (guest.pending[key] === value) return;
  const setter = NAMED[key] ?? SETTERS.find(([matches]) => matches(key))?.[1] ?? setPlain;
  writeConfig(sim, guest, draft => {
    setter(update, draft, key, value);
    delete draft.pendingDelete[key];
  });
}

function setDrive(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  const { sim, user, node, vmid } = update;
  const now = draft.config[key];
  const waiting = draft.pending[key];
  if (now !== undefined) requireDrive(update, key, now);
  if (now !== undefined && key === 'tpmstate0') keepTpmVersion(now, value);
  requireDrive(update, key, value);
  if (waiting !== undefined) registerUnusedDrive(sim, draft, parseDrive(key, waiting));
  const config = { ...draft.config, ...draft.pending };
  const lines = createDisks({ sim, user, node, vmid, config, settings: { [key]: value }, log: update.log });
  Object.assign(draft.pending, lines);
  // a new CD-ROM can be booted from
  const isNewCdrom = isCdrom(parseDrive(key, value), true) && !update.bootOrder.includes(key);
  if (update.bootOrder.length === 0 || !isNewCdrom) return;
  update.bootOrder.push(key);
  draft.pending['boot'] = printBootOrder(update.bootOrder);
  update.changed.add('boot');
}

function keepTpmVersion(before: string, after: string): void {
  const [old, wanted] = [parseDrive('tpmstate0', before), parseDrive('tpmstate0', after)];
  if (old.file !== wanted.file) return;
  if ((old.options['version'] ?? 'v1.2') === (wanted.options['version'] ?? 'v1.2')) return;
  fail('cannot change TPM state version after creation');
}

function setSerial(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  if ((draft.config[key] ?? 'socket') === 'socket' && value === 'socket') {
    requireOnGuest(update, ['VM.Config.HWType']);
  } else if (!isRootUser(update.user)) {
    fail(`only root can modify '${key}' config for real devices`);
  }
  draft.pending[key] = value;
}

function setNet(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  const now = draft.config[key];
  if (now !== undefined) requireBridges(update.sim, update.user, { [key]: now });
  draft.pending[key] = value;
}

function setTags(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  requireTags(update.sim, update.user, update.vmid, undefined, draft.config[key] ?? '', value);
  draft.pending[key] = uniqueTags(update.sim, value);
}

/** Fails for a display that cannot share the clipboard over VNC. */
export function checkClipboard(vga: string | undefined): void {
  const format = configFormat('vga');
  if (vga === undefined || format === undefined) return;
  const { clipboard, type } = parsePropertyString(format, vga);
  if (clipboard === 'vnc' && type !== undefined && !/^(std|cirrus|vmware|virtio|qxl)/.test(type)) {
    fail(`vga type ${type} is not compatible with VNC clipboard`);
  }
}

function setVga(_update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  checkClipboard(value);
  draft.pending[key] = value;
}

function setMachine(_update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  checkMachine(value);
  draft.pending[key] = value;
}

function setOsType(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  if (draft.pending['machine'] === undefined && !update.changed.has('machine')) {
    const pinned = pinnedMachine(draft.config['machine'], value, update.log);
    if (pinned !== '') draft.pending['machine'] = pinned;
  }
  draft.pending[key] = value;
}

function setPassword(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  const plain = isWindows(draft.config['ostype']);
  // PVE: hashed on an update, kept as it is by a create; never pending
  draft.config[key] = plain ? value : hashedPassword(update.sim.random, value);
}

function setBoot(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  draft.pending[key] = value;
  const devices = bootOrderOf(value);
  if (devices.length === 0) return;
  for (const device of devices) {
    const known = [draft.config, draft.pending, update.settings].some(values => values[device] !== undefined);
    if (!known || update.deletions.includes(device)) {
      fail(`invalid bootorder: device '${device}' does not exist'`);
    }
  }
  draft.pending[key] = printBootOrder(devices);
  if (draft.config['bootdisk'] !== undefined) draft.pendingDelete['bootdisk'] = false;
}

function setPlain(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  requireDevice(update, key, draft.config[key]);
  requireDevice(update, key, value);
  draft.pending[key] = value;
}
