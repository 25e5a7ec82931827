import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import type { Plugging } from './plugging';
import type { Net } from '../keys/net';
import { parseNet } from '../keys/net';
import { unplug } from './unplug';

const differs = (left: Net, right: Net, keys: string[]): boolean =>
  keys.some(key => left[key] !== right[key]);

/** Changes a network device of a running guest: its other end without the guest's notice, the device itself by replugging. */
export function plugNet(plugging: Plugging, key: string, value: string): string | undefined {
  const { sim, guest, features } = plugging;
  const wanted = parseNet(value);
  const now = guest.config[key];
  if (now !== undefined) {
    const old = parseNet(now);
    const bridged = wanted['bridge'] !== undefined && old['bridge'] !== undefined;
    if (bridged && !differs(old, wanted, ['model', 'macaddr', 'queues', 'mtu'])) {
      changeTap(sim, guest, old, wanted);
      return value;
    }
    if (!features.has('network')) return undefined;
    unplug(sim, guest, key);
  }
  if (!features.has('network')) return undefined;
  if (!hasBridge(sim, guest, wanted)) {
    // recording 14, step 9
    fail(
      `VM ${guest.vmid} qmp command 'netdev_add' failed - network script /usr/libexec/qemu-server/pve-bridge-hotplug failed with status 512`,
    );
  }
  return value;
}

function changeTap(sim: Sim, guest: Guest, old: Net, wanted: Net): void {
  if (!differs(old, wanted, ['bridge', 'tag', 'trunks', 'firewall'])) return;
  if (!hasBridge(sim, guest, wanted)) fail(`interface ${wanted['bridge']} does not exist`);
}

function hasBridge(sim: Sim, guest: Guest, { bridge }: Net): boolean {
  const node = sim.world.nodes.find(({ name }) => name === guest.node);
  return bridge === undefined || (node?.bridges.includes(bridge) ?? false);
}
