import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { AGENT_COMMANDS, guestWithAgent } from '../../guest/agent/commands';
import { guestFile } from '../../guest/agent/files';
import { placeOf } from '../../guest/place';
import { findNamed } from '../../own-keys';
import { ENDPOINTS } from '../../schema/endpoint';
import type { Guest } from '../../world';

const AGENT = '/nodes/{node}/qemu/{vmid}/agent';

/** The guest agent's commands. All fail as Proxmox does while no agent answers. */
export const qemuAgentHandlers: HandlerTable = {
  ...plainCommands(),
  [`GET ${AGENT}`]: () =>
    ENDPOINTS.flatMap(({ path }) => {
      const name = path.startsWith(`${AGENT}/`) ? path.slice(AGENT.length + 1) : undefined;
      return name === undefined ? [] : [{ name }];
    }).sort((left, right) => (left.name < right.name ? -1 : 1)),
  [`POST ${AGENT}`]: call => ({ result: run(call, call.params['command'] ?? '') }),
  [`POST ${AGENT}/shutdown`]: call => ({ result: run(call, 'shutdown') }),
  [`POST ${AGENT}/exec`]: exec,
  [`GET ${AGENT}/exec-status`]: execStatus,
  [`GET ${AGENT}/file-read`]: call => {
    const { file = '' } = call.params;
    const guest = answering(call);
    const content = findNamed(guest.files ?? {}, file) ?? guestFile(call.sim, guest, file);
    // assumed: qemu-server names the bytes too, and the agent says so of a file that is not there
    if (content === undefined)
      fail(`Agent error: failed to open file '${file}' (mode: 'r'): No such file or directory`);
    return part(Buffer.from(content), call.params);
  },
  [`POST ${AGENT}/file-write`]: call => {
    const guest = answering(call);
    const { file = '', content = '', encode = '1' } = call.params;
    guest.files = {
      ...guest.files,
      [file]: encode === '1' ? content : Buffer.from(content, 'base64').toString(),
    };
    return null;
  },
  [`POST ${AGENT}/set-user-password`]: call => {
    answering(call);
    return { result: {} };
  },
};

/** As much of a file as is asked for. PVE: 16 MiB unless something else is said, as text unless it is to stay encoded. */
function part(bytes: Buffer, { offset = '0', count = '16777216', decode = '1' }: Call['params']): unknown {
  const end = Number(offset) + Number(count);
  const read = bytes.subarray(Number(offset), end);
  return {
    content: read.toString(decode === '1' ? 'utf8' : 'base64'),
    'bytes-read': read.length,
    ...(end < bytes.length && { truncated: 1 }),
  };
}

function plainCommands(): HandlerTable {
  return Object.fromEntries(
    ENDPOINTS.filter(
      ({ path }) => AGENT_COMMANDS[path.slice(AGENT.length + 1)] && path.startsWith(AGENT),
    ).map(({ method, path }) => [
      `${method} ${path}`,
      (call: Call) => ({ result: run(call, path.slice(AGENT.length + 1)) }),
    ]),
  );
}

function answering(call: Call): Guest {
  return guestWithAgent(call.sim, placeOf(call));
}

function run(call: Call, command: string): unknown {
  const guest = answering(call);
  if (command === 'shutdown') {
    // PVE: a guest that goes down by itself takes its waiting changes over at the next start only
    guest.running = null;
    return {};
  }
  return AGENT_COMMANDS[command]?.(call.sim, guest) ?? {};
}

/** Pretends to run a command: nothing happens in the guest, and it ends well at once. */
function exec(call: Call): { pid: number } {
  const { running } = answering(call);
  const count = (running?.commands ?? 0) + 1;
  if (running) running.commands = count;
  return { pid: FIRST_PID + count };
}

const FIRST_PID = 1000;

function execStatus(call: Call): unknown {
  const { running } = answering(call);
  const pid = Number(call.params['pid']);
  if (pid <= FIRST_PID || pid > FIRST_PID + (running?.commands ?? 0)) {
    fail(`Agent error: PID ${pid} does not exist`);
  }
  return { exited: 1, exitcode: 0 };
}
