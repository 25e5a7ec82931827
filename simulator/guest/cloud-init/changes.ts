import { splitList } from '../../perl-text';
import type { Config, Guest } from '../../world';
import { shownValue } from '../conf-file/load';

const KEYS = 'cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys'.split(' ');

/** Whether the key is a cloud-init value: these are written to a running guest's configuration at once. */
export function isCloudInitKey(key: string): boolean {
  return KEYS.includes(key) || /^ipconfig\d+$/.test(key);
}

const isInImage = (key: string): boolean => isCloudInitKey(key) || key === 'name' || /^net\d+$/.test(key);

/**
 * Remembers that a running guest's value now differs from the generated image: the image's value by key, and in `added`
 * the keys that the image does not have. A value that goes back to the image's is forgotten.
 */
export function recordImageChange(
  guest: Guest,
  key: string,
  before: string | undefined,
  after: string | undefined,
): void {
  if (!isInImage(key)) return;
  const { added = '', ...recorded }: Config = guest.cloudInitChanges ?? {};
  const addedKeys = new Set(splitList(added));
  const image = recorded[key];
  if (image !== undefined) {
    if (after === image) {
      delete recorded[key];
      addedKeys.delete(key);
    }
  } else if (addedKeys.has(key)) {
    if (after === undefined) addedKeys.delete(key);
  } else if (before !== undefined) recorded[key] = before;
  else if (after !== undefined) addedKeys.add(key);
  const list = [...addedKeys].sort().join(',');
  guest.cloudInitChanges = { ...recorded, ...(list === '' ? {} : { added: list }) };
  if (Object.keys(guest.cloudInitChanges).length === 0) delete guest.cloudInitChanges;
}

/** One row of GET cloudinit. */
interface CloudInitRow {
  key: string;
  value?: string | number;
  pending?: string | number;
  delete?: number;
}

/** What GET cloudinit answers: the values of the image, and what a new image would change. */
export function cloudInitAnswer({ config, cloudInitChanges = {} }: Guest): CloudInitRow[] {
  const { added = '', ...recorded }: Config = cloudInitChanges;
  const isSet = (key: string): boolean => config[key] !== undefined && config[key] !== '0';
  const show = (key: string, raw: string | undefined): string | number => shownValue(key, raw ?? '');
  const rows: CloudInitRow[] = splitList(added).map(key => ({ key, pending: show(key, config[key]) }));
  // PVE: asks whether the key's name occurs in the text of the list
  for (const key of KEYS.filter(each => isSet(each) && !added.includes(each))) {
    const old = recorded[key];
    rows.push(
      old === undefined || old === '0'
        ? { key, value: show(key, config[key]) }
        : { key, value: show(key, old), pending: show(key, config[key]) },
    );
  }
  for (const key of Object.keys(recorded)) if (!isSet(key)) rows.push({ key, delete: 1 });
  return rows;
}
