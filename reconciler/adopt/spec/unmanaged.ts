import { propertiesOf } from '../../guest/configuration';
import { isCloudInit } from '../../guest/drive';
import { isUnusedKey } from '../../guest/key-kinds';
import { wantsOf } from '../../machine/parts/wants-of';
import type { Scene } from '../../machine/scene';
import { keyRow } from '../../pve/keys/key-row';

/** What Proxmox keeps for itself, and what is never read back. */
const OF_PROXMOX = [
  ...['digest', 'lock', 'meta', 'name', 'parent', 'snapstate', 'template', 'vmgenid', 'vmstate'],
  ...['description', 'tags', 'cipassword'],
];
/** What a volume's line says besides the wants: its place and size, and what is chosen at its creation. */
const OF_A_VOLUME = ['file', 'size', 'format', 'media', 'efitype', 'ms-cert', 'pre-enrolled-keys', 'version'];

/** What a guest has and its spec does not say, by key, or by key and property: nobody looks after it. */
export function unmanagedIn(scene: Scene): string[] {
  const keys = Object.keys(scene.next).filter(key => !OF_PROXMOX.includes(key) && !isUnusedKey(key));
  const wants = wantsOf(scene);
  const volumes = volumesIn(scene);
  return keys.flatMap(key => {
    const ofKey = wants.filter(want => want.key === key);
    if (ofKey.some(({ property }) => property === undefined)) return [];
    const row = keyRow(key);
    const isVolume = row?.volume !== undefined;
    if (isVolume ? !volumes.includes(key) : ofKey.length === 0 && key !== 'smbios1') return [key];
    const left = Object.keys(propertiesOf(key, scene.next[key])).filter(
      property =>
        !ofKey.some(want => want.property === property) && !(isVolume && OF_A_VOLUME.includes(property)),
    );
    return left.filter(property => !OF_SMBIOS.includes(property)).map(property => `${key}.${property}`);
  });
}

const OF_SMBIOS = ['uuid', 'base64'];

/** The keys of the volumes that the spec names, or that it needs none of its words for. */
function volumesIn({ spec, slots, next }: Scene): string[] {
  return [
    ...(spec.disks ?? []).map(({ name }) => slots.disks[name] ?? ''),
    ...(spec.cdrom === undefined ? [] : [slots.cdrom]),
    ...(spec.efiDisk === undefined ? [] : ['efidisk0']),
    ...(spec.tpm === undefined ? [] : ['tpmstate0']),
    ...Object.keys(next).filter(key => isCloudInit(next[key])),
  ];
}
