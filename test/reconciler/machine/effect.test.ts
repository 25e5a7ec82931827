import { effectOn, isAlwaysLive } from '../../../reconciler/machine/effect';
import { placeOf } from '../../../reconciler/machine/want';

const NIC = { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' };
const SCSI = { scsi0: 'fast:vm-101-disk-0,size=8G' };

/** What a change costs on a guest that runs; the facts are Proxmox's rules of hotplug. */
const COSTS: [string, string, unknown, Record<string, string>, 'live' | 'restart'][] = [
  ['tags', 'tags', 'a', {}, 'live'],
  ['an address', 'ipconfig3.ip', 'dhcp', {}, 'live'],
  ['cores', 'cores', 2, {}, 'restart'],
  ['the CPU limit', 'cpulimit', 2, {}, 'live'],
  ['the chipset', 'machine.type', 'q35', {}, 'restart'],
  ['a balloon that stays on', 'balloon', 512, { balloon: '256' }, 'live'],
  ['a balloon that is switched off', 'balloon', 0, { balloon: '256' }, 'restart'],
  ['memory', 'memory.current', 512, {}, 'restart'],
  ['memory that is plugged', 'memory.current', 512, { hotplug: 'memory', numa: '1' }, 'live'],
  ['memory without NUMA', 'memory.current', 512, { hotplug: 'memory' }, 'restart'],
  ['vcpus', 'vcpus', 2, {}, 'restart'],
  ['vcpus that are plugged', 'vcpus', 2, { hotplug: 'cpu' }, 'live'],
  ['the VLAN of a card', 'net0.tag', 5, NIC, 'live'],
  ['a card without network hotplug', 'net0.tag', 5, { ...NIC, hotplug: 'disk' }, 'restart'],
  ['no hotplug at all', 'net0', null, { ...NIC, hotplug: '0' }, 'restart'],
  ['a limit of a disk', 'scsi0.mbps', 5, SCSI, 'live'],
  ['the cache of a disk', 'scsi0.cache', 'none', SCSI, 'restart'],
  ['a new SCSI disk', 'scsi1.file', 'fast:8', SCSI, 'live'],
  [
    'a new SCSI disk without disk hotplug',
    'scsi1.file',
    'fast:8',
    { ...SCSI, hotplug: 'network' },
    'restart',
  ],
  ['a new SATA disk', 'sata0.file', 'fast:8', SCSI, 'restart'],
  ['the medium of a CD-ROM drive', 'ide2.file', 'none', { ide2: 'local:iso/a.iso,media=cdrom' }, 'live'],
  ['trimming of the agent', 'agent.fstrim_cloned_disks', true, { agent: '1' }, 'live'],
  ['the agent', 'agent.enabled', true, {}, 'restart'],
  ['USB of Linux', 'usb0.host', 'spice', { ostype: 'l26' }, 'live'],
  ['USB of an old chipset', 'usb0.host', 'spice', { ostype: 'l26', machine: 'pc-i440fx-6.2' }, 'restart'],
  ['USB of another system', 'usb0.host', 'spice', { ostype: 'solaris' }, 'restart'],
  ['hotplug of disks', 'hotplug', 'network', {}, 'live'],
  ['hotplug of memory', 'hotplug', 'network,memory', {}, 'restart'],
  ['a volume that nobody uses', 'unused0', null, { unused0: 'fast:vm-101-disk-1' }, 'live'],
];

describe('what a change costs', () => {
  it.each(COSTS)('%s', (_, place, value, config, cost) => {
    const want = { field: '', ...placeOf(place), value: value as string };
    expect(effectOn(config, true)(want)).toBe(cost);
    expect(effectOn(config, false)(want)).toBe('live');
  });

  it.each([
    ['description', true],
    ['ipconfig0', true],
    ['cpulimit', false],
    ['net0', false],
  ])('%s is applied at once for sure: %s', (key, expected) => {
    expect(isAlwaysLive(key)).toBe(expected);
  });
});
