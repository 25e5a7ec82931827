import { placeOnStorage } from '../on-node';
import { createHash } from 'node:crypto';
import { fail, failParameters } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { GuestSystem, Storage, Volume } from '../../world';
import { diskSizeOf, refuseBackingFile, tarNames } from './image-file';
import { hasSpace } from '../space';
import { contentDirectory } from '../volumes/name';
import { tryFindVolume } from '../volumes/volumes';

/** A file on its way into a storage, and where it will stand. */
export interface IncomingFile {
  storage: Storage;
  content: string;
  /** The name after cleaning. */
  name: string;
  /** The format that its name promises. */
  format: string;
  /** The path of the file on the node. */
  path: string;
  volid: string;
}

const NAMES: Record<string, { pattern: RegExp; refusal: string }> = {
  iso: { pattern: /[^/]+\.(iso|img)$/i, refusal: 'wrong file extension' },
  vztmpl: { pattern: /[^/]+\.tar(?:\.(gz|xz|zst|bz2))?$/i, refusal: 'wrong file extension' },
  import: {
    pattern: /[a-zA-Z0-9\-.+=_]+\.(ova|qcow2|raw|vmdk)$/,
    refusal: 'invalid filename or wrong extension',
  },
};

// Larger files keep their facts only: the content is for guests that read small images, and for checksums.
const KEPT_BYTES = 4 * 1024 ** 2;

/** Where a file of this kind goes under its cleaned name. Fails when the name does not fit the kind. */
export function incomingFile(storage: Storage, content: string, filename: string): IncomingFile {
  // PVE: the directory is cut off and unusual characters become underscores
  const name = filename
    .replace(/\n$/, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/[^a-zA-Z0-9_.-]/g, '_');
  const rule = NAMES[content] ?? failParameters({ content: `upload content type '${content}' not allowed` });
  const match = rule.pattern.exec(name);
  if (!match) failParameters({ filename: rule.refusal });
  const format = content === 'import' ? (match[1] ?? 'raw') : content;
  const path = `${contentDirectory(storage, content)}/${name}`;
  return { storage, content, name, format, path, volid: `${storage.storage}:${content}/${name}` };
}

/** Fails with Proxmox's text when the file has another checksum. */
export function checkSum(
  algorithm: string,
  expected: string,
  data: Buffer,
  log: (line: string) => void,
): void {
  const got = createHash(algorithm).update(data).digest('hex');
  if (got.toLowerCase() === expected.toLowerCase()) {
    log('calculating checksum...OK, checksum verified');
    return;
  }
  log('calculating checksum...');
  fail(`checksum mismatch: got '${got}' != expect '${expected}'`);
}

/** Looks into the file as Proxmox does before it takes it, and returns the size of the disk in it. */
export function inspect(file: IncomingFile, data: Buffer, path: string): number {
  if (file.content === 'iso') refuseBackingFile(data, path);
  if (file.format === 'ova') {
    const names = tarNames(data) ?? fail(`command 'tar -t -f ${path}' failed: exit code 2`);
    if (!names.some(name => name.endsWith('.ovf'))) fail('ova archive has no .ovf file inside');
  }
  const holdsDisk = ['qcow2', 'vmdk', 'raw'].includes(file.format);
  return holdsDisk ? diskSizeOf(file.format, data, path) : data.length;
}

/** Puts the file into its storage, over an older one of the same name. `data` is kept when it is small. Fails when it does not fit. */
export function storeFile(
  sim: Sim,
  node: string,
  { storage, content, format, volid, path }: IncomingFile,
  facts: { size: number; filesize: number; data?: Buffer; system?: GuestSystem },
): void {
  if (!hasSpace(sim, node, storage, facts.filesize)) {
    // assumed: the words of cp
    fail(`import failed: cp: error writing '${path}': No space left on device`);
  }
  const old = tryFindVolume(sim, node, volid);
  if (old) sim.world.volumes.splice(sim.world.volumes.indexOf(old), 1);
  const { size, filesize, data, system } = facts;
  const keeps = data !== undefined && data.length <= KEPT_BYTES && ['iso', 'import'].includes(content);
  const volume: Volume = {
    volid,
    storage: storage.storage,
    node: placeOnStorage(storage, node),
    content,
    format: content === 'import' ? format : 'raw',
    size,
    filesize,
    ctime: Math.floor(sim.clock.now() / 1000),
    ...(keeps ? { text: data.toString('latin1') } : {}),
    ...(system ? { system: { ...system } } : {}),
  };
  sim.world.volumes.push(volume);
}
