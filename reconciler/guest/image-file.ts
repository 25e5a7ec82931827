/** The name under which a storage keeps a disk image: it tells the content, so that the same image is kept once. */
export function imageFileName(url: string, checksum: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? 'qcow2';
  // PVE imports no .img (API2/Storage/Status.pm); cloud images of that name are qcow2
  return `pvr-${checksum.replace(':', '-')}.${ending === 'img' ? 'qcow2' : ending}`;
}

/** The checksum that the name of a kept disk image tells. Undefined: the file is none of ours. */
export function checksumOf(volume: string): string | undefined {
  const [, algorithm, digits] = /:import\/pvr-(sha256|sha512)-([0-9a-f]+)\.[a-z0-9]+$/.exec(volume) ?? [];
  return algorithm === undefined ? undefined : `${algorithm}:${digits}`;
}
