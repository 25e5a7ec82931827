import { fail } from '../../failure';

const SECTOR = 512;

/** The size of the disk that a file of this format holds, read from the file. Fails as qemu-img does on a wrong file. */
export function diskSizeOf(format: string, data: Buffer, path: string): number {
  if (format === 'qcow2') return qcow2Size(data, path);
  if (format === 'vmdk') return vmdkSize(data, path);
  return Math.ceil(data.length / SECTOR) * SECTOR;
}

/** Fails for a file that draws on other files, whatever its name says: nobody may upload such a thing. */
export function refuseBackingFile(data: Buffer, path: string): void {
  if (isQcow2(data) && data.readBigUInt64BE(8) !== 0n) {
    fail(`backing file not allowed for untrusted image '${path}'!`);
  }
}

function isQcow2(data: Buffer): boolean {
  return data.length >= 72 && data.toString('latin1', 0, 4) === 'QFI\xfb' && data.readUInt32BE(4) >= 2;
}

function qcow2Size(data: Buffer, path: string): number {
  if (!isQcow2(data)) fail(`qemu-img: Could not open '${path}': Image is not in qcow2 format`);
  refuseBackingFile(data, path);
  return Number(data.readBigUInt64BE(24));
}

function vmdkSize(data: Buffer, path: string): number {
  if (data.length < SECTOR || data.toString('latin1', 0, 4) !== 'KDMV') {
    // assumed: the words of qemu-img
    fail(`qemu-img: Could not open '${path}': Image is not in vmdk format`);
  }
  return Number(data.readBigUInt64LE(12)) * SECTOR;
}

/** The names of the files in a tar archive; undefined when it is none. */
export function tarNames(data: Buffer): string[] | undefined {
  const names: string[] = [];
  for (let at = 0; at + SECTOR <= data.length && data[at] !== 0;) {
    if (data.toString('latin1', at + 257, at + 262) !== 'ustar') return undefined;
    names.push(data.toString('utf8', at, at + 100).replace(/\0.*$/s, ''));
    const size = parseInt(data.toString('latin1', at + 124, at + 136), 8);
    at += SECTOR * (1 + Math.ceil((Number.isNaN(size) ? 0 : size) / SECTOR));
  }
  return names.length > 0 ? names : undefined;
}
