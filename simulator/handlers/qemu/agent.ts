import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { AGENT_COMMANDS, guestWithAgent } from '../../guest/agent/commands';
import { disabledWhy } from '../../guest/agent/freeze';
import { guestFile } from '../../guest/agent/files';
import { runProgram, statusOf } from '../../guest/agent/programs';
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
    const guest = able(call, 'file-open');
    const content = findNamed(guest.files ?? {}, file) ?? guestFile(call.sim, guest, file);
    // assumed: qemu-server names the bytes too, and the agent says so of a file that is not there
    if (content === undefined)
      fail(`Agent error: failed to open file '${file}' (mode: 'r'): No such file or directory`);
    return part(Buffer.from(content), call.params);
  },
  [`POST ${AGENT}/file-write`]: call => {
    const guest = able(call, 'file-open');
    const { file = '', content = '', encode = '1' } = call.params;
    guest.files = {
      ...guest.files,
      [file]: encode === '1' ? content : Buffer.from(content, 'base64').toString(),
    };
    return null;
  },
  [`POST ${AGENT}/set-user-password`]: call => {
    able(call, 'set-user-password');
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

/** The guest whose agent may run this command now. */
function able(call: Call, command: string): Guest {
  const guest = answering(call);
  const why = disabledWhy(guest, command);
  return why === undefined ? guest : fail(`Agent error: ${why}`);
}

function run(call: Call, command: string): unknown {
  const guest = answering(call);
  // PVE: hands on what the agent says to a command without parameters, an error too
  const desc = disabledWhy(guest, command);
  if (desc !== undefined) return { error: { class: 'CommandNotFound', desc } };
  if (command === 'shutdown') {
    // PVE: a guest that goes down by itself takes its waiting changes over at the next start only
    guest.running = null;
    return {};
  }
  return AGENT_COMMANDS[command]?.(call.sim, guest) ?? {};
}

function exec(call: Call): { pid: number } {
  const guest = able(call, 'exec');
  const [path] = call.lists['command'] ?? [];
  if (!guest.running || path === undefined) fail('command or input-data (or both) required');
  return runProgram(guest, guest.running, path);
}

function execStatus(call: Call): unknown {
  const { running } = able(call, 'exec-status');
  const pid = Number(call.params['pid']);
  return running ? statusOf(running, pid) : fail(`Agent error: PID ${pid} does not exist`);
}
