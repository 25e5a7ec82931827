import * as z from 'zod';
import { optional } from '../fields/field';
import { ConfigId, Line, VolumeId } from '../values/names';
import { MiB, sizeOf } from '../values/size';
import { strictObject } from '../fields/strict-object';
import { refuse, text, wants, wholeNumber } from '../fields/wants';

// prettier-ignore
const KEYBOARDS = [
  'de', 'de-ch', 'da', 'en-gb', 'en-us', 'es', 'fi', 'fr', 'fr-be', 'fr-ca', 'fr-ch', 'hu', 'is', 'it', 'ja', 'lt',
  'mk', 'nl', 'no', 'pl', 'pt', 'pt-br', 'sv', 'sl', 'tr',
] as const;
// prettier-ignore
const DISPLAYS = [
  'cirrus', 'qxl', 'qxl2', 'qxl3', 'qxl4', 'none', 'serial0', 'serial1', 'serial2', 'serial3', 'std', 'virtio',
  'virtio-gl', 'vmware',
] as const;
const ADDRESS = '(?:[a-f0-9]{4,}:)?[a-f0-9]{2}:[a-f0-9]{2}(?:\\.[a-f0-9])?';
const PCI_ID = text(/^0x[0-9a-fA-F]{4}$/, 'an id such as "0x10de"');
const DISPLAY_MEMORY = 'a size from 4Mi to 512Mi';

const Display = strictObject(() => ({
  type: optional(z.enum(DISPLAYS), 'Kind of display.'),
  memory: optional(
    sizeOf(4 * MiB, MiB).refine(bytes => bytes <= 512 * MiB, wants(DISPLAY_MEMORY)),
    'Video memory.',
  ),
  clipboard: optional(z.literal('vnc', wants('"vnc"')), 'Clipboard.'),
}));

const Usb = strictObject(() => ({
  mapping: optional(ConfigId, 'A resource mapping of the cluster.'),
  host: optional(
    text(
      /^(?:(?:0x)?[0-9A-Fa-f]{4}:(?:0x)?[0-9A-Fa-f]{4}|\d+-\d+(?:\.\d+)*|spice)$/,
      '"vendor:product", "bus-port" or "spice"',
    ),
    'A device of the node. Anything but "spice" only root@pam may set.',
  ),
  usb3: optional(z.boolean(), 'USB 3.'),
}));

const Pci = strictObject(() => ({
  mapping: optional(ConfigId, 'A resource mapping of the cluster.'),
  host: optional(
    text(new RegExp(`^${ADDRESS}(?:;${ADDRESS})*$`), 'a PCI address such as "01:00.0"'),
    'A device of the node. Only root@pam may set it.',
  ),
  pcie: optional(z.boolean(), 'As PCI Express; needs q35.'),
  rombar: optional(z.boolean(), 'Show the ROM.'),
  romFile: optional(
    text(/^[^,;]+$/, 'a file name without "," and ";"'),
    'ROM file. Only root@pam may set it.',
  ),
  mediatedDevice: optional(text(/^[^/.:]+$/, 'a mediated device type'), 'Mediated device type.'),
  primaryGpu: optional(z.boolean(), 'The display of the guest.'),
  legacyIgd: optional(z.boolean(), 'Legacy mode of Intel graphics.'),
  driver: optional(z.enum(['vfio', 'keep']), 'Driver on the node.'),
  vendorId: optional(PCI_ID, 'Vendor id shown.'),
  deviceId: optional(PCI_ID, 'Device id shown.'),
  subVendorId: optional(PCI_ID, 'Subsystem vendor id shown.'),
  subDeviceId: optional(PCI_ID, 'Subsystem device id shown.'),
}));

const Rng = strictObject(() => ({
  source: z.enum(['/dev/urandom', '/dev/random', '/dev/hwrng']).meta({ description: 'Source on the node.' }),
  maxBytes: optional(wholeNumber(0, 1_000_000_000), 'Bytes a period; 0 is no limit.'),
  period: optional(wholeNumber(1, 1_000_000_000, ' ms'), 'Milliseconds of a period.'),
}));

const Watchdog = strictObject(() => ({
  model: optional(z.enum(['i6300esb', 'ib700']), 'Kind of watchdog.'),
  action: optional(z.enum(['reset', 'shutdown', 'poweroff', 'pause', 'debug', 'none']), 'What it does.'),
}));

const Audio = strictObject(() => ({
  device: z.enum(['ich9-intel-hda', 'intel-hda', 'AC97']).meta({ description: 'Kind of sound card.' }),
  driver: optional(z.enum(['spice', 'none']), 'Where the sound goes.'),
}));

const Virtiofs = strictObject(() => ({
  mapping: ConfigId.meta({ description: 'A directory mapping of the cluster.' }),
  cache: optional(z.enum(['auto', 'always', 'metadata', 'never']), 'Caching.'),
  directIo: optional(z.boolean(), 'Honour O_DIRECT.'),
  exposeAcl: optional(z.boolean(), 'POSIX ACLs.'),
  exposeXattr: optional(z.boolean(), 'Extended attributes.'),
}));

// The uuid is not here: it is part of how a guest is known, and is chosen at its creation.
const Smbios = strictObject(() => ({
  manufacturer: optional(Line, 'Manufacturer.'),
  product: optional(Line, 'Product.'),
  version: optional(Line, 'Version.'),
  serial: optional(Line, 'Serial number.'),
  sku: optional(Line, 'SKU.'),
  family: optional(Line, 'Family.'),
}));

const CDROM = '"none", "cdrom" (the drive of the node), or an ISO such as "local:iso/debian.iso"';
const Cdrom = z.string(wants(CDROM)).transform((given, ctx) => {
  const known = given === 'none' || given === 'cdrom' || VolumeId.safeParse(given).success;
  return known ? given : refuse(ctx, given, CDROM);
});

const atMost = <S extends z.ZodType>(entry: S, most: number) =>
  z.array(entry).max(most, wants(`at most ${most}`));

/** The fields of a machine that are devices other than disks and networks. */
export const deviceFields = () => ({
  display: optional(Display, 'Display.'),
  serial: optional(
    atMost(text(/^(?:socket|\/dev\/[^,]+)$/, '"socket" or a device such as "/dev/ttyS0"'), 4),
    'Serial ports. Devices of the node only root@pam may set.',
  ),
  cdrom: optional(Cdrom, 'What is in the CD-ROM drive.'),
  usb: optional(atMost(Usb, 14), 'USB devices.'),
  pci: optional(atMost(Pci, 16), 'PCI devices.'),
  rng: optional(Rng, 'Random number generator.'),
  watchdog: optional(Watchdog, 'Watchdog.'),
  audio: optional(Audio, 'Sound card.'),
  virtiofs: optional(atMost(Virtiofs, 10), 'Shared directories.'),
  tablet: optional(z.boolean(), 'USB tablet as pointer.'),
  keyboard: optional(z.enum(KEYBOARDS), 'Keyboard layout of the console.'),
  smbios: optional(Smbios, 'What the guest reads about its hardware.'),
  hookScript: optional(VolumeId, 'Script run at start and stop. Only root@pam may set it.'),
});
