import type { Call, HandlerTable } from '../call';
import { fail } from '../failure';
import { loadGuest } from '../guest/config';
import { placeOf } from '../guest/place';
import { startWorker } from '../guest/worker';

const FIRST_PORT = 5900;
const CONNECT_MS = 10_000;

/** Consoles. Nothing listens behind them: their workers wait and give up. */
export const qemuConsoleHandlers: HandlerTable = {
  'POST /nodes/{node}/qemu/{vmid}/vncproxy': openConsole,
  'POST /nodes/{node}/qemu/{vmid}/termproxy': openConsole,
};

function openConsole(call: Call): Record<string, unknown> {
  const { sim, user, params, node } = call;
  const { vmid } = placeOf(call);
  // PVE: the node that was asked serves the console, wherever the guest is
  loadGuest(sim, params['node'] ?? node, vmid);
  const port =
    FIRST_PORT + sim.tasks.all().filter(task => task.type === 'vncproxy' && task.status === 'running').length;
  const upid = startWorker(call, 'vncproxy', async task => {
    await task.work(CONNECT_MS);
    fail('connection timed out');
  });
  const time = Math.floor(sim.clock.now() / 1000)
    .toString(16)
    .toUpperCase();
  return {
    user,
    ticket: `PVEVNC:${time}::${Buffer.from(sim.random.hex(64)).toString('base64')}`,
    port: String(port),
    upid,
    cert: 'certificate of the cluster',
    ...(params['generate-password'] === '1' && { password: sim.random.hex(8) }),
  };
}
