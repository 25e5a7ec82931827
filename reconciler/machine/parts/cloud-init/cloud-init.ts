import { cdromDrive } from '../cdrom';
import { dataIsoDrive } from './data-iso-drive';
import { wantsDataIso } from '../../wanted-data-iso';
import { hasAddresses } from '../../data-iso/network-config';
import { defaultStorage } from '../../default-storage';
import { isCloudInit } from '../../../guest/drive';
import { generationOf } from '../../../guest/generation';
import type { Part, Scene } from '../../scene';
import { wantsFrom, type Want } from '../../want';

/** PVE's own cloud-init: its keys, and the drive where a guest that needs one has none. */
export const cloudInit: Part = scene => {
  const medium = dataIsoDrive(scene);
  if (wantsDataIso(scene)) return medium;
  const { user, sshKeys, dns, upgradePackages } = scene.spec.cloudInit ?? {};
  const ofNetworks = (scene.spec.networks ?? []).flatMap(({ staticIP }) => staticIP?.dns ?? []);
  const servers = [...new Set([...(dns?.servers ?? []), ...ofNetworks])];
  return [
    ...wantsFrom('cloudInit.', { user: 'ciuser' }, { user }),
    // PVE: percent-encoded inside the value, and a space is %20
    ...listed('sshKeys', 'sshkeys', sshKeys, keys => encodeURIComponent(keys.join('\n'))),
    ...listed('dns.servers', 'nameserver', servers.length === 0 ? dns?.servers : servers),
    ...listed('dns.search', 'searchdomain', dns?.search),
    ...wantsFrom('cloudInit.', { upgradePackages: 'ciupgrade' }, { upgradePackages }),
    ...password(scene),
    ...drive(scene, medium),
  ];
};

/** An empty list is a wish too: none of them. */
function listed(
  field: string,
  key: string,
  list: readonly string[] | undefined,
  textOf = (entries: readonly string[]): string => entries.join(' '),
): Want[] {
  if (list === undefined) return [];
  return [{ field: `cloudInit.${field}`, key, value: list.length === 0 ? null : textOf(list) }];
}

/** The password is sent once per version; what Proxmox holds is masked and cannot be compared. */
function password(scene: Scene): Want[] {
  const value = scene.context.wanted.secrets.password;
  if (value === undefined || !needsPassword(scene)) return [];
  return [{ field: 'cloudInit.passwordFrom', key: 'cipassword', value, secret: true }];
}

/** Whether this version of the password was not sent yet. */
export function needsPassword({ spec, mark, running }: Pick<Scene, 'spec' | 'mark' | 'running'>): boolean {
  const version = passwordVersionOf(spec);
  if (wantsDataIso({ spec })) return false;
  if (version === undefined || version !== mark?.passwordVersion) return version !== undefined;
  // PVE: a rollback brings back the password of then (behaviour.md §14.5)
  return mark.passwordGeneration !== undefined && mark.passwordGeneration !== generationOf(running);
}

/** The version of the password that the spec wants; undefined when it wants none. */
export function passwordVersionOf({ cloudInit: said }: Scene['spec']): number | undefined {
  return said?.passwordFrom === undefined ? undefined : (said.passwordVersion ?? 1);
}

/** Whether the spec says something that only cloud-init can do, and the guest has no drive for it. */
export function needsCloudInitDrive({ spec, next, slots }: Scene): boolean {
  const isSaid = Object.keys(spec.cloudInit ?? {}).length > 0 || (spec.networks ?? []).some(hasAddresses);
  return isSaid && !wantsDataIso({ spec }) && !isCloudInit(next[slots.cloudInit]);
}

function drive(scene: Scene, otherwise: Want[]): Want[] {
  const key = scene.slots.cloudInit;
  const storage = defaultStorage(scene);
  if (!needsCloudInitDrive(scene) || storage === undefined) return otherwise;
  return cdromDrive('cloudInit', key, `${storage}:cloudinit`);
}
