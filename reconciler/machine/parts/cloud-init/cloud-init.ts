import { hasAddresses } from './addresses';
import { dataIsoDrive } from './data-iso';
import { wantsDataIso } from '../../data-iso/data-iso-of';
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
  const servers = [...new Set([...(dns?.servers ?? []), ...serversOfNetworks(scene)])];
  const table = {
    user: 'ciuser',
    sshKeys: 'sshkeys',
    'dns.servers': 'nameserver',
    'dns.search': 'searchdomain',
    upgradePackages: 'ciupgrade',
  };
  const values = {
    user,
    // PVE: percent-encoded inside the value, and a space is %20
    sshKeys:
      sshKeys === undefined || sshKeys.length === 0 ? undefined : encodeURIComponent(sshKeys.join('\n')),
    'dns.servers': servers.length === 0 ? undefined : servers.join(' '),
    'dns.search': dns?.search === undefined || dns.search.length === 0 ? undefined : dns.search.join(' '),
    upgradePackages,
  };
  return [
    ...wantsFrom('cloudInit.', table, values),
    ...emptied(scene),
    ...password(scene),
    ...drive(scene, medium),
  ];
};

function serversOfNetworks({ spec: { networks = [] } }: Scene): string[] {
  return networks.flatMap(({ staticIP }) => staticIP?.dns ?? []);
}

/** An empty list is a wish too: none of them. */
function emptied(scene: Scene): Want[] {
  const { sshKeys, dns } = scene.spec.cloudInit ?? {};
  const gone = (field: string, key: string): Want => ({ field: `cloudInit.${field}`, key, value: null });
  return [
    ...(sshKeys?.length === 0 ? [gone('sshKeys', 'sshkeys')] : []),
    ...(dns?.servers?.length === 0 && serversOfNetworks(scene).length === 0
      ? [gone('dns.servers', 'nameserver')]
      : []),
    ...(dns?.search?.length === 0 ? [gone('dns.search', 'searchdomain')] : []),
  ];
}

/** The password is sent once per version; what Proxmox holds is masked and cannot be compared. */
function password({ context, ...scene }: Scene): Want[] {
  if (!needsPassword(scene)) return [];
  const value = context.secrets.password;
  if (value === undefined) return [];
  return [{ field: 'cloudInit.passwordFrom', key: 'cipassword', value, secret: true }];
}

/** Whether this version of the password was not sent yet. */
export function needsPassword({ spec, mark, current }: Pick<Scene, 'spec' | 'mark' | 'current'>): boolean {
  const version = passwordVersionOf(spec);
  if (wantsDataIso({ spec })) return false;
  if (version === undefined || version !== mark?.p) return version !== undefined;
  // PVE: a rollback brings back the password of then (behaviour.md §14.5)
  return mark.h !== undefined && mark.h !== generationOf(current);
}

/** The version of the password that the spec wants; undefined when it wants none. */
export function passwordVersionOf({ cloudInit: said }: Scene['spec']): number | undefined {
  return said?.passwordFrom === undefined ? undefined : (said.passwordVersion ?? 1);
}

/** Whether the spec says something that only cloud-init can do, and the guest has no drive for it. */
export function needsCloudInitDrive({ spec, config, slots }: Scene): boolean {
  const isSaid = Object.keys(spec.cloudInit ?? {}).length > 0 || (spec.networks ?? []).some(hasAddresses);
  return isSaid && !wantsDataIso({ spec }) && !isCloudInit(config[slots.cloudInit]);
}

function drive(scene: Scene, otherwise: Want[]): Want[] {
  const key = scene.slots.cloudInit;
  const storage = defaultStorage(scene);
  if (!needsCloudInitDrive(scene) || storage === undefined) return otherwise;
  const field = 'cloudInit';
  return [
    { field, key, property: 'file', value: `${storage}:cloudinit` },
    { field, key, property: 'media', value: 'cdrom' },
  ];
}
