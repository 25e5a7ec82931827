import type { HandlerTable } from '../call';
import { guestsSeenBy } from '../views/visible-guests';
import type { Guest } from '../world';

export const lxcListHandlers: HandlerTable = {
  'GET /nodes/{node}/lxc': call => guestsSeenBy(call, 'lxc').map(containerRow),
};

/** A container in a list (assumed: containers only exist here to take ids). */
function containerRow({ vmid, config, running }: Guest): Record<string, unknown> {
  const MiB = 1024 ** 2;
  return {
    vmid: String(vmid),
    type: 'lxc',
    name: config['hostname'] ?? `CT${vmid}`,
    status: running ? 'running' : 'stopped',
    cpus: Number(config['cores'] ?? 1),
    maxmem: Number(config['memory'] ?? 512) * MiB,
    maxswap: Number(config['swap'] ?? 512) * MiB,
    maxdisk: 0,
    cpu: 0,
    mem: 0,
    disk: 0,
    swap: 0,
    diskread: 0,
    diskwrite: 0,
    netin: 0,
    netout: 0,
    uptime: 0,
    ...(config['template'] === '1' && { template: 1 }),
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
    ...(running && { pid: running.pid }),
  };
}
