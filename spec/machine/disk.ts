import * as z from 'zod';
import { ALWAYS, AT_CREATE } from '../fields/defaults';
import { always, atCreate, optional } from '../fields/field';
import { DnsLabel, StorageId, VolumeId } from '../values/names';
import { MiB, sizeOf } from '../values/size';
import { strictObject } from '../fields/strict-object';
import { decimal, text, wants, wholeNumber } from '../fields/wants';

/** The disk buses, and the highest slot of each. */
export const LAST_SLOT = { ide: 3, sata: 5, scsi: 30, virtio: 15 } as const;
export const DISK_TYPES = ['ide', 'sata', 'scsi', 'virtio'] as const;
export type DiskType = (typeof DISK_TYPES)[number];

const slots = DISK_TYPES.map(type => `${type}0 to ${type}${LAST_SLOT[type]}`).join(', ');
const Slot = text(/^(?:ide[0-3]|sata[0-5]|scsi(?:[12]?\d|30)|virtio(?:1[0-5]|\d))$/, `a slot: ${slots}`);

const rate = decimal(0, 1_000_000, ' MB/s');
const operations = wholeNumber(0, 10_000_000, ' a second');

const DiskLimits = strictObject(() => ({
  mbps: optional(rate, 'MB/s, read and write together.'),
  mbpsRead: optional(rate, 'MB/s read.'),
  mbpsWrite: optional(rate, 'MB/s written.'),
  mbpsMax: optional(rate, 'Burst of mbps.'),
  mbpsReadMax: optional(rate, 'Burst of mbpsRead.'),
  mbpsWriteMax: optional(rate, 'Burst of mbpsWrite.'),
  iops: optional(operations, 'Operations a second, read and write together.'),
  iopsRead: optional(operations, 'Reads a second.'),
  iopsWrite: optional(operations, 'Writes a second.'),
  iopsMax: optional(operations, 'Burst of iops.'),
  iopsReadMax: optional(operations, 'Burst of iopsRead.'),
  iopsWriteMax: optional(operations, 'Burst of iopsWrite.'),
}));

/** One disk, known by its name: the order of disks never matters, slots are remembered. */
export const DiskSpec = strictObject(() => ({
  name: DnsLabel.meta({ description: 'The identity of the disk; "root" is the one that the image brings.' }),
  size: optional(sizeOf(MiB, MiB, 'disks'), 'Size. It only ever grows.'),
  storage: optional(StorageId, 'Storage that holds the volume.'),
  type: atCreate(z.enum(DISK_TYPES), AT_CREATE.disk.type, 'Bus.'),
  slot: optional(Slot, 'Slot; otherwise assigned once and remembered.'),
  format: optional(z.enum(['raw', 'qcow2', 'vmdk']), 'Format of the volume.'),
  allocation: optional(
    z.enum(['thin', 'thick']),
    'Thick: preallocated where the storage can, refused where not.',
  ),
  cache: optional(z.enum(['none', 'writethrough', 'writeback', 'directsync', 'unsafe']), 'Host cache.'),
  ssd: optional(z.boolean(), 'Shown to the guest as an SSD.'),
  discard: optional(z.boolean(), 'Pass discard (trim) to the storage.'),
  iothread: optional(z.boolean(), 'A thread of its own.'),
  aio: optional(z.enum(['native', 'threads', 'io_uring']), 'Asynchronous I/O.'),
  backup: optional(z.boolean(), 'Part of backups.'),
  replicate: optional(z.boolean(), 'Part of replication jobs.'),
  readOnly: optional(z.boolean(), 'Read only.'),
  serial: optional(text(/^[^\s,=;]{1,20}$/, 'a serial number of 1 to 20 characters'), 'Serial number.'),
  limits: optional(DiskLimits, 'Throttling.'),
  existingVolume: optional(VolumeId, 'Attach this volume instead of making one.'),
  onRemove: always(
    z.enum(['keep', 'delete']),
    ALWAYS.disk.onRemove,
    'What happens to the volume when the disk goes. One that is kept stays unused, and is used again where `existingVolume` names it.',
  ),
  options: optional(
    z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], wants('text, a number, true or false')),
    ),
    'Any other property of the drive, in the words of PVE.',
  ),
}));
export type DiskSpec = z.infer<typeof DiskSpec>;
