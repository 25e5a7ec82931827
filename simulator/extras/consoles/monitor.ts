import { isRootUser, requirePrivileges } from '../../access/privileges';
import { onlyRoot } from '../../access/root-only';
import type { Call, HandlerTable } from '../../cluster/call';
import { GatewayFailure, fail } from '../../failure';
import { loadGuest } from '../../guest/conf-file/load';
import { answerMonitor, isKnownKey, monitorPrivilege } from '../../guest/qemu/monitor';
import { placeOf } from '../../guest/place';
import { checkRunning } from '../../guest/power/running';

/** What goes to qemu itself: commands and keys. */
export const qemuMonitorHandlers: HandlerTable = {
  'POST /nodes/{node}/qemu/{vmid}/monitor': monitor,
  'PUT /nodes/{node}/qemu/{vmid}/sendkey': sendKey,
};

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
