import { seededRandom, type Random } from '../../../simulator/random';
import { parametersOf } from '../../../simulator/schema/check';
import { ENDPOINTS } from '../../../simulator/schema/endpoint';
import type { Params } from '../cluster/ask';
import type { OpenCluster } from '../cluster/open-cluster';
import { pick, valueFor } from './values';

const CONFIG = ENDPOINTS.find(
  ({ method, path }) => method === 'PUT' && path === '/nodes/{node}/qemu/{vmid}/config',
);
const KEYS = parametersOf(CONFIG!);
/** What is no key of the configuration, or makes a guest something else. */
const NO_KEYS =
  /^(?:node|vmid|delete|revert|digest|lock|force|skiplock|template|background_delay|parent|unused\d+)$/;
const BASES = [...new Set(Object.keys(KEYS).map(key => key.replace(/\d+$/, '')))].filter(
  key => !NO_KEYS.test(key),
);

/** What people write, and the tables of the schema do not: other spellings, several devices, odd texts. */
const BY_HAND: Record<string, readonly string[]> = {
  net: [
    'virtio,bridge=vmbr0,firewall=1',
    'e1000=BC:24:11:0A:0B:0C,bridge=vmbr1,tag=20',
    'rtl8139,bridge=vmbr0,link_down=1',
    'vmxnet3,bridge=vmbr2,rate=12.5,queues=4',
    'virtio,bridge=vmbr1,trunks=10;20-30',
  ],
  ipconfig: [
    'ip=dhcp,ip6=auto',
    'ip=10.9.8.7/16,gw=10.9.0.1',
    'ip6=2001:DB8:0:0::5/64,gw6=2001:db8::1',
    'ip6=dhcp',
  ],
  scsi: [
    'local-lvm:1,iothread=1,ssd=1,discard=on',
    'shared:2,format=qcow2,cache=writeback',
    'local-lvm:0.5,backup=0,serial=A%20B',
    'shared:1,iops_rd=100,iops_rd_max=200,mbps=20',
    'local-lvm:1,wwn=0x5000c500a0b1c2d3,queues=4',
  ],
  virtio: ['local-lvm:1,aio=native', 'shared:1,ro=1'],
  ide: [
    'none,media=cdrom',
    'local-lvm:cloudinit',
    'shared:iso/debian-12.9.0-amd64-netinst.iso,media=cdrom',
    'local-lvm:1',
  ],
  sata: ['local-lvm:1,ssd=1', 'none,media=cdrom'],
  usb: ['spice', 'host=spice,usb3=1', 'host=1234:5678', 'host=1-2'],
  hostpci: ['01:00.0', '0000:02:00,pcie=1,rombar=0', '01:00.0;01:00.1'],
  serial: ['socket', '/dev/ttyS0'],
  tags: ['b;A;c', 'prod,web'],
  description: ['made by hand', 'two\nlines\n\n', '# heading\n\n<b>text</b>', '${x} %{y} "q" `t`\\n'],
  smbios: [
    'uuid=11111111-2222-4333-8444-555555555555,manufacturer=QWNtZQ==,base64=1',
    'manufacturer=Acme,product=One',
  ],
  sshkeys: [
    encodeURIComponent(
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM a b\n',
    ),
  ],
  ciuser: ['admin'],
  agent: ['1', 'enabled=1,fstrim_cloned_disks=1', '0', 'enabled=1,type=isa'],
  hotplug: ['1', '0', 'disk,network'],
  startup: ['order=2,up=30', '3', 'up=5,down=90'],
  efidisk: ['local-lvm:1,efitype=4m,pre-enrolled-keys=1', 'local-lvm:1'],
  tpmstate: ['local-lvm:1,version=v2.0', 'local-lvm:1'],
  machine: ['q35', 'pc-i440fx-10.0', 'pc-q35-9.2', 'q35,viommu=virtio', 'pc'],
  cpu: [
    'host',
    'x86-64-v2-AES,flags=+aes;-pcid',
    'cputype=kvm64,hidden=1',
    'host,phys-bits=host',
    'max,phys-bits=40',
  ],
  vga: ['std', 'virtio,memory=64', 'serial0', 'type=qxl,clipboard=vnc', 'memory=16'],
  boot: ['order=scsi0;net0', 'order=ide2;scsi0;net0', 'cdn', 'order=net0', 'order='],
  bootdisk: ['scsi0'],
  rng: ['source=/dev/urandom', '/dev/urandom,max_bytes=512,period=500'],
  watchdog: ['ib700,action=reset', 'action=poweroff'],
  audio: ['device=AC97', 'device=intel-hda,driver=none'],
  nameserver: ['10.0.0.1 2001:DB8::1', '10.0.0.1,10.0.0.2'],
  searchdomain: ['example.org a.test'],
  cpuunits: ['1', '1024', '10000'],
  memory: ['16', '64', '512', '3000', '2048'],
  balloon: ['0', '16', '512'],
  localtime: ['0', '1'],
  args: ['-no-reboot'],
  name: ['web', 'web', 'web.example.com', 'a1'],
};

/** Makes a machine as a person would who tries everything: what Proxmox refuses is not there then. */
export async function handMade(cluster: OpenCluster, seed: number, vmid: number): Promise<void> {
  const random = seededRandom(seed * 7_919 + 17);
  const node = pick(random, ['pve1', 'pve1', 'pve2', 'pve3']);
  const made = await cluster.run('POST', `/nodes/${node}/qemu`, { vmid, ...firstOf(random) });
  if (made.exitstatus !== 'OK') throw new Error(`${vmid}: ${made.exitstatus}`);
  const count = 6 + random.below(22);
  for (let i = 0; i < count; i += 1) {
    const key = drawKey(random);
    const given = valueOf(random, key);
    if (typeof given === 'string')
      await cluster.request('PUT', `/nodes/${node}/qemu/${vmid}/config`, { [key]: given });
  }
  const { config } = cluster.world.guests[vmid]!;
  if (random.below(12) === 0) delete config['smbios1'];
  if (random.below(4) === 0) cluster.world.pools[pick(random, ['prod', 'lab'])]?.vms.push(vmid);
  if (random.below(2) > 0) return;
  const upid = await cluster.request('POST', `/nodes/${node}/qemu/${vmid}/status/start`);
  if (typeof upid.data !== 'string') return;
  await cluster.ended(upid.data);
  // what is changed now may wait for a restart; more CPUs than it has would keep it from starting, which adopt refuses
  for (let i = 0; i < random.below(4); i += 1) {
    const key = drawKey(random);
    const given = valueOf(random, key);
    if (typeof given === 'string' && key !== 'vcpus')
      await cluster.request('PUT', `/nodes/${node}/qemu/${vmid}/config`, { [key]: given });
  }
}

/** What the form of a browser sends for a new machine, or next to nothing. */
function firstOf(random: Random): Params {
  if (random.below(5) === 0) return {};
  return {
    name: pick(random, ['web', 'db', 'old-box', 'a.b.example.com', 'web-1', 'x'.repeat(63)]),
    cores: 1 + random.below(4),
    sockets: 1,
    numa: 0,
    memory: pick(random, [512, 1024, 2048, 2048]),
    ostype: pick(random, ['l26', 'win11', 'other']),
    scsihw: 'virtio-scsi-single',
    scsi0: 'local-lvm:2,iothread=1',
    net0: 'virtio,bridge=vmbr0,firewall=1',
    ide2: 'none,media=cdrom',
    boot: 'order=scsi0;ide2;net0',
  };
}

/** One setting that somebody made for a reason which nobody remembers; undefined: none was drawn. */
export function oddSetting(random: Random): Record<string, string> | undefined {
  const key = drawKey(random);
  const given = valueOf(random, key);
  return typeof given === 'string' ? { [key]: given } : undefined;
}

function drawKey(random: Random): string {
  const base = pick(random, random.below(3) === 0 ? BASES : Object.keys(BY_HAND));
  if (Object.hasOwn(KEYS, base)) return base;
  return `${base}${random.below(4) > 0 ? random.below(2) : random.below(4)}`;
}

function valueOf(random: Random, key: string): unknown {
  const base = key.replace(/\d+$/, '');
  const known = BY_HAND[base];
  if (known !== undefined && random.below(4) > 0) return pick(random, known);
  const property = KEYS[key];
  return property === undefined ? undefined : valueFor(random, key, property, 0);
}
