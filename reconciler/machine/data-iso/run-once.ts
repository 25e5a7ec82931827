import type { CloudInitTexts } from '../../../spec';

/** What a new instance does of cloud-init data that it does once only, as far as it can touch what the guest holds. */
export interface RunOnce {
  /** In the words of cloud-init: `fs_setup`, `runcmd`, or a script. */
  names: string[];
  /** Of these what may write over a disk that is in use. */
  formats: string[];
}

/**
 * Per instance (cloud-init, as read in cc_disk_setup.py): `fs_setup` makes a file system over the one that is there where
 * it says `overwrite`, `replace_fs`, or `partition: none`; `disk_setup` a partition table where it says `overwrite` or
 * `remove`. With a partition that cloud-init looks for itself it may still find that nothing is to be done.
 */
const ONCE: readonly { name: string; formats?: RegExp }[] = [
  {
    name: 'disk_setup',
    formats: /overwrite["']?\s*:\s*["']?(?:true|yes|on|1)\b|layout["']?\s*:\s*["']?remove\b/i,
  },
  {
    name: 'fs_setup',
    formats: /(?:overwrite|replace_fs)["']?\s*:\s*["']?(?:true|yes|on|1)\b|partition["']?\s*:\s*["']?none\b/i,
  },
  { name: 'runcmd' },
];

/** What of its data a guest runs again as a new instance. Nothing of the data itself is said: it may be a secret. */
export function runOnce({ userData, vendorData }: CloudInitTexts): RunOnce {
  const all = [userData, vendorData].filter(data => data !== undefined);
  const found = ONCE.flatMap(({ name, formats }) => {
    const blocks = all.flatMap(data => blockOf(data, name) ?? []);
    return blocks.length === 0 ? [] : [{ name, isFormatted: blocks.some(block => formats?.test(block)) }];
  });
  const isScript = all.some(data => typeof data === 'string' && data.startsWith('#!'));
  return {
    names: [...found.map(({ name }) => name), ...(isScript ? ['its script'] : [])],
    formats: found.filter(({ isFormatted }) => isFormatted).map(({ name }) => name),
  };
}

/** What stands at a key, also in a part of a multipart text. Undefined: the key is not there. */
function blockOf(data: NonNullable<CloudInitTexts['userData']>, key: string): string | undefined {
  if (typeof data !== 'string') return key in data ? JSON.stringify(data[key]) : undefined;
  const block = new RegExp(`^(?:\\{\\s*)?["']?${key}["']?\\s*:.*(?:\\n(?:[ \\t#-].*)?)*`, 'm');
  return block.exec(data.replace(/\r/g, ''))?.[0].replace(/^\s*#.*$/gm, '');
}
