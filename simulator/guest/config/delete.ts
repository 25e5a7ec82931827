import { isRootUser } from '../../access/privileges';
import { fail } from '../../failure';
import type { Guest } from '../../world';
import { printBootOrder } from '../drives/boot-order';
import { requireOnGuest } from './key-permissions';
import type { ConfigUpdate } from './config-request';
import { registerUnusedDrive, tryDeallocateDrive } from '../drives/detach';
import { requireDevice, requireDrive } from './device-permissions';
import { isDriveKey, isUnusedKey, parseDrive } from '../drives/drive';
import { isNetKey, requireBridges } from '../keys/net';
import { requireTags } from '../keys/tags';
import { writeConfig } from '../conf-file/write';

type Deletion = (update: ConfigUpdate, draft: Guest, key: string, value: string, wasPending: boolean) => void;

const DELETIONS: readonly (readonly [(key: string) => boolean, Deletion])[] = [
  [isUnusedKey, deleteUnused],
  [key => key === 'vmstate', deleteState],
  [isDriveKey, deleteDrive],
  [key => /^serial\d+$/.test(key), deleteSerial],
  [key => key === 'tags', deleteTags],
  [isNetKey, deleteNet],
];

/** Marks one key for deletion, or deletes at once what no running guest notices. A key that is not set is no error. */
export function deleteKey(update: ConfigUpdate, key: string): void {
  const { sim, guest } = update;
  const value = guest.config[key] ?? guest.pending[key];
  if (value === undefined) {
    update.log(`cannot delete '${key}' - not set in current configuration!`);
    return;
  }
  update.changed.add(key);
  writeConfig(sim, guest, draft => {
    const wasPending = draft.pending[key] !== undefined;
    delete draft.pending[key];
    leaveBootOrder(update, draft, key);
    const deletion = DELETIONS.find(([matches]) => matches(key))?.[1] ?? deletePlain;
    deletion(update, draft, key, value, wasPending);
  });
}

function leaveBootOrder(update: ConfigUpdate, draft: Guest, key: string): void {
  if (!update.bootOrder.includes(key)) return;
  update.bootOrder = update.bootOrder.filter(device => device !== key);
  draft.pending['boot'] = printBootOrder(update.bootOrder);
  update.changed.add('boot');
}

function checkProtection({ config }: Guest, what: string): void {
  if (config['protection'] === '1') fail(`${what} - protection mode enabled`);
}

function deleteUnused(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  const drive = parseDrive(key, value);
  checkProtection(draft, `can't remove unused disk '${drive.file}'`);
  requireOnGuest(update, ['VM.Config.Disk']);
  if (tryDeallocateDrive(update.sim, draft, drive, update.user)) delete draft.config[key];
}

function deleteState(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  checkProtection(draft, `can't remove vmstate '${value}'`);
  const drive = { key, file: value, options: {} };
  if (tryDeallocateDrive(update.sim, draft, drive, update.user, true)) delete draft.config[key];
}

function deleteDrive(
  update: ConfigUpdate,
  draft: Guest,
  key: string,
  value: string,
  wasPending: boolean,
): void {
  checkProtection(draft, `can't remove drive '${key}'`);
  requireDrive(update, key, value);
  // PVE: takes the value that stands, even when another one waits
  if (wasPending) registerUnusedDrive(update.sim, draft, parseDrive(key, value));
  draft.pendingDelete[key] = update.force;
}

function deleteSerial(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  if (value === 'socket') requireOnGuest(update, ['VM.Config.HWType']);
  else if (!isRootUser(update.user)) fail(`only root can delete '${key}' config for real devices`);
  draft.pendingDelete[key] = update.force;
}

function deleteTags(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  requireTags(update.sim, update.user, update.vmid, undefined, value, '');
  delete draft.config[key];
}

function deleteNet(update: ConfigUpdate, draft: Guest, key: string): void {
  const now = draft.config[key];
  if (now !== undefined) requireBridges(update.sim, update.user, { [key]: now });
  draft.pendingDelete[key] = update.force;
}

function deletePlain(update: ConfigUpdate, draft: Guest, key: string, value: string): void {
  requireDevice(update, key, value);
  draft.pendingDelete[key] = update.force;
}
