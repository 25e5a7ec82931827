import { fail } from '../../failure';
import type { Config } from '../../world';
import { configValues } from '../keys/schema';

/** What ties a guest to its node, by configuration key. */
export interface LocalResources {
  /** All of it; devices that are named by a mapping too. */
  local: string[];
  /** The devices that are named by a mapping. */
  mapped: Record<string, { name: string }>;
}

/** What no saved memory can hold; empty when the memory is not saved. PVE: qemu-server, PVE::QemuMigrate::Helpers as read. */
function unsavable(config: Config, withMemory: boolean): string[] {
  if (!withMemory) return [];
  return [
    ...(config['amd-sev'] === undefined ? [] : ['amd-sev']),
    ...(Object.keys(config).some(key => /^virtiofs\d+$/.test(key)) ? ['virtiofs'] : []),
  ];
}

/** Fails for a guest whose memory shall be saved and cannot be. */
export function requireSavable(config: Config, withMemory: boolean): void {
  const blockers = unsavable(config, withMemory);
  if (blockers.length === 0) return;
  fail(`Cannot live-migrate, snapshot (with RAM), or hibernate a VM with: ${blockers.join(', ')}`);
}

/** The devices of a guest that stand in the way of a migration. PVE: qemu-server, check_local_resources as read. */
export function localResources(config: Config, running: boolean): LocalResources {
  const local = unsavable(config, running);
  if (config['ivshmem'] !== undefined) local.push('ivshmem');
  const mapped: LocalResources['mapped'] = {};
  for (const [key, value] of Object.entries(config)) {
    const [, kind] = /^(usb|hostpci|serial|parallel|virtiofs)\d+$/.exec(key) ?? [];
    if (kind === undefined || value === 'socket') continue;
    const { host = '', mapping, dirid } = devicesOf(kind, key, value);
    if (kind === 'usb' && /^spice$/i.test(host)) continue;
    const name = kind === 'virtiofs' ? dirid : mapping;
    if (name !== undefined) mapped[key] = { name };
    // a card that is named by a mapping holds back only a guest that runs
    if (kind === 'hostpci' && name !== undefined && !running) continue;
    local.push(key);
  }
  return { local, mapped };
}

function devicesOf(kind: string, key: string, value: string): Record<string, string> {
  return ['serial', 'parallel'].includes(kind) ? {} : configValues(key, value);
}

/** Fails unless a guest can leave its node with the devices it has. */
export function requireMovable(
  config: Config,
  { target, running, force }: { target: string; running: boolean; force: boolean },
  log: (line: string) => void,
): void {
  const { local, mapped } = localResources(config, running);
  const blocking = local.filter(key => mapped[key] === undefined);
  if (blocking.length > 0 && !force) {
    fail(`can't migrate VM which uses local devices: ${blocking.join(', ')}`);
  }
  if (blocking.length > 0) log('migrating VM which uses local devices');
  const keys = Object.keys(mapped);
  // this simulation has no mappings, so no node has one
  if (keys.length > 0) fail(`can't migrate to '${target}': missing mapped devices ${keys.join(', ')}`);
}
