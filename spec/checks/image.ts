import { IMAGE_SOURCES, isImported, sourceIds } from '../machine/image';
import type { DiskSpec } from '../machine/disk';
import type { MachineSpec } from '../machine/machine';
import type { PreparedImage } from '../cluster/prepared-image';
import { under, type Finding } from '../reading/problem';

/** An image that says nothing, two things, or half of one. */
export function* imageFindings({ id, image, adopt, disks = [] }: MachineSpec): Iterable<Finding> {
  if (image === undefined) return;
  const given = IMAGE_SOURCES.filter(source => image[source] !== undefined);
  if (given.length !== 1) {
    yield {
      path: ['image'],
      reason: given.length === 0 ? 'names no source' : `names ${given.length} sources: ${given.join(', ')}`,
      allowed: `exactly one of ${IMAGE_SOURCES.join(', ')}`,
      remedy: given.length === 0 ? 'Add one of them.' : 'Keep one of them.',
    };
    return;
  }
  const source = given[0] ?? '';
  for (const [field, sources] of Object.entries(BELONGS)) {
    if (Object.hasOwn(image, field) && !sources.includes(source)) {
      yield {
        path: ['image', field],
        reason: `means nothing with ${source}`,
        remedy: `Remove it; it belongs to ${sources.join(' and ')}.`,
      };
    }
  }
  yield* under(['image'], addressFindings(image));
  if (isImported(image) && adopt !== true) yield* rootFindings(disks, source);
  if (image.replicas?.length === 0) {
    yield { path: ['image', 'replicas'], reason: 'names no node', remedy: 'Name one, or remove it.' };
  }
  if (sourceIds(image).includes(id)) {
    yield { path: ['image', 'machine'], reason: 'is this very machine', remedy: 'Name another machine.' };
  }
}

const BELONGS: Readonly<Record<string, readonly string[]>> = {
  clone: ['template', 'machine'],
  snapshot: ['template', 'machine'],
  replicas: ['machine'],
  checksum: ['url', 'file'],
  storage: ['url', 'file'],
};

/** An image to prepare that says nothing, or two things. */
export function* preparedImageFindings(image: PreparedImage): Iterable<Finding> {
  const given = (['template', 'url', 'file'] as const).filter(source => image[source] !== undefined);
  if (given.length !== 1) {
    yield {
      path: ['template'],
      reason: given.length === 0 ? 'is missing, and url and file too' : `is one of ${given.join(', ')}`,
      allowed: 'exactly one of template, url, file',
      remedy: given.length === 0 ? 'Add one of them.' : 'Keep one of them.',
    };
  }
  yield* addressFindings(image);
}

/** PVE: what `import-from` takes by its ending; `download-url` unpacks ISO files only (recording 93, API2/Storage/Status.pm). */
const ENDING = /\.(?:qcow2|raw|vmdk|img)$/i;

function* addressFindings({
  url,
  file,
  checksum,
}: Pick<PreparedImage, 'url' | 'file' | 'checksum'>): Iterable<Finding> {
  if (url === undefined && file === undefined) return;
  if (!ENDING.test(file ?? url?.replace(/[?#].*$/, '') ?? '')) {
    const field = url === undefined ? 'file' : 'url';
    yield {
      path: [field],
      reason: 'ends like no disk image that Proxmox imports',
      allowed: `${field === 'url' ? 'an address' : 'a path'} that ends in .qcow2, .raw, .vmdk or .img`,
      remedy: 'Give one of a disk image that is not packed.',
    };
  }
  if (checksum !== undefined) return;
  yield {
    path: ['checksum'],
    kind: 'missing',
    reason: `is required with ${url === undefined ? 'file' : 'url'}`,
    remedy:
      url === undefined
        ? 'Give what sha256sum prints for it, as "sha256:…".'
        : 'Give the checksum that the publisher states, such as "sha256:…".',
  };
}

/** The image becomes the disk root, and nothing but that disk says on which storage. */
function* rootFindings(disks: readonly DiskSpec[], source: string): Iterable<Finding> {
  const index = disks.findIndex(({ name }) => name === 'root');
  if (index >= 0 && (disks[index]?.storage !== undefined || disks[index]?.existingVolume !== undefined))
    return;
  yield {
    path: index < 0 ? ['disks'] : ['disks', index, 'storage'],
    kind: 'missing',
    reason:
      index < 0 ? `has no disk "root" for the image of image.${source}` : `is required with image.${source}`,
    allowed: 'a storage for disks, such as "local-lvm"',
    remedy: 'Give { name: "root", storage: "…" }.',
  };
}
