import * as z from 'zod';
import { durationOf } from '../values/duration';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { text, wants, wholeNumber } from '../fields/wants';

const seconds = durationOf('0s', '24h', 1000);

const Startup = strictObject(() => ({
  order: optional(wholeNumber(0, 1_000_000), 'Place in the order of starting.'),
  up: optional(seconds, 'Wait after starting.'),
  down: optional(seconds, 'Wait for the shutdown.'),
}));

const Agent = strictObject(() => ({
  enabled: optional(z.boolean(), 'Talk to the agent.'),
  type: optional(z.enum(['virtio', 'isa']), 'Kind of channel.'),
  fstrimClonedDisks: optional(z.boolean(), 'Trim after a clone or a move.'),
  freezeFs: optional(z.boolean(), 'Freeze file systems for backups.'),
}));

/** The words of bootOrder that stand for a kind of device. */
export const BOOT_KINDS = ['disk', 'network', 'cdrom'] as const;

/** The fields of a machine that are about starting. */
export const bootFields = () => ({
  bootOrder: optional(
    z.array(text(/^[a-zA-Z0-9][a-zA-Z0-9-]*$/, 'disk, network, cdrom, or the name of a device')),
    'disk, network, cdrom, names of disks and networks, or slots such as scsi0.',
  ),
  onBoot: optional(z.boolean(), 'Start when the node starts.'),
  startup: optional(Startup, 'Order and pauses of starting.'),
  agent: optional(z.union([z.boolean(), Agent], wants('true, false or an object')), 'The QEMU guest agent.'),
});
