import { isRootUser, requirePrivileges } from '../access/privileges';
import { onlyRoot } from '../access/root-only';
import type { Call, HandlerTable } from '../call';
import { GatewayFailure, fail } from '../failure';
import { loadGuest } from '../guest/config';
import { placeOf } from '../guest/place';
import { checkRunning } from '../guest/running';
import { runningNumbers } from '../guest/running-status';
import { vgaStatus } from '../guest/vga';
import { startWorker } from '../guest/worker';
import { answerMonitor, isKnownKey, monitorPrivilege } from '../guest/monitor';

const GUEST = '/nodes/{node}/qemu/{vmid}';
const FIRST_PORT = 5900;
const SPICE_PORT = 61_000;
const CONNECT_MS = 10_000;

/** Consoles, the monitor and the curves. Nothing listens behind the consoles: their workers wait and give up. */
export const qemuConsoleHandlers: HandlerTable = {
  [`POST ${GUEST}/vncproxy`]: openVnc,
  [`POST ${GUEST}/termproxy`]: openTerminal,
  [`POST ${GUEST}/spiceproxy`]: openSpice,
  [`POST ${GUEST}/monitor`]: monitor,
  [`PUT ${GUEST}/sendkey`]: sendKey,
  [`GET ${GUEST}/rrddata`]: curves,
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

function monitor(call: Call): string {
  const { sim, user, params } = call;
  const { node, vmid } = placeOf(call);
  const command = params['command'] ?? '';
  if (command === '') fail('no command specified');
  const name = /^\s*(\S+)/.exec(command)?.[1] ?? fail(`unexpected command '${command}'`);
  const privilege = monitorPrivilege(name);
  if (privilege === undefined && !isRootUser(user)) {
    fail(`command '${name}' non-existent or not assigned a required permission yet, limiting to root user`);
  }
  if (privilege === 'root' && !isRootUser(user)) fail(`root-only command '${name}'`);
  if (privilege === 'Sys.Modify') requirePrivileges(sim, user, '/', ['Sys.Modify']);
  return answerMonitor(loadGuest(sim, node, vmid), command.trim());
}

function sendKey(call: Call): null {
  onlyRoot(call, 'skiplock');
  const { node, vmid } = placeOf(call);
  loadGuest(call.sim, node, vmid);
  if (!checkRunning(call.sim, node, vmid)) fail(`VM ${vmid} not running`);
  // PVE puts qemu's words with their CR into the status line, which breaks the answer (recording f3, step 9)
  if (!isKnownKey(call.params['key'] ?? '')) throw new GatewayFailure(400, 'Bad Request');
  return null;
}

const STEPS: Record<string, number> = { hour: 60, day: 1800, week: 10_800, month: 43_200, year: 604_800 };
const POINTS = 70;

/** The curves of a guest (assumed: flat). */
function curves(call: Call): unknown[] {
  const { sim, params } = call;
  const { vmid } = placeOf(call);
  const step = STEPS[params['timeframe'] ?? 'hour'] ?? 60;
  const last = Math.floor(sim.clock.now() / 1000 / step) * step;
  const guest = sim.world.guests[vmid];
  const values = guest?.running ? runningNumbers(sim, guest, guest.running) : {};
  const { cpu, mem, netin, netout } = values;
  const shown = guest?.running ? { cpu, mem, netin, netout } : {};
  return Array.from({ length: POINTS }, (_, index) => ({
    time: last - (POINTS - 1 - index) * step,
    ...shown,
  }));
}
