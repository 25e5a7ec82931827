import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { requireVolume } from '../../storage/volumes/volumes';
import type { Config, Guest } from '../../world';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { drivesOf, isCloudInit } from '../drives/drive';
import type { Net } from '../keys/net';
import { MAX_MIB, checkModules, mebibytes, staticMemory } from '../keys/memory-modules';
import { isNetKey, parseNet } from '../keys/net';
import { checkMachineVersion } from '../keys/machine';
import { checkHook, checkPci, checkPorts, checkUsb } from './device-checks';
import { memoryBytes } from '../qemu/memory';
import { isRefusedByQemu } from '../qemu/refusals';

/**
 * Fails as Proxmox does when a volume is missing, qemu's command line cannot be made, or qemu ends at once. Changes
 * nothing. The order is that of vm_start_nolock and config_to_command in qemu-server.
 */
export function checkStart(sim: Sim, guest: Guest, log: (line: string) => void): void {
  checkHook(sim, guest);
  try {
    checkVolumes(sim, guest);
    checkCommand(sim, guest);
  } catch (error) {
    tellOfPci(sim, guest, log);
    throw error;
  }
  checkQemu(sim, guest, log);
}

/** PVE cleans up behind a start that failed, looks for the PCI devices once more, and warns. Recording g9, step 18. */
function tellOfPci(sim: Sim, guest: Guest, log: (line: string) => void): void {
  try {
    checkPci(sim, guest);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log(error.message);
  }
}

function checkVolumes(sim: Sim, { config, node }: Guest): void {
  for (const drive of drivesOf(config)) {
    // the cloud-init image is made anew at each start
    if (trySplitVolumeId(drive.file) === undefined || isCloudInit(drive)) continue;
    requireVolume(sim, node, drive.file);
  }
}

function checkCommand(sim: Sim, guest: Guest): void {
  const { config, node } = guest;
  checkMachineVersion(config, node);
  checkFirmware(config);
  checkPci(sim, guest);
  checkUsb(sim, guest);
  checkPorts(guest);
  checkProcessors(sim, guest);
  checkMemory(config);
  const bridges = bridgesAt(sim, guest);
  const cards = Object.keys(config).filter(isNetKey).sort();
  for (const card of cards) checkMtu(card, parseNet(config[card] ?? ''), bridges);
}

/** What only qemu finds out. */
function checkQemu(sim: Sim, guest: Guest, log: (line: string) => void): void {
  const { config } = guest;
  const bridges = bridgesAt(sim, guest);
  const missing = bridgesOf(config).find(bridge => !bridges.includes(bridge));
  if (missing !== undefined) {
    // other cards than virtio find out only when qemu runs its network script (assumed)
    log(`bridge '${missing}' does not exist`);
    log('network script /usr/libexec/qemu-server/pve-bridge failed with status 512');
  }
  const memory = sim.world.nodes.find(({ name }) => name === guest.node)?.memory ?? Infinity;
  const isTooLarge = memoryBytes(config['memory']) > memory;
  // Linux refuses what is more than the host has at all (assumed: the hosts have no swap)
  if (isTooLarge) log("kvm: cannot set up guest memory 'pc.ram': Cannot allocate memory");
  if (missing !== undefined || isTooLarge || isRefusedByQemu(config)) {
    fail('start failed: QEMU exited with code 1');
  }
}

const bridgesAt = (sim: Sim, { node }: Guest): string[] =>
  sim.world.nodes.find(({ name }) => name === node)?.bridges ?? [];

/** Processors of 32 bits. PVE: CPUConfig.pm, get_cpu_bitness */
const SHORT_CPU = /^(486|athlon|pentium[23]?|coreduo|kvm32|qemu32)$/;

function checkFirmware({ bios, cpu = '' }: Config): void {
  const type = /^(?:cputype=)?([^,]+)/.exec(cpu)?.[1] ?? '';
  if (bios === 'ovmf' && SHORT_CPU.test(type)) fail('OVMF (UEFI) BIOS is not supported on 32-bit CPU types');
}

const BRIDGE_MTU = 1500;

/** A virtio card takes its MTU from the bridge, or one that fits. */
function checkMtu(card: string, { model, bridge, mtu = '1' }: Net, bridges: string[]): void {
  if (model !== 'virtio' || bridge === undefined) return;
  if (!bridges.includes(bridge)) fail(`bridge '${bridge}' does not exist`);
  if (mtu === '1') return;
  if (Number(mtu) < 576) fail(`netdev ${card}: MTU '${mtu}' is smaller than the IP minimum MTU '576'`);
  if (Number(mtu) > BRIDGE_MTU) {
    fail(`netdev ${card}: MTU '${mtu}' is bigger than the bridge MTU '${BRIDGE_MTU}'`);
  }
}

/** The bridges that the guest's network cards name, each as often as it is named. */
export function bridgesOf(config: Config): string[] {
  return Object.entries(config).flatMap(([key, value]) =>
    isNetKey(key) ? (/(?:^|,)bridge=([^,]+)/.exec(value)?.[1] ?? []) : [],
  );
}

function checkProcessors(sim: Sim, { node, config }: Guest): void {
  const there = sim.world.nodes.find(({ name }) => name === node)?.cpus ?? Infinity;
  const wanted = Number(config['sockets'] ?? 1) * Number(config['cores'] ?? 1);
  // PVE: what the guest could have at most counts, not what it starts with
  if (wanted > there) fail(`MAX ${there} vcpus allowed per VM on this node`);
}

function hasMemoryHotplug(config: Config): boolean {
  return (config['hotplug'] ?? '').split(',').includes('memory');
}

/** What QemuServer/Memory.pm asks. */
function checkMemory(config: Config): void {
  if (hasMemoryHotplug(config)) checkHotplugMemory(config);
  else checkNuma(config, mebibytes(config['memory'] ?? '512'));
}

function checkHotplugMemory(config: Config): void {
  // recording 34, step 2
  if (config['numa'] !== '1') fail('NUMA needs to be enabled for memory hotplug');
  const size = mebibytes(config['memory'] ?? '512');
  if (size > MAX_MIB) fail(`Total memory is bigger than ${MAX_MIB}MB`);
  if (Object.keys(config).some(key => /^numa\d$/.test(key)))
    fail('cannot enable memory hotplugging with custom NUMA topology');
  const least = staticMemory(config);
  if (size < least) fail(`minimum memory must be ${least}MB`);
  checkModules(config, size);
}

/** Nodes that somebody laid out by hand. */
function checkNuma(config: Config, memory: number): void {
  if (config['numa'] !== '1') return;
  const keys = Object.keys(config).filter(key => /^numa\d$/.test(key));
  let total = 0;
  for (const key of keys.sort()) {
    const part = (name: string): string | undefined =>
      new RegExp(`(?:^|,)${name}=([^,]+)`).exec(config[key] ?? '')?.[1];
    const size = Number(part('memory') ?? 0);
    if (size === 0) fail(`missing NUMA node${key.slice(4)} memory value`);
    total += size;
    if (part('hostnodes') !== undefined && part('policy') === undefined)
      fail(`you need to define a policy for hostnode ${part('hostnodes')}`);
  }
  if (total > 0 && total !== memory) fail('total memory for NUMA nodes must be equal to vm static memory');
}
