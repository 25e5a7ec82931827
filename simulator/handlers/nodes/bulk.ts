import { hasOneWay, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { Failure, fail, failParameters } from '../../failure';
import { preflight } from '../../guest/migrate/preflight';
import { isHaManaged } from '../../ha/guest-in-ha';
import { needQuorum } from '../../cluster/quorum';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { qemuMigrateHandlers } from '../qemu/migrate';
import { qemuStatusHandlers } from '../qemu/status';

/** Verbs for all guests of a node. One task asks for each guest's own task. Containers are left alone (assumed). */
export const nodeBulkHandlers: HandlerTable = {
  'POST /nodes/{node}/startall': startAll,
  'POST /nodes/{node}/stopall': stopAll,
  'POST /nodes/{node}/suspendall': suspendAll,
  'POST /nodes/{node}/migrateall': migrateAll,
};

const LAST = Number.MAX_SAFE_INTEGER;

function startAll(call: Call): string {
  const { sim, params } = call;
  requireOnAll(call, 'VM.PowerMgmt');
  return bulkTask(call, 'startall', async task => {
    await waitForQuorum(call, task);
    const all = chosen(call).filter(({ config }) => params['force'] === '1' || config['onboot'] === '1');
    for (const guest of all.sort((left, right) => orderOf(left) - orderOf(right))) {
      needQuorum(sim.world);
      if (guest.running) continue;
      task.log(`Starting VM ${guest.vmid}`);
      const status = await followed(call, task, guest, 'start');
      if (status === undefined) continue;
      if (status !== 'OK') {
        task.log(`Starting VM ${guest.vmid} failed: ${status}`);
        continue;
      }
      const { up } = startupOf(guest);
      if (up) task.log(`Waiting for ${up} seconds (startup delay)`);
      await task.work((up ?? 3) * 1000);
    }
  });
}

async function waitForQuorum({ sim }: Call, task: TaskContext): Promise<void> {
  const isQuorate = (): boolean => sim.world.cluster?.quorate ?? true;
  if (isQuorate()) return;
  task.log('waiting for quorum ...');
  while (!isQuorate()) await task.work(1000);
  task.log('got quorum');
}

function stopAll(call: Call): string {
  const { params } = call;
  requireOnAll(call, 'VM.PowerMgmt');
  return bulkTask(call, 'stopall', async task => {
    const all = chosen(call).sort((left, right) => orderOf(right) - orderOf(left) || right.vmid - left.vmid);
    for (const order of new Set(all.map(orderOf))) {
      const group = all.filter(guest => guest.running && orderOf(guest) === order);
      await Promise.all(
        group.map(guest => {
          const timeout = String(startupOf(guest).down ?? params['timeout'] ?? 180);
          task.log(`Stopping VM ${guest.vmid} (timeout = ${timeout} seconds)`);
          return followed(call, task, guest, 'shutdown', { timeout, forceStop: params['force-stop'] ?? '1' });
        }),
      );
    }
  });
}

function suspendAll(call: Call): string {
  requireOnAll(call, 'VM.PowerMgmt');
  return bulkTask(call, 'suspendall', async task => {
    for (const guest of chosen(call)) {
      if (!guest.running) {
        task.log(`VM ${guest.vmid} not running, skipping suspension`);
        continue;
      }
      task.log(`Suspending VM ${guest.vmid}`);
      await followed(call, task, guest, 'suspend', { todisk: '1' });
    }
  });
}

function migrateAll(call: Call): string {
  const { sim, params, node } = call;
  requireOnAll(call, 'VM.Migrate');
  const target = params['target'] ?? '';
  if (target === node) failParameters({ target: 'target is local node.' });
  needQuorum(sim.world);
  if (!sim.world.nodes.some(({ name }) => name === target)) fail(`no such cluster node '${target}'`);
  return bulkTask(call, 'migrateall', async task => {
    const all = chosen(call, true);
    if (all.length === 0) {
      task.log('no virtual guests matched, nothing to do..');
      return;
    }
    let started = 0;
    for (const guest of all) {
      if (await moved(call, task, guest, target)) started += 1;
    }
    if (started === 0) fail('no migrations worker started...');
    task.log(`All jobs finished, used ${started} workers in total.`);
  });
}

async function moved(call: Call, task: TaskContext, guest: Guest, target: string): Promise<boolean> {
  const withDisks = call.params['with-local-disks'];
  const { local_disks: disks, local_resources: resources } = preflight(call.sim, guest);
  const against: string[] = [];
  if (guest.running && withDisks !== '1' && disks.length > 0) {
    against.push(`  Has local disks: ${disks.map(({ volid }) => volid).join(', ')}`);
  }
  if (resources.length > 0) against.push(`  Has local resources: ${resources.join(', ')}`);
  if (against.length > 0) {
    task.log(`Check VM ${guest.vmid}: skip VM ${guest.vmid} - precondition check failed:`);
    against.forEach(line => task.log(line));
    return false;
  }
  task.log(`Check VM ${guest.vmid}: precondition check passed`);
  task.log(`Migrating VM ${guest.vmid}`);
  const more = {
    target,
    online: guest.running ? '1' : '0',
    ...(withDisks !== undefined && { 'with-local-disks': withDisks }),
  };
  return (await followed(call, task, guest, 'migrate', more)) !== undefined;
}

/** The caller needs the privilege for everything, or for each guest that he names. */
function requireOnAll({ sim, user, params }: Call, privilege: string): void {
  const vmids = idsIn(params['vms']);
  const onEach = vmids.map(vmid => ({ path: `/vms/${vmid}`, privilege }));
  const ways = [[{ path: '/', privilege }], ...(vmids.length === 0 ? [] : [onEach])];
  if (hasOneWay(sim, user, ways)) return;
  if (vmids.length === 0) requirePrivileges(sim, user, '/', [privilege]);
  for (const vmid of vmids) requirePrivileges(sim, user, `/vms/${vmid}`, [privilege]);
}

const idsIn = (text = ''): string[] => text.split(/[\s,;]+/).filter(each => each !== '');

/** The guests of the node that are meant. Without a list those of the HA manager stay out, and templates too. */
function chosen({ sim, node, params }: Call, isMove = false): Guest[] {
  const named = params['vms'] === undefined ? undefined : idsIn(params['vms']);
  return Object.values(sim.world.guests)
    .filter(guest => guest.type === 'qemu' && guest.node === node)
    .filter(({ vmid }) => named?.includes(String(vmid)) ?? (isMove || !isHaManaged(sim, vmid)))
    .filter(({ config }) => isMove || config['template'] !== '1');
}

function startupOf({ config }: Guest): { order?: number; up?: number; down?: number } {
  const text = config['startup'] ?? '';
  const number = (pattern: RegExp): number | undefined => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const values = {
    order: number(/(?:^|,)(?:order=)?(\d+)/),
    up: number(/up=(\d+)/),
    down: number(/down=(\d+)/),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const orderOf = (guest: Guest): number => startupOf(guest).order ?? LAST;

function bulkTask(
  { sim, node, user }: Call,
  type: string,
  work: (task: TaskContext) => Promise<void>,
): string {
  return sim.tasks.start({ type, id: '', node, user }, work);
}

const VERBS: HandlerTable = { ...qemuStatusHandlers, ...qemuMigrateHandlers };

/** Asks for the guest's own task and waits for its end: its exit status, or undefined when it was refused. */
async function followed(
  call: Call,
  task: TaskContext,
  { vmid }: Guest,
  verb: string,
  more: Record<string, string> = {},
): Promise<string | undefined> {
  const { sim, node } = call;
  const path = verb === 'migrate' ? verb : `status/${verb}`;
  try {
    const params = { node, vmid: String(vmid), ...more };
    const upid = String(VERBS[`POST /nodes/{node}/qemu/{vmid}/${path}`]?.({ ...call, params }));
    await sim.tasks.ended(upid);
    return sim.tasks.find(upid)?.exitstatus;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(error.message.trimEnd());
    return undefined;
  }
}
