import type { Part } from '../scene';
import { wantsFrom, type FieldTable } from '../want';

/** threadsPerCore has no place in Proxmox: it is only checked. */
export const CPU: FieldTable = {
  cores: 'cores',
  sockets: 'sockets',
  type: 'cpu.cputype',
  flags: 'cpu.flags',
  limit: 'cpulimit',
  units: 'cpuunits',
  numa: 'numa',
  vcpus: 'vcpus',
  affinity: 'affinity',
  hidden: 'cpu.hidden',
  hvVendorId: 'cpu.hv-vendor-id',
  physBits: 'cpu.phys-bits',
  guestPhysBits: 'cpu.guest-phys-bits',
  level: 'cpu.level',
};

export const cpu: Part = ({ spec: { cpu: said = {} } }) =>
  wantsFrom('cpu.', CPU, { ...said, flags: said.flags?.join(';') });
