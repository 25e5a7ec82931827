import { isRecord, type CloudInitTexts } from '../../../spec';
import { partsOf, type Part } from './cloud-configs';

/** What a new instance does of cloud-init data that it does once only, as far as it can touch what the guest holds. */
export interface RunOnce {
  /** In the words of cloud-init: `fs_setup`, `runcmd`; or a script, or what cannot be read here. */
  names: string[];
  /** Of these what may write over a disk that is in use. */
  formats: string[];
}

const ONCE: readonly { name: string; formats: (said: unknown) => boolean }[] = [
  { name: 'disk_setup', formats: said => isRecord(said) && Object.values(said).some(writesTable) },
  { name: 'fs_setup', formats: said => Array.isArray(said) && said.some(makesFileSystem) },
  { name: 'runcmd', formats: () => false },
];
const OPAQUE = ['its script', '#include', 'an unreadable part'] as const;

/** What of its data a guest runs again as a new instance. Nothing of the data itself is said: it may be a secret. */
export function runOnce({ userData, vendorData }: CloudInitTexts): RunOnce {
  const parts = [userData, vendorData].flatMap(data => (data === undefined ? [] : partsOf(data)));
  const opaque = OPAQUE.filter(what => parts.some(part => 'opaque' in part && part.opaque === what));
  const said = ONCE.filter(({ name }) => parts.some(part => says(part, name)));
  const formatting = said.filter(({ name, formats }) =>
    parts.some(
      part => says(part, name) && ('config' in part ? formats(part.config[name]) : name !== 'runcmd'),
    ),
  );
  return {
    names: [...said.map(({ name }) => name), ...opaque],
    // what a script does, nobody looks at
    formats: [...formatting.map(({ name }) => name), ...opaque.filter(what => what !== 'its script')],
  };
}

/** In a text that is not understood the word alone tells it. */
function says(part: Part, key: string): boolean {
  if ('config' in part) return key in part.config;
  return 'text' in part && new RegExp(`^(?![ \\t]*#).*\\b${key}\\b`, 'm').test(part.text);
}

/** Per instance (cloud-init, cc_disk_setup.py, mkpart): without `overwrite` a disk that is in use stays as it is. */
function writesTable(disk: unknown): boolean {
  if (!isRecord(disk)) return false;
  return isTrue(disk['overwrite']) || String(disk['layout']).toLowerCase() === 'remove';
}

/**
 * The same (mkfs): `partition: none` formats always. A numbered one (also as `device: x.1`) is formatted where its label or type
 * is not as the data say: also by a new `label`. With `any` (which is meant where nothing is said) and `auto` a file system
 * that is there stays, unless it is one to replace.
 */
function makesFileSystem(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { partition, device } = entry;
  const said = partition === undefined ? 'any' : String(partition ?? 'none').toLowerCase();
  const isNumbered = /^\d*$/.test(said) || /\.\d+$/.test(String(device));
  return isNumbered || said === 'none' || isTrue(entry['overwrite']) || isTrue(entry['replace_fs']);
}

/** As Python takes it: the text "false" is true. */
function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
