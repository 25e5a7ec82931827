import { keyName, keyRow } from '../pve/keys/key-row';
import type { PveKey } from '../pve/keys/pve-key';

/** Whether a key's row of the table says something; no row says nothing. */
const says =
  (what: (row: PveKey) => boolean) =>
  (key: string): boolean => {
    const row = keyRow(key);
    return row !== undefined && what(row);
  };

/** Whether a key is a line of a guest's configuration, and no mere parameter of the request that makes it. */
export const isConfigKey = says(() => true);
/** Whether a key's line is a drive of the guest. */
export const isDriveKey = says(({ volume }) => volume === 'bus' || volume === 'state');
/** Whether a key holds a volume that was detached and that nobody uses. */
export const isUnusedKey = says(({ volume }) => volume === 'unused');
/** Whether a key's line names a volume, used or not. */
export const isVolumeKey = says(({ volume }) => volume !== undefined);
/** Whether Proxmox applies a key at once for sure, so that a write of it needs no reading after it. */
export const isAlwaysLive = says(({ live }) => live === 'always');
/** Whether a write of a key may take long on a guest that runs: also what is plugged and unplugged. */
export const isSlowKey = says(({ slow }) => slow === true);
/** Whether a key's line may be a device of one node. */
export const isNodeKey = says(({ ofNode }) => ofNode === true);
/** Whether a key stands in the cloud-init drive, so that a change of it needs a new drive. */
export const isCloudInitKey = says(({ cloudInit }) => cloudInit === true);
/** Whether a key's value is never shown. */
export const isSecretKey = says(({ secret }) => secret === true);
/** Whether a key's line is a network card. */
export const isCardKey = (key: string): boolean => keyName(key) === 'net[n]';
