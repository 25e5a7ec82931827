import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { loadGuest } from '../../guest/conf-file/load';
import { placeOf } from '../../guest/place';
import { checkRunning } from '../../guest/power/running';
import { vgaStatus } from '../../guest/keys/vga';
import { startWorker } from '../../guest/worker';

const FIRST_PORT = 5900;
const SPICE_PORT = 61_000;
const CONNECT_MS = 10_000;

/** Consoles. Nothing listens behind them: their workers wait and give up. */
export const qemuConsoleHandlers: HandlerTable = {
  'POST /nodes/{node}/qemu/{vmid}/vncproxy': openVnc,
  'POST /nodes/{node}/qemu/{vmid}/termproxy': openTerminal,
  'POST /nodes/{node}/qemu/{vmid}/spiceproxy': openSpice,
};

/** PVE: only a serial terminal that is not spoken to over a web socket does without a password. */
function openVnc(call: Call): Record<string, unknown> {
  const { sim, params } = call;
  const { ticket, vga, ...facts } = openConsole(call);
  const answer = { ...facts, cert: sim.authority };
  const isTerminal = /(?:^|[,=])serial\d/.test(vga);
  if (isTerminal && params['websocket'] !== '1' && params['generate-password'] !== '1') {
    return { ...answer, ticket };
  }
  const password = Array.from({ length: 8 }, () => String.fromCharCode(33 + sim.random.below(94))).join('');
  return { ...answer, ticket: `${password}:${ticket}`, password };
}

function openTerminal(call: Call): Record<string, unknown> {
  const { vga: _, ...facts } = openConsole(call);
  return facts;
}

interface Console {
  user: string;
  ticket: string;
  port: string;
  upid: string;
  vga: string;
}

function openConsole(call: Call): Console {
  const { sim, user, params, node } = call;
  const { vmid } = placeOf(call);
  // PVE: the node that was asked serves the console, wherever the guest is
  const { config } = loadGuest(sim, params['node'] ?? node, vmid);
  const port =
    FIRST_PORT + sim.tasks.all().filter(task => task.type === 'vncproxy' && task.status === 'running').length;
  const upid = startWorker(call, 'vncproxy', async task => {
    await task.work(CONNECT_MS);
    fail('connection timed out');
  });
  const signature = Buffer.from(sim.random.hex(512), 'hex').toString('base64');
  const ticket = `PVEVNC:${hexSeconds(sim.clock.now())}::${signature}`;
  return { user, ticket, port: String(port), upid, vga: config['vga'] ?? '' };
}

const hexSeconds = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0');

/** What a viewer needs to connect. Nothing listens there. */
function openSpice(call: Call): Record<string, unknown> {
  const { sim, params } = call;
  const { node, vmid } = placeOf(call);
  const { config } = loadGuest(sim, node, vmid);
  if (!checkRunning(sim, node, vmid)) fail(`VM ${vmid} not running`);
  if (vgaStatus(config['vga'])['spice'] === undefined) fail('no spice port');
  const time = hexSeconds(sim.clock.now()).toLowerCase();
  return {
    'secure-attention': 'Ctrl+Alt+Ins',
    'toggle-fullscreen': 'Shift+F11',
    'release-cursor': 'Ctrl+Alt+R',
    type: 'spice',
    title: `VM ${vmid}${config['name'] === undefined ? '' : ` - ${config['name']}`}`,
    host: `pvespiceproxy:${time}:${vmid}:${node}:${SPICE_PORT}::${sim.random.hex(40)}`,
    proxy: `http://${params['proxy'] ?? node}:3128`,
    'tls-port': SPICE_PORT,
    'host-subject': `OU=PVE Cluster Node,O=Proxmox Virtual Environment,CN=${node}`,
    ca: sim.authority.replaceAll('\n', '\\n'),
    password: sim.random.hex(40),
    'delete-this-file': 1,
  };
}
