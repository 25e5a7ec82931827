import * as z from 'zod';
import { ALWAYS, AT_CREATE } from '../fields/defaults';
import { always, atCreate, optional } from '../fields/field';
import { MachineId, NodeName, SnapshotName, StorageId, Tag, VmName, VolumeId } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { setOf, text, wants, wholeNumber } from '../fields/wants';

const Vmid = wholeNumber(100, 999_999_999);
const HEX_DIGITS = { md5: 32, sha1: 40, sha224: 56, sha256: 64, sha384: 96, sha512: 128 };

const checksumForm = Object.entries(HEX_DIGITS).map(([name, digits]) => `${name}:[0-9a-fA-F]{${digits}}`);
const Checksum = text(
  new RegExp(`^(?:${checksumForm.join('|')})$`),
  'algorithm:digits with one of md5, sha1, sha224, sha256, sha384, sha512 and its number of hexadecimal digits',
).transform(given => given.toLowerCase());

/** A template by name, id or tag. Digits alone are an id, also as text. */
const TemplateSpec = z
  .union(
    [Vmid, VmName, strictObject(() => ({ tag: Tag }))],
    wants('a template: its name, its id (100 to 999999999), or {"tag": "…"}'),
  )
  .transform(given => (typeof given === 'string' && /^[1-9]\d{2,8}$/.test(given) ? Number(given) : given));

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^https?:/, 'url'],
  [/:iso\//, 'iso'],
  [/^\//, 'file'],
];

/** A text alone does not say what it names; its form lets us guess. */
function inAField(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const field = FORMS.find(([form]) => form.test(String(given)))?.[1] ?? 'template';
  return `Write {"${field}": ${JSON.stringify(given)}}.`;
}

/** What a machine is made from. Exactly one of template, machine, iso, url, file and blank. */
export const ImageSpec = strictObject(
  () => ({
    template: optional(TemplateSpec, 'Clone this template; by its id also a machine that is none, in full.'),
    machine: optional(MachineId, 'Clone this machine, or this prepared image, of the same desired state.'),
    replicas: optional(
      setOf(NodeName),
      'Nodes with a replica of that machine, which is the machine "<machine>-<node>": the one beside is cloned.',
    ),
    iso: optional(VolumeId, 'Install from this ISO, written storage:iso/name.iso.'),
    url: optional(
      text(/^https?:\/\/[^\s@]+$/, 'an http or https address without credentials'),
      'Import this disk image (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2) into the disk root. A node downloads it once.',
    ),
    file: optional(
      text(/^\/[^\0]*$/, 'an absolute path'),
      'Upload this disk image (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2) of the machine where the reconciler runs, and import it into the disk root.',
    ),
    blank: optional(z.literal(true, wants('true')), 'Nothing: empty disks.'),
    clone: atCreate(
      z.enum(['linked', 'full']),
      AT_CREATE.image.clone,
      'Kind of clone; full when the source is no template.',
    ),
    snapshot: optional(SnapshotName, 'Clone this snapshot of the source.'),
    checksum: optional(
      Checksum,
      'What the file behind url, or the file, must hash to. The file that a storage keeps is named by it.',
    ),
    storage: optional(
      StorageId,
      'Where the file behind url, or the file, is kept; it must allow the content "import". Without it one that does, shared ones first.',
    ),
  }),
  wants('an object such as {"template": "debian-12"}', inAField),
);
export type ImageSpec = z.infer<typeof ImageSpec>;

/** What becomes of a machine whose image is another one now. */
export const imageChangeField = () => ({
  onImageChange: always(
    z.enum(['refuse', 'keep', 'rebuild']),
    ALWAYS.onImageChange,
    'What becomes of a machine when `image` is another one than it was made from: it is refused; or stays as it is and says so, and only new machines take the new image; or is destroyed and made anew, as `rebuildOn: ["image"]` says too.',
  ),
});

/** The fields of which an image has exactly one. */
export const IMAGE_SOURCES = ['template', 'machine', 'iso', 'url', 'file', 'blank'] as const;

/** Whether the disk root is imported from a file. */
export function isImported(image: Pick<ImageSpec, 'url' | 'file'> | undefined): boolean {
  return image?.url !== undefined || image?.file !== undefined;
}

/** The machines of the same desired state that an image may be cloned from: one, or its replicas. */
export function sourceIds({ machine, replicas }: Pick<ImageSpec, 'machine' | 'replicas'> = {}): string[] {
  if (machine === undefined) return [];
  return replicas === undefined ? [machine] : replicas.map(node => `${machine}-${node}`);
}
