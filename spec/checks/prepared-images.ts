import type { PreparedImage } from '../cluster/prepared-image';
import type { Finding } from '../reading/problem';

/** What cannot be of a template that is built from an image. */
export function* builtTemplateFindings(image: PreparedImage): Iterable<Finding> {
  const { template, diskStorage, nodes, name } = image;
  if (template !== undefined) {
    for (const field of ['templateName', 'vmid', 'diskStorage', 'nodes'] as const) {
      if (image[field] === undefined) continue;
      const reason = 'means nothing with template: nothing is built';
      yield { path: [field], reason, remedy: 'Remove it; it belongs to url.' };
    }
    return;
  }
  if (diskStorage === undefined) {
    yield {
      path: ['diskStorage'],
      kind: 'missing',
      reason: 'is required with url',
      allowed: 'a storage for disks, such as "local-lvm"',
      remedy: 'Say where the disk of the template goes.',
    };
  }
  if (nodes?.length === 0) {
    yield { path: ['nodes'], reason: 'names no node', remedy: 'Name one, or remove it.' };
  }
  const longest = Math.max(0, ...(nodes ?? []).map(node => node.length + 1));
  if (name.length + BEHIND_NAME + longest > 63) {
    yield {
      path: ['name'],
      given: name,
      reason: 'is too long for the names of its templates',
      allowed: `at most ${63 - BEHIND_NAME - longest} characters`,
      remedy: 'Shorten it.',
    };
  }
}

/** "-" and ten digits of the checksum. */
const BEHIND_NAME = 11;

/** Images that a document cannot have together, or beside its machines. */
export function* imagesFindings(
  images: readonly PreparedImage[],
  ids: ReadonlySet<string>,
): Iterable<Finding> {
  const contents = new Map<string, string>();
  for (const [i, { name, checksum, diskStorage }] of images.entries()) {
    const isTaken = ids.has(name) || images.findIndex(other => other.name === name) < i;
    if (isTaken) {
      const what = ids.has(name) ? 'a machine' : 'another image';
      yield {
        path: ['images', i, 'name'],
        given: name,
        reason: `is the name of ${what} too`,
        remedy: 'Give it another name.',
      };
    }
    if (checksum === undefined) continue;
    const content = `${checksum} ${diskStorage}`;
    const other = contents.get(content);
    contents.set(content, other ?? name);
    if (other === undefined || isTaken) continue;
    yield {
      path: ['images', i, 'checksum'],
      reason: `is the content of image "${other}" too`,
      remedy: 'Keep one of them, and name all their nodes in it.',
    };
  }
}
