import { BOOT_KINDS } from '../machine/boot';
import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';
import { isFresh } from './chipset';

const SMBIOS_LIMIT = 512;
// `uuid=` and 36 characters, `base64=1`, and the commas between.
const SMBIOS_OWN = 52;

/** Firmware, boot order and devices that contradict each other. */
export function* deviceFindings(machine: MachineSpec): Iterable<Finding> {
  yield* firmwareFindings(machine);
  yield* bootFindings(machine);
  for (const list of ['usb', 'pci'] as const) {
    for (const [i, device] of (machine[list] ?? []).entries()) {
      if ((device.mapping === undefined) !== (device.host === undefined)) continue;
      yield {
        path: [list, i],
        reason: 'does not say which device, or says it twice',
        allowed: 'exactly one of mapping, host',
        remedy: 'Give one of them.',
      };
    }
  }
  // PVE: "vga type … is not compatible with VNC clipboard"
  const { type = 'std', clipboard } = machine.display ?? {};
  if (clipboard === 'vnc' && !/^(?:std|cirrus|vmware|virtio|qxl)/.test(type)) {
    yield {
      path: ['display', 'clipboard'],
      reason: `is not possible with display type "${type}"`,
      allowed: 'with std, cirrus, vmware, virtio and qxl',
      remedy: 'Remove it, or change display.type.',
    };
  }
  const texts = Object.entries(machine.smbios ?? {});
  const length = texts.reduce((sum, [key, value]) => sum + key.length + 2 + base64Length(value), SMBIOS_OWN);
  if (length > SMBIOS_LIMIT) {
    yield {
      path: ['smbios'],
      reason: `takes ${length} characters when it is encoded`,
      allowed: `at most ${SMBIOS_LIMIT}`,
      remedy: 'Shorten its texts.',
    };
  }
}

const base64Length = (value = '') => Math.ceil(new TextEncoder().encode(value).length / 3) * 4;

function* firmwareFindings({ bios, image, adopt, secureBoot, efiDisk }: MachineSpec): Iterable<Finding> {
  const seabios = bios === 'seabios' || (bios === undefined && isFresh({ image, adopt }));
  if (!seabios) return;
  for (const [field, value] of Object.entries({ secureBoot: secureBoot === true || undefined, efiDisk })) {
    if (value !== undefined) {
      yield {
        path: [field],
        reason: 'needs the UEFI firmware',
        allowed: 'with bios "uefi"',
        remedy: 'Set bios to "uefi", or remove it.',
      };
    }
  }
}

function* bootFindings({ bootOrder = [], disks = [], networks = [] }: MachineSpec): Iterable<Finding> {
  const names = [...disks, ...networks].map(({ name }) => name);
  const slot = /^(?:ide|sata|scsi|virtio|net|usb|hostpci)\d+$/;
  for (const [i, device] of bootOrder.entries()) {
    const path = ['bootOrder', i];
    if (bootOrder.indexOf(device) < i) {
      yield { path, reason: 'is named twice', remedy: 'Remove one of the two.' };
    } else if (!BOOT_KINDS.some(kind => kind === device) && !names.includes(device) && !slot.test(device)) {
      yield {
        path,
        reason: 'is no device of this machine',
        allowed: [...BOOT_KINDS, ...names].join(', '),
        remedy: 'Name one of them, or a slot such as "scsi0".',
      };
    }
  }
}
