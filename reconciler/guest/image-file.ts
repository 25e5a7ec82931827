/** The name under which a storage keeps a disk image: it tells the content, so that the same image is kept once. */
export function imageFileName(url: string, checksum: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? 'qcow2';
  // PVE imports no .img (API2/Storage/Status.pm); cloud images of that name are qcow2
  return `pvr-${checksum.replace(':', '-')}.${ending === 'img' ? 'qcow2' : ending}`;
}
