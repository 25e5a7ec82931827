import { fail, failParameters } from '../../failure';
import { parsePropertyString } from '../../schema/property-string';
import type { Config, Guest } from '../../world';
import { bootOrderOf } from '../drives/boot-order';
import { checkDigest, checkLock, loadGuest } from '../conf-file/load';
import { deleteKey } from './delete';
import type { ConfigRequest, ConfigUpdate } from './config-request';
import { setKey } from './set';
import { isDriveKey } from '../drives/drive';
import { hotplugPending } from '../hotplug/hotplug-pending';
import { applyPending, cleanPending, hasPending } from './pending';
import { writeConfig } from '../conf-file/write';

/** What must hold of the configuration before a write: the digest, no lock, memory for the balloon. Writes nothing. */
export function checkUpdate(request: ConfigRequest): {
  guest: Guest;
  settings: Config;
  deletions: string[];
} {
  const guest = loadGuest(request.sim, request.node, request.vmid);
  checkDigest(guest, request.digest);
  const deletions = [...request.deletions];
  // a suspended guest is freed by deleting its saved state
  const wakes = deletions.includes('vmstate');
  if (wakes) deletions.push(...keysOfSavedState(guest));
  if (!request.skiplock && !(wakes && guest.config['lock'] === 'suspended')) checkLock(guest);
  const settings = { ...request.settings };
  for (const key of request.reverts) {
    const now = guest.config[key];
    if (now !== undefined) settings[key] = now;
    else if (guest.pending[key] !== undefined) deletions.push(key);
  }
  checkBalloon(guest, settings);
  return { guest, settings, deletions };
}

function keysOfSavedState({ config }: Guest): string[] {
  const keys = ['runningmachine', 'runningcpu', 'running-nets-host-mtu'].filter(key => key in config);
  return config['lock'] === 'suspended' ? ['lock', ...keys] : keys;
}

function checkBalloon({ config, pending }: Guest, settings: Config): void {
  if (settings['memory'] === undefined && settings['balloon'] === undefined) return;
  const memory = settings['memory'] ?? pending['memory'] ?? config['memory'];
  const size = memory === undefined ? 512 : Number(parsePropertyString(MEMORY, memory)['current']);
  const balloon = settings['balloon'] ?? pending['balloon'] ?? config['balloon'];
  if (balloon !== undefined && Number(balloon) > size) {
    fail('balloon value too large (must be smaller than assigned memory)');
  }
}

const MEMORY = {
  kind: 'property-string',
  properties: { current: { type: 'integer', default_key: 1 } },
};

/**
 * Writes a verified request into the configuration: deletions, then settings, into the pending section; then applies
 * what is pending, at once when the guest is off, else as far as it can be hot-plugged. The caller holds the lock file.
 * Fails for keys that could not be hot-plugged, but their values stay pending.
 */
export function updateConfig(request: ConfigRequest, log: (line: string) => void): void {
  const checked = checkUpdate(request);
  log(`update VM ${request.vmid}: ${request.summary}`);
  const [empty] = request.empty;
  // recording h0, step 19
  if (empty !== undefined) fail(`unable to parse value of '${empty}' - got undefined value`);
  const { guest } = checked;
  const update: ConfigUpdate = {
    ...request,
    ...checked,
    changed: new Set(),
    bootOrder: bootOrderOf(guest.config['boot']),
    log,
  };
  for (const key of update.deletions) deleteKey(update, key);
  for (const key of inOrder(update.settings)) setKey(update, key, update.settings[key] ?? '');
  writeConfig(update.sim, guest, cleanPending);
  if (!hasPending(guest)) return;
  const errors = guest.running
    ? hotplugPending(update.sim, guest, update.user, update.changed)
    : applyPending(update.sim, guest, update.user);
  if (Object.keys(errors).length > 0) failParameters(errors);
}

/** Drives first: when one cannot be made, nothing else of the request has been written. */
function inOrder(settings: Config): string[] {
  const keys = Object.keys(settings).sort();
  return [...keys.filter(isDriveKey), ...keys.filter(key => !isDriveKey(key))];
}
