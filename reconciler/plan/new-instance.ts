import type { Action, Warning } from '../action';
import { isCloudInit } from '../guest/drive';
import type { Scene } from '../machine/scene';

/**
 * A new name is live in Proxmox, and in the guest it is not. Proxmox makes cloud-init's instance-id of all that its drive
 * says, and the name is in it (Cloudinit.pm, get_cloudinit_config; assumed of the guest's side).
 */
export function newInstance({ slots, current, origin }: Scene, actions: readonly Action[]): Warning[] {
  const isRenamed = actions.some(action => action.kind === 'configure' && action.set['name'] !== undefined);
  if (origin !== 'kept' || !isRenamed || !isCloudInit(current[slots.cloudInit])) return [];
  const text =
    'the guest itself takes the new name at its next start. Cloud-init then takes it for a new one: it makes new SSH host keys, and upgrades the packages unless cloudInit.upgradePackages is false.';
  return [{ about: 'a new name in the guest', text }];
}
