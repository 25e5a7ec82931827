import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';

/** A chipset and what only another one has. A machine made from nothing is i440fx unless its spec says otherwise. */
export function* chipsetFindings(machine: MachineSpec): Iterable<Finding> {
  const said = typeof machine.machine === 'string' ? { type: machine.machine } : machine.machine;
  const chipset = said?.type ?? (isFresh(machine) ? 'i440fx' : undefined);
  const isWrong = chipset !== undefined && !chipset.includes('q35');
  if (isWrong && said?.viommu === 'intel') {
    yield {
      path: ['machine', 'viommu'],
      reason: `is not possible with machine "${chipset}"`,
      allowed: '"intel" with q35, "virtio" with any',
      remedy: 'Set machine.type to "q35", or viommu to "virtio".',
    };
  }
  // PVE takes any width from 32 to 64; the Intel vIOMMU of QEMU knows these two (assumed: the start fails)
  if (said?.viommu === 'intel' && ![undefined, 39, 48].includes(said.addressBits)) {
    yield {
      path: ['machine', 'addressBits'],
      reason: 'is not possible with viommu "intel"',
      allowed: '39 or 48',
      remedy: 'Use 39 or 48, or viommu "virtio".',
    };
  }
  for (const [i, device] of (machine.pci ?? []).entries()) {
    if (device.pcie !== true || !isWrong) continue;
    yield {
      path: ['pci', i, 'pcie'],
      reason: `is not possible with machine "${chipset}"`,
      allowed: 'with q35',
      remedy: 'Set machine to "q35", or remove pcie.',
    };
  }
}

/** Whether a machine is made from nothing, so that what its spec does not say is PVE's default. */
export function isFresh({ image, adopt }: Pick<MachineSpec, 'image' | 'adopt'>): boolean {
  return adopt !== true && (image?.blank !== undefined || image?.iso !== undefined);
}
