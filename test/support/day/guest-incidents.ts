import { applyEvent } from '../../../simulator/events/apply';
import { guestOf, isAtPeace, oneOf, type Begun, type Day, type Incident } from './day';
import { sumOf, type Line, type Scrape } from './watched-daemon';

type Deed = 'create|clone' | 'configure' | 'power' | 'migrate';

/** What shows that a machine was brought back: its line, and one more of these actions. */
export function broughtBack(machine: string, action: Deed): Pick<Begun, 'machine' | 'log' | 'metrics'> {
  const of = new RegExp(`^proxmox_operator_task_duration_seconds_count\\{action="(${action})"\\}$`);
  return {
    machine,
    log: ({ machine: named, message }: Line) =>
      named === machine && /^(Started|Finished|Successfully)/.test(message),
    metrics: (now: Scrape, then: Scrape) => sumOf(now, of) > sumOf(then, of),
  };
}

/** Does something to the guest of a machine that is in peace. */
function toGuest(
  name: string,
  action: Deed,
  deed: (day: Day, path: string, vmid: number) => Promise<boolean>,
): Incident {
  return async day => {
    const machine = oneOf(day.roll, day.free);
    const guest = machine === undefined ? undefined : guestOf(day, machine);
    if (machine === undefined || !isAtPeace(day, guest)) return undefined;
    const { vmid, node } = guest;
    if (!(await deed(day, `/nodes/${node}/qemu/${vmid}`, vmid))) return undefined;
    return { text: `somebody ${name} ${machine}`, ...broughtBack(machine, action) };
  };
}

const edit = (name: string, form: Record<string, string>): Incident =>
  toGuest(name, 'configure', ({ administrator }, path) => administrator('PUT', `${path}/config`, form));

/** Moves the guest of a pinned machine, with its disks. */
const move: Incident = day => {
  const pinned = day.wanted.filter(({ id, pin }) => pin === true && day.free.includes(String(id)));
  const machine = String(oneOf(day.roll, pinned)?.['id'] ?? '');
  const guest = guestOf(day, machine);
  const to = day.simulator.world.nodes.find(({ name, online }) => online && name !== guest?.node);
  if (!guest?.running || guest.config['lock'] !== undefined || to === undefined) return undefined;
  applyEvent(day.simulator.sim, { kind: 'move', vmid: guest.vmid, node: to.name });
  return { text: `somebody moves ${machine} to ${to.name}`, ...broughtBack(machine, 'migrate') };
};

/** A backup locks a guest that somebody had edited before. */
const locked: Incident = async day => {
  const begun = await edit('edits and locks', { cores: '3' })(day);
  const { machine } = begun ?? {};
  const guest = machine === undefined ? undefined : guestOf(day, machine);
  if (!begun || !guest) return begun;
  const lock = (text: string): void => {
    if (day.simulator.world.guests[guest.vmid])
      applyEvent(day.simulator.sim, { kind: 'lock', vmid: guest.vmid, lock: text });
  };
  lock('backup');
  return { ...begun, minutes: 3, end: () => lock('') };
};

const UNANSWERED = /^proxmox_operator_api_requests_total\{.*status="none"/;

/** Answers to writes get lost while a machine is brought back. */
const lostAnswers: Incident = async day => {
  const begun = await edit('edits, and answers get lost:', { memory: '512', tags: 'lost' })(day);
  if (!begun) return undefined;
  const { faults } = day.simulator;
  const id = faults.add({
    methods: ['POST', 'PUT', 'DELETE'],
    path: '/nodes/**',
    user: 'root@pam!full',
    count: 2,
    effect: { kind: 'reset', work: 'done' },
  });
  return {
    ...begun,
    minutes: 2,
    end: () => faults.remove(id),
    metrics: (now, then) => sumOf(now, UNANSWERED) > sumOf(then, UNANSWERED),
  };
};

/** What somebody does to guests of ours. */
export const guestIncidents: Record<string, Incident> = {
  deletes: toGuest('deletes', 'create|clone', async ({ administrator }, path) => {
    await administrator('POST', `${path}/status/stop`);
    return administrator('DELETE', path);
  }),
  stops: toGuest('stops', 'power', ({ administrator }, path) => administrator('POST', `${path}/status/stop`)),
  renames: edit('renames', { name: 'somebody-elses' }),
  'edits memory': edit('edits the memory of', { memory: '768' }),
  'edits tags': edit('edits the tags of', { delete: 'tags' }),
  'edits a card': edit('takes the network card of', { delete: 'net0' }),
  moves: move,
  locks: locked,
  'loses answers': lostAnswers,
};
