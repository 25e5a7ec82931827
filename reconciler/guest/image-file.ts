/** The name under which a storage keeps a disk image: it tells the content, so that the same image is kept once. */
export function imageFileName(url: string, checksum: string): string {
  return `pvr-${checksum.replace(':', '-')}.${imageFormat(url.replace(/[?#].*$/, ''))}`;
}

/** The same of a file that is uploaded; `ending` tells this upload from any other of the same content. */
export function uploadedFileName(path: string, checksum: string, ending: string): string {
  return `pvr-${checksum.replace(':', '-')}-${ending}.${imageFormat(path)}`;
}

/** The format of a disk image, by the ending of its file's name. */
export function imageFormat(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? 'qcow2';
  // PVE imports no .img (API2/Storage/Status.pm); cloud images of that name are qcow2
  return ending === 'img' ? 'qcow2' : ending;
}

/** The checksum that the name of a kept disk image tells. Undefined: the file is none of ours. */
export function checksumOf(volume: string): string | undefined {
  const [, algorithm, digits] =
    /:import\/pvr-(md5|sha\d+)-([0-9a-f]+)(?:-[0-9a-f]{8})?\.[a-z0-9]+$/.exec(volume) ?? [];
  return algorithm === undefined ? undefined : `${algorithm}:${digits}`;
}
