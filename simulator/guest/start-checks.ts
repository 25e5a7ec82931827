import { fail } from '../failure';
import type { Sim } from '../sim';
import { findVolume } from '../storage/volumes';
import type { Config, Guest } from '../world';
import { trySplitVolumeId } from '../storage/volume-name';
import { drivesOf, isCloudInit } from './drive';

/** Fails as Proxmox does when qemu's command line cannot be made or its volumes are not there. Changes nothing. */
export function checkStart(sim: Sim, guest: Guest): void {
  const { config, node } = guest;
  checkProcessors(sim, guest);
  checkMemory(config);
  const bridges = sim.world.nodes.find(({ name }) => name === node)?.bridges ?? [];
  for (const bridge of bridgesOf(config)) {
    if (!bridges.includes(bridge)) fail(`bridge '${bridge}' does not exist`);
  }
  for (const drive of drivesOf(config)) {
    // the cloud-init image is made anew at each start
    if (trySplitVolumeId(drive.file) === undefined || isCloudInit(drive)) continue;
    if (!findVolume(sim, node, drive.file)) fail(`volume '${drive.file}' does not exist`);
  }
}

/** The bridges that the guest's network cards name, each as often as it is named. */
export function bridgesOf(config: Config): string[] {
  return Object.entries(config).flatMap(([key, value]) =>
    /^net\d+$/.test(key) ? (/(?:^|,)bridge=([^,]+)/.exec(value)?.[1] ?? []) : [],
  );
}

function checkProcessors(sim: Sim, { node, config }: Guest): void {
  const there = sim.world.nodes.find(({ name }) => name === node)?.cpus ?? Infinity;
  const wanted = Number(config['sockets'] ?? 1) * Number(config['cores'] ?? 1);
  if (Number(config['vcpus'] ?? wanted) > there) fail(`MAX ${there} vcpus allowed per VM on this node`);
}

function checkMemory(config: Config): void {
  const hotplug = (config['hotplug'] ?? '').split(',');
  // recording 34, step 2
  if (hotplug.includes('memory') && config['numa'] !== '1')
    fail('NUMA needs to be enabled for memory hotplug');
}
