import { describeFailure } from '../../perl-text';
import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { findNamed } from '../../own-keys';
import { findVolume } from '../../storage/volumes/volumes';
import type { Config, Guest, World } from '../../world';
import { configValues } from '../keys/schema';
import { isRecentSystem, versionOf } from '../keys/machine';

/** Fails as the hook does that runs before a start: its script must be there. What it does is not simulated. */
export function checkHook(sim: Sim, { vmid, node, config }: Guest): void {
  const { hookscript } = config;
  if (hookscript === undefined) return;
  try {
    if (!findVolume(sim, node, hookscript)) fail(`script '${hookscript}' does not exist`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // PVE: pve-guest-common, PVE::GuestHelpers::exec_hookscript (assumed wording)
    fail(`hookscript error for ${vmid} on pre-start: ${describeFailure(error)}`);
  }
}

/** Fails unless the PCI devices that the guest wants are in its node. */
export function checkPci({ world }: Sim, { config, node }: Guest): void {
  const there = world.devices?.pci ?? [];
  for (const key of indexed(config, 'hostpci')) {
    const { host, mapping } = configValues(key, config[key] ?? '');
    if (host !== undefined && mapping !== undefined) fail("Cannot set both 'host' and 'mapping'.");
    if (mapping !== undefined && !isMapped(world, 'pci', mapping, node))
      fail(`PCI device mapping not found for '${mapping}'`);
    // recording g9, step 18
    const missing = host?.split(';').find(each => !isThere(there, each));
    if (missing !== undefined) fail(`no PCI device found for '${missing}'`);
    if (host === undefined && mapping === undefined) fail("Either 'host' or 'mapping' must be set.");
  }
}

/** A USB device that is absent may come later, but a mapping must be defined. PVE: QemuServer/USB.pm */
export function checkUsb({ world }: Sim, { config, node }: Guest): void {
  const hasMany = versionOf(config) >= 701 && isRecentSystem(config['ostype']);
  for (const key of indexed(config, 'usb')) {
    if (Number(key.slice(3)) > 4 && !hasMany)
      fail(`using ${key} is only possible with machine type >= 7.1 and ostype l26 or windows > 7`);
    const { mapping } = configValues(key, config[key] ?? '');
    if (mapping !== undefined && !isMapped(world, 'usb', mapping, node))
      fail(`USB device mapping not found for '${mapping}'`);
  }
}

/** Ports of the host: four serial ones, and nothing behind them (assumed); no parallel ones. */
export function checkPorts({ config }: Guest): void {
  for (const key of indexed(config, 'serial')) {
    const path = config[key] ?? '';
    if (path !== 'socket' && !/^\/dev\/ttyS[0-3]$/.test(path)) fail('no such serial device');
  }
  if (indexed(config, 'parallel').length > 0) fail('no such parallel device');
}

/**
 * By somebody's own mapping, or by a name that the world file gives. A mapping that names no device of the node is as none
 * (PVE: Mapping/PCI.pm and USB.pm, find_on_current_node; assumed).
 */
function isMapped(world: World, kind: 'pci' | 'usb', name: string, node: string): boolean {
  const own = findNamed(world.mappings?.[kind] ?? {}, name);
  if (own !== undefined) return own.map.some(entry => entry.split(',').includes(`node=${node}`));
  return isThere(world.devices?.[kind] ?? [], name);
}

const isThere = (devices: string[], name: string): boolean => devices.includes('*') || devices.includes(name);

function indexed(config: Config, name: string): string[] {
  return Object.keys(config)
    .filter(key => new RegExp(`^${name}\\d+$`).test(key))
    .sort((one, other) => Number(one.slice(name.length)) - Number(other.slice(name.length)));
}
