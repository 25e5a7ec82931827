import { keyName, keyRow } from '../pve/keys/key-row';

/** Whether a key is a line of a guest's configuration, and no mere parameter of the request that makes it. */
export function isConfigKey(key: string): boolean {
  return keyRow(key) !== undefined;
}

/** Whether a key's line is a drive of the guest. */
export function isDriveKey(key: string): boolean {
  const volume = keyRow(key)?.volume;
  return volume === 'bus' || volume === 'state';
}

/** Whether a key holds a volume that was detached and that nobody uses. */
export function isUnusedKey(key: string): boolean {
  return keyRow(key)?.volume === 'unused';
}

/** Whether a key's line names a volume, used or not. */
export function isVolumeKey(key: string): boolean {
  return keyRow(key)?.volume !== undefined;
}

/** Whether a write of a key may take long on a guest that runs: also what is plugged and unplugged. */
export function isSlowKey(key: string): boolean {
  return keyRow(key)?.slow === true;
}

/** Whether a key's line is a network card. */
export function isCardKey(key: string): boolean {
  return keyName(key) === 'net[n]';
}

/** Whether a key's line may be a device of one node. */
export function isNodeKey(key: string): boolean {
  return keyRow(key)?.ofNode === true;
}

/** Whether a key stands in the cloud-init drive, so that a change of it needs a new drive. */
export function isCloudInitKey(key: string): boolean {
  return keyRow(key)?.cloudInit === true;
}

/** Whether a key's value is never shown. */
export function isSecretKey(key: string): boolean {
  return keyRow(key)?.secret === true;
}
