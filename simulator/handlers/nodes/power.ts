import type { Call, HandlerTable } from '../../cluster/call';
import { applyEvent } from '../../events/apply';
import { nodeBulkHandlers } from './bulk';

/** PVE: the command waits that long, so that the answer gets out. */
const BEFORE_END_MS = 2000;

/** How long a server takes to boot (assumed). */
const BOOT_MS = 60_000;

/** The buttons of a server. Its guests lose their power with it at once (assumed: Proxmox asks them to go first). */
export const nodePowerHandlers: HandlerTable = {
  'POST /nodes/{node}/status': call => {
    const { clock } = call.sim;
    clock.after(BEFORE_END_MS, () => turn(call, 'node-down'));
    if (call.params['command'] === 'reboot') clock.after(BEFORE_END_MS + BOOT_MS, () => comeBack(call));
    return null;
  },
};

function turn({ sim, node }: Call, action: 'node-down' | 'node-up'): void {
  applyEvent(sim, { kind: 'node', action, node });
}

/** The server is up again, and starts the guests that start with it. Nothing, when it was brought back before. */
function comeBack(call: Call): void {
  const { node, sim } = call;
  if (sim.world.nodes.some(({ name, online }) => name === node && online)) return;
  turn(call, 'node-up');
  nodeBulkHandlers['POST /nodes/{node}/startall']?.({ ...call, user: 'root@pam', params: { node } });
}
