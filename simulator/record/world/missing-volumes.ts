import { DRIVE_KEYS, isUnusedKey, parseDrive } from '../../guest/drives/drive';
import { rowOf, textOf } from '../shape';
import type { Row } from '../shape';
import type { RecordedStorage } from './storages';
import type { Source } from './source';

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/**
 * Adds the volumes that a guest names and no list showed, because the list could not be read or the node is down, with
 * the size that the guest names. A drive on a storage that is not in the file leaves its guest.
 */
export function addMissingVolumes(
  source: Source,
  guests: Row[],
  storages: RecordedStorage[],
  volumes: Row[],
): void {
  const known = new Set(volumes.map(({ node, volid }) => `${String(node)} ${String(volid)}`));
  let added = 0;
  for (const guest of guests) {
    if (guest['type'] !== 'qemu') continue;
    const parts = [guest, ...Object.values(rowOf(guest['snapshots'])).map(rowOf)].map(({ config }) =>
      rowOf(config),
    );
    for (const config of [...parts, rowOf(guest['pending'])]) {
      for (const key of Object.keys(config)) {
        if (!DRIVE_KEYS.includes(key) && !isUnusedKey(key)) continue;
        const { file, options } = parseDrive(key, textOf(config[key]) ?? '');
        const [, name] = /^([a-z][\w.-]*):./i.exec(file) ?? [];
        if (name === undefined) continue;
        const storage = storages.find(({ fields }) => fields['storage'] === name);
        if (!storage) {
          source.remark(
            `guest ${String(guest['vmid'])}: its ${key} is left out, because its storage is not in the file`,
          );
          delete config[key];
          continue;
        }
        const node = storage.isShared ? '*' : String(guest['node']);
        if (known.has(`${node} ${file}`)) continue;
        known.add(`${node} ${file}`);
        volumes.push({ node, volid: file, size: sizeOf(options['size']), vmid: guest['vmid'] });
        added += 1;
      }
    }
  }
  if (added > 0)
    source.remark(
      `${added} volumes were in no list: the file has them with the sizes that their guests name`,
    );
}

function sizeOf(text: string | undefined): number {
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text ?? '') ?? [];
  const size = Math.floor(Number(number) * (UNITS[unit] ?? 1));
  return Number.isSafeInteger(size) ? size : 0;
}

/** The bridges that the guests of a node use and that its list did not show, such as those of SDN. */
export function addMissingBridges(guests: Row[], nodes: Row[]): void {
  for (const node of nodes) {
    const bridges = new Set(Array.isArray(node['bridges']) ? node['bridges'].map(String) : []);
    for (const guest of guests.filter(each => each['node'] === node['name'])) {
      for (const [key, value] of Object.entries(rowOf(guest['config']))) {
        const bridge = /^net\d+$/.test(key) ? /(?:^|,)bridge=([^,]+)/.exec(String(value))?.[1] : undefined;
        if (bridge !== undefined) bridges.add(bridge);
      }
    }
    node['bridges'] = [...bridges];
  }
}
