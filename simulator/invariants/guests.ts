import type { Sim } from '../cluster/sim';
import type { Task } from '../tasks/task';
import type { Guest } from '../world';
import { findNamed } from '../own-keys';

/** What is wrong with the guests: their ids, their nodes, what runs. */
export function brokenGuests({ world }: Sim): string[] {
  const nodes = new Map(world.nodes.map(node => [node.name, node]));
  return Object.entries(world.guests).flatMap(([key, guest]) => {
    const { vmid } = guest;
    const broken: string[] = [];
    if (Number(key) !== vmid) broken.push(`guest ${vmid} stands under the id ${key}`);
    if (vmid < 100 || vmid > 999_999_999) broken.push(`guest ${vmid} has an id that is none`);
    const node = nodes.get(guest.node);
    if (!node) broken.push(`guest ${vmid} is on no node`);
    if (guest.running && node && !node.online) broken.push(`guest ${vmid} runs on a node that is off`);
    if (guest.running && guest.config['template'] === '1' && guest.config['lock'] !== 'backup')
      broken.push(`guest ${vmid} is a template and runs`);
    return broken;
  });
}

/** Snapshots whose parent is gone, or that are their own ancestors. */
export function brokenSnapshots({ world }: Sim): string[] {
  return Object.values(world.guests).flatMap(guest => {
    const { vmid, snapshots, config } = guest;
    const ofPresent = config['parent'];
    const broken =
      ofPresent === undefined || findNamed(snapshots, ofPresent)
        ? []
        : [`guest ${vmid} stands on the snapshot ${ofPresent}, which is gone`];
    const ofOthers = Object.entries(snapshots).flatMap(([name, { parent }]) => {
      if (parent === undefined) return [];
      if (!findNamed(snapshots, parent))
        return [`snapshot ${name} of ${vmid} stands on ${parent}, which is gone`];
      return isCircle(guest, name) ? [`snapshot ${name} of ${vmid} is its own ancestor`] : [];
    });
    return [...broken, ...ofOthers];
  });
}

function isCircle({ snapshots }: Guest, name: string): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = name; at !== undefined; at = findNamed(snapshots, at)?.parent) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

/** Locks that only a worker sets. A person may set them too, which counts as broken here. */
const WORKERS_LOCKS = ['clone', 'create', 'migrate', 'rollback', 'snapshot', 'snapshot-delete', 'suspending'];

/** Locks in a configuration that no running task explains. One that died with its node is an explanation. */
export function strayLocks(sim: Sim): string[] {
  const tasks = sim.tasks.all();
  return Object.values(sim.world.guests).flatMap(({ vmid, config }) => {
    const lock = config['lock'] ?? '';
    if (!WORKERS_LOCKS.includes(lock) || tasks.some(task => explains(task, vmid, lock))) return [];
    return [`guest ${vmid} is locked (${lock}) and no task runs for it`];
  });
}

/** Workers that leave their lock behind when they fail half-way, as a sign to people. */
const LEFT_LOCKS: Record<string, string> = {
  qmrollback: 'rollback',
  qmdelsnapshot: 'snapshot-delete',
  qmsuspend: 'suspending',
};

function explains({ status, exitstatus, id, type }: Task, vmid: number, lock: string): boolean {
  if (LEFT_LOCKS[type] === lock && id === String(vmid) && exitstatus !== 'OK') return true;
  const isAlive = status === 'running' || exitstatus === 'unexpected status';
  // a clone's task carries the id of its source
  return isAlive && (id === String(vmid) || (lock === 'clone' && type === 'qmclone'));
}

/** Lock files that are held while nothing runs. Only meaningful when no request is under way. */
export function strayLockFiles(sim: Sim): string[] {
  if (sim.tasks.all().some(({ status }) => status === 'running')) return [];
  return sim.flocks.held().map(file => `the lock file ${file} is held and no task runs`);
}
