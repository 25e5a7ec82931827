import { isAlwaysLive } from '../../../reconciler/guest/key-kinds';
import { effectOn } from '../../../reconciler/machine/live-or-restart';

const NIC = { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' };
const SCSI = { scsi0: 'fast:vm-101-disk-0,size=8G' };

/** What it costs to bring a key to a text on a guest that runs; the facts are Proxmox's rules of hotplug. */
const COSTS: [string, string, string | undefined, Record<string, string>, 'live' | 'restart'][] = [
  ['tags', 'tags', 'a', {}, 'live'],
  ['an address', 'ipconfig3', 'ip=dhcp', {}, 'restart'],
  ['an address that it was started with', 'ipconfig3', 'ip=dhcp', { ipconfig3: 'ip=dhcp' }, 'live'],
  ['cores', 'cores', '2', {}, 'restart'],
  ['cores that run already, where others wait', 'cores', '2', { cores: '2' }, 'live'],
  ['the CPU limit', 'cpulimit', '2', {}, 'live'],
  ['the chipset', 'machine', 'q35', {}, 'restart'],
  ['a balloon that stays on', 'balloon', '512', { balloon: '256' }, 'live'],
  ['a balloon that is switched off', 'balloon', '0', { balloon: '256' }, 'restart'],
  ['memory', 'memory', '2048', {}, 'restart'],
  ['memory that is plugged', 'memory', '2048', { hotplug: 'memory', numa: '1', memory: '1024' }, 'live'],
  ['memory that is taken', 'memory', '1024', { hotplug: 'memory', numa: '1', memory: '2048' }, 'restart'],
  ['memory without NUMA', 'memory', '2048', { hotplug: 'memory' }, 'restart'],
  ['vcpus', 'vcpus', '2', {}, 'restart'],
  ['vcpus that are plugged', 'vcpus', '2', { hotplug: 'cpu' }, 'live'],
  ['the tablet', 'tablet', '0', {}, 'live'],
  ['the tablet without USB hotplug', 'tablet', '0', { hotplug: 'disk' }, 'restart'],
  ['the VLAN of a card', 'net0', `${NIC.net0},tag=5`, NIC, 'live'],
  ['a card without network hotplug', 'net0', `${NIC.net0},tag=5`, { ...NIC, hotplug: 'disk' }, 'restart'],
  ['no hotplug at all', 'net0', undefined, { ...NIC, hotplug: '0' }, 'restart'],
  ['a limit of a disk', 'scsi0', `${SCSI.scsi0},mbps=5`, SCSI, 'live'],
  ['the cache of a disk', 'scsi0', `${SCSI.scsi0},cache=none`, SCSI, 'restart'],
  ['a limit beside the cache', 'scsi0', `${SCSI.scsi0},cache=none,mbps=5`, SCSI, 'restart'],
  ['a new SCSI disk', 'scsi1', 'fast:8', SCSI, 'live'],
  ['a SCSI disk that goes', 'scsi0', undefined, SCSI, 'live'],
  [
    'a SCSI disk of the boot order that goes',
    'scsi0',
    undefined,
    { ...SCSI, boot: 'order=scsi0' },
    'restart',
  ],
  ['a new SCSI disk without disk hotplug', 'scsi1', 'fast:8', { ...SCSI, hotplug: 'network' }, 'restart'],
  ['a new SATA disk', 'sata0', 'fast:8', SCSI, 'restart'],
  [
    'the medium of a CD-ROM drive',
    'ide2',
    'none,media=cdrom',
    { ide2: 'local:iso/a.iso,media=cdrom' },
    'live',
  ],
  ['trimming of the agent', 'agent', '1,fstrim_cloned_disks=1', { agent: '1' }, 'live'],
  ['the agent', 'agent', '1', {}, 'restart'],
  ['USB of Linux', 'usb0', 'spice', { ostype: 'l26' }, 'live'],
  ['USB of an old chipset', 'usb0', 'spice', { ostype: 'l26', machine: 'pc-i440fx-6.2' }, 'restart'],
  ['USB of another system', 'usb0', 'spice', { ostype: 'solaris' }, 'restart'],
  ['hotplug of disks', 'hotplug', 'network', {}, 'live'],
  ['hotplug of memory', 'hotplug', 'network,memory', {}, 'restart'],
  ['hotplug of disks beside memory', 'hotplug', 'disk,memory', { hotplug: 'memory' }, 'restart'],
  ['a volume that nobody uses', 'unused0', undefined, { unused0: 'fast:vm-101-disk-1' }, 'live'],
];

describe('what a change costs', () => {
  it.each(COSTS)('%s', (_, key, text, current, cost) => {
    expect(effectOn(current, true)(key, text)).toBe(cost);
    expect(effectOn(current, false)(key, text)).toBe('live');
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
