import type { Config, Guest, GuestSystem, Volume, World } from '../world';

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const MADE_AT = 1_699_000_000;

/** A system that boots, answers through its agent and obeys the power button. */
export const LINUX: GuestSystem = { kind: 'linux', bootMs: 2000, agent: true, obeysShutdown: true };

/** Puts in what a cluster in use has: two templates, an ISO, and a guest and a container that are not ours. */
export function addDefaultGuests(world: World): void {
  const first = world.nodes[0]?.name ?? 'pve1';
  const last = world.nodes.at(-1)?.name ?? first;
  world.volumes.push(
    volume('shared:iso/debian-12.9.0-amd64-netinst.iso', null, 632 * MiB, { content: 'iso', format: 'iso' }),
  );
  // on shared storage: every node can clone it, also linked
  addTemplate(world, { vmid: 9000, name: 'ubuntu-22.04', node: first, gib: 10, storage: 'shared' });
  // on the node's own storage, as most clusters have it: only this node can clone it
  addTemplate(world, { vmid: 9001, name: 'debian-12', node: first, gib: 8, storage: 'local-lvm' });
  addForeignGuest(world, last);
  addContainer(world, last);
}

/** Adds so many small guests, one third of them running, spread over the nodes. Their ids start at 10001. */
export function addManyGuests(world: World, count: number): void {
  for (let index = 1; index <= count; index += 1) {
    const vmid = 10_000 + index;
    const node = world.nodes[index % world.nodes.length]?.name ?? 'pve1';
    const disk = `local-lvm:vm-${vmid}-disk-0`;
    world.volumes.push(volume(disk, node, 4 * GiB, { vmid }));
    const config = machineConfig(vmid, {
      name: `guest-${index}`,
      memory: '2048',
      scsi0: `${disk},size=4G`,
      boot: 'order=scsi0',
      tags: 'bulk',
    });
    world.guests[vmid] = guestOf({ vmid, node, config, isRunning: index % 3 === 0 });
  }
}

interface Template {
  vmid: number;
  name: string;
  node: string;
  gib: number;
  storage: 'shared' | 'local-lvm';
}

function addTemplate(world: World, { vmid, name, node, gib, storage }: Template): void {
  const isShared = storage === 'shared';
  const disk = isShared ? `shared:${vmid}/base-${vmid}-disk-0.qcow2` : `local-lvm:base-${vmid}-disk-0`;
  const drive = isShared ? `shared:${vmid}/vm-${vmid}-cloudinit.qcow2` : `local-lvm:vm-${vmid}-cloudinit`;
  const at = isShared ? null : node;
  const format = isShared ? 'qcow2' : 'raw';
  world.volumes.push(
    volume(disk, at, gib * GiB, { vmid, format }),
    volume(drive, at, 4 * MiB, { vmid, format }),
  );
  const config = machineConfig(vmid, {
    name,
    template: '1',
    agent: '1',
    cores: '2',
    memory: '2048',
    scsi0: `${disk},size=${gib}G`,
    ide2: `${drive},media=cdrom`,
    boot: 'order=scsi0',
    ipconfig0: 'ip=dhcp',
    serial0: 'socket',
    vga: 'serial0',
  });
  world.guests[vmid] = guestOf({ vmid, node, config, isRunning: false });
}

function addForeignGuest(world: World, node: string): void {
  const disk = 'local-lvm:vm-100-disk-0';
  world.volumes.push(volume(disk, node, 32 * GiB, { vmid: 100 }));
  const config = machineConfig(100, {
    name: 'legacy-db',
    description: 'Built by hand. Ask before you touch it.',
    cores: '4',
    memory: '8192',
    onboot: '1',
    scsi0: `${disk},size=32G`,
    boot: 'order=scsi0',
  });
  world.guests[100] = guestOf({ vmid: 100, node, config, isRunning: true });
}

function addContainer(world: World, node: string): void {
  const disk = 'local-lvm:vm-101-disk-0';
  world.volumes.push(volume(disk, node, 8 * GiB, { vmid: 101, content: 'rootdir' }));
  world.guests[101] = {
    ...guestOf({ vmid: 101, node, config: {}, isRunning: true }),
    type: 'lxc',
    config: {
      arch: 'amd64',
      cores: '1',
      hostname: 'dns',
      memory: '512',
      net0: 'name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:65,ip=dhcp,type=veth',
      ostype: 'debian',
      rootfs: `${disk},size=8G`,
      swap: '512',
      unprivileged: '1',
    },
  };
}

/** What each machine has, made from its id so that two runs are alike. */
function machineConfig(vmid: number, special: Config): Config {
  const tail = vmid.toString(16).padStart(12, '0');
  const mac = vmid
    .toString(16)
    .toUpperCase()
    .padStart(6, '0')
    .replace(/(..)(..)(..)/, '$1:$2:$3');
  return {
    meta: `creation-qemu=10.1.2,ctime=${MADE_AT}`,
    net0: `virtio=BC:24:11:${mac},bridge=vmbr0`,
    ostype: 'l26',
    scsihw: 'virtio-scsi-single',
    smbios1: `uuid=00000000-0000-4000-8000-${tail}`,
    vmgenid: `00000000-0000-4000-9000-${tail}`,
    ...special,
  };
}

function guestOf(made: { vmid: number; node: string; config: Config; isRunning: boolean }): Guest {
  const { vmid, node, config, isRunning } = made;
  return {
    vmid,
    type: 'qemu',
    node,
    config,
    pending: {},
    pendingDelete: {},
    snapshots: {},
    running: isRunning
      ? { pid: 2000 + vmid, since: (MADE_AT + 60) * 1000, qmp: 'running', machine: 'pc-i440fx-10.1+pve0' }
      : null,
    system: { ...LINUX },
    cloudInitImage: null,
  };
}

function volume(volid: string, node: string | null, size: number, more: Partial<Volume>): Volume {
  const storage = volid.slice(0, volid.indexOf(':'));
  return { volid, storage, node, content: 'images', format: 'raw', size, ctime: MADE_AT, ...more };
}
