import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { requireVolume } from '../../storage/volumes/volumes';
import type { Config, Guest } from '../../world';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { drivesOf, isCloudInit } from '../drives/drive';
import type { Net } from '../keys/net';
import { MAX_MIB, checkModules, mebibytes, staticMemory } from '../keys/memory-modules';
import { isNetKey, parseNet } from '../keys/net';
import { isRefusedByQemu } from '../qemu/refusals';

/** Fails as Proxmox does when qemu's command line cannot be made, a volume is missing, or qemu ends at once. Changes nothing. */
export function checkStart(sim: Sim, guest: Guest, log: (line: string) => void): void {
  const { config, node } = guest;
  checkProcessors(sim, guest);
  checkMemory(config);
  const bridges = sim.world.nodes.find(({ name }) => name === node)?.bridges ?? [];
  const cards = Object.keys(config).filter(isNetKey).sort();
  for (const card of cards) checkMtu(card, parseNet(config[card] ?? ''), bridges);
  for (const drive of drivesOf(config)) {
    // the cloud-init image is made anew at each start
    if (trySplitVolumeId(drive.file) === undefined || isCloudInit(drive)) continue;
    requireVolume(sim, node, drive.file);
  }
  const missing = bridgesOf(config).find(bridge => !bridges.includes(bridge));
  if (missing !== undefined) {
    // other cards than virtio find out only when qemu runs its network script (assumed)
    log(`bridge '${missing}' does not exist`);
    log('network script /usr/libexec/qemu-server/pve-bridge failed with status 512');
  }
  if (missing !== undefined || isRefusedByQemu(config)) fail('start failed: QEMU exited with code 1');
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

/** What QemuServer/Memory.pm asks of memory that can be hot-plugged. */
function checkMemory(config: Config): void {
  if (!hasMemoryHotplug(config)) return;
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
