import type { Config } from '../../world';
import { drivesOf, isCdrom, isUnusedKey } from '../drives/drive';
import { section } from '../conf-file/text';

/** What an archive says of its guest: the settings, and of each disk in it where it stood and in which format. */
export interface Archive {
  config: Config;
  disks: Map<string, { storage: string; format: string }>;
}

const LEFT_OUT = new Set(['lock', 'parent', 'vmstate']);

/** The settings as an archive carries them: without what waits, snapshots and unused volumes, and with a line for each disk. */
export function archiveText(config: Config): string {
  const kept = Object.entries(config).filter(([key]) => !LEFT_OUT.has(key) && !isUnusedKey(key));
  const maps = drivesOf(config)
    .filter(drive => !isCdrom(drive) && drive.options['backup'] !== '0' && drive.file.includes(':'))
    .map(({ key, file }) => {
      const [, format = 'raw'] = /\.(raw|qcow2|vmdk)$/.exec(file) ?? [];
      return `#qmdump#map:${key}:drive-${key}:${file.slice(0, file.indexOf(':'))}:${format}:\n`;
    });
  return section(Object.fromEntries(kept)) + maps.join('');
}

/** Reads what `archiveText` wrote. */
export function readArchive(text: string): Archive {
  const archive: Archive = { config: {}, disks: new Map() };
  const comment: string[] = [];
  for (const line of text.split('\n')) {
    const [, disk, storage, format] = /^#qmdump#map:([^:]+):[^:]*:([^:]*):([^:]*):$/.exec(line) ?? [];
    const [, key, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    if (disk !== undefined && storage !== undefined)
      archive.disks.set(disk, { storage, format: format || 'raw' });
    else if (key !== undefined && value !== undefined) archive.config[key] = value;
    else if (line.startsWith('#')) comment.push(line.slice(1));
  }
  if (comment.length > 0) archive.config['description'] = comment.join('\n');
  return archive;
}
