import { hasPrivileges, isRootUser, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { backUp } from './back-up';
import { findNamed } from '../../own-keys';
import { contentOf, storageNamed } from '../../storage/on-node';
import { pruneBackups } from './prune-backups';
import { requireVolumeAccess } from '../../storage/volumes/access';
import { ownerOf } from '../../storage/volumes/name';
import { requireVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';

/** Backups of a node's virtual machines to a storage. pve-manager API2/VZDump.pm and VZDump.pm; logs are assumed. */
export const nodeVzdumpHandlers: HandlerTable = {
  'POST /nodes/{node}/vzdump': start,
  'GET /nodes/{node}/vzdump/defaults': defaults,
  'GET /nodes/{node}/vzdump/extractconfig': extractConfig,
};

const ROOT_ONLY = ['tmpdir', 'dumpdir', 'script', 'job-id'];
const NEED_MODIFY = ['bwlimit', 'ionice', 'performance'];

function start(call: Call): string {
  const { sim, node, user, params } = call;
  checkParameters(call);
  const chosen = chosenGuests(call);
  if (chosen.length === 0 && params['all'] !== '1') return 'OK';
  const { storage = 'local' } = params;
  if (params['storage'] !== undefined) {
    requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  }
  const id = chosen.length === 1 ? String(chosen[0]) : '';
  return sim.tasks.start({ type: 'vzdump', id, node, user }, task =>
    alone(call, task, () => work(call, task, storage, chosen)),
  );
}

/** Lets one job of a node run at a time. PVE: VZDump.pm getlock. */
function alone({ sim, node, params }: Call, task: TaskContext, job: () => Promise<void>): Promise<void> {
  const file = `${node}:/var/run/vzdump.lock`;
  if (sim.flocks.held().includes(file)) task.log('INFO: trying to get global lock - waiting...');
  return sim.flocks.hold(file, Number(params['lockwait'] ?? 180) * 60_000, job);
}

function checkParameters({ sim, user, params }: Call): void {
  const wrong = (key: string, text: string): never => failParameters({ [key]: text });
  if (params['stdout'] === '1') wrong('stdout', 'option is only allowed on the command line interface.');
  const only = ROOT_ONLY.find(key => params[key] !== undefined);
  if (!isRootUser(user)) {
    if (only !== undefined) wrong(only, 'Only root may set this option.');
    if (NEED_MODIFY.some(key => params[key] !== undefined)) requirePrivileges(sim, user, '/', ['Sys.Modify']);
    if (params['prune-backups'] !== undefined)
      requirePrivileges(sim, user, `/storage/${params['storage'] ?? 'local'}`, ['Datastore.Allocate']);
  }
  const { vmid, all, exclude, pool, stop } = params;
  if (vmid !== undefined && all === '1') wrong('all', "option conflicts with option 'vmid'");
  if (vmid !== undefined && exclude !== undefined) wrong('exclude', "option conflicts with option 'vmid'");
  if (vmid !== undefined && pool !== undefined) wrong('pool', "option conflicts with option 'vmid'");
  const chosen = [all, stop, exclude].includes('1') || exclude !== undefined || pool !== undefined;
  if (!chosen && vmid === undefined) wrong('vmid', 'property is missing');
}

/** The ids that this node is to back up; guests of other nodes are left out, ids of nobody fail later. */
function chosenGuests({ sim, node, params }: Call): number[] {
  const { vmid, pool, stop, exclude = '' } = params;
  const named = vmid
    ?.split(/[,;\s]+/)
    .filter(each => each !== '')
    .map(Number);
  const members = pool === undefined ? undefined : findNamed(sim.world.pools, pool)?.vms;
  if (pool !== undefined && !members) fail(`pool '${pool}' does not exist`);
  const left = new Set(exclude.split(/[,;\s]+/).map(Number));
  const every = stop === '1' ? [] : Object.keys(sim.world.guests).map(Number);
  const ids = named ?? members ?? every;
  return ids.filter(id => !left.has(id) && (sim.world.guests[id]?.node ?? node) === node);
}

async function work(call: Call, task: TaskContext, storage: string, ids: number[]): Promise<void> {
  const { sim, node, user, params } = call;
  const { mode = 'snapshot', compress = '0', 'notes-template': notes } = params;
  if (!contentOf(storageNamed(sim, storage)).includes('backup')) {
    fail(
      `could not get storage information for '${storage}': can't use storage '${storage}' for backups - wrong content type`,
    );
  }
  const stopSeconds = Number(params['stopwait'] ?? 10) * 60;
  const wishes = { storage, mode, compress, stopSeconds, protected: params['protected'] === '1' };
  task.log(`INFO: starting new backup job: vzdump ${ids.join(' ')} --storage ${storage} --mode ${mode}`);
  let failed = 0;
  for (const vmid of ids) {
    // PVE: with `all` what the caller may not back up is passed over
    if (params['all'] !== '1') requirePrivileges(sim, user, `/vms/${vmid}`, ['VM.Backup']);
    else if (!hasPrivileges(sim, user, `/vms/${vmid}`, ['VM.Backup'])) continue;
    const wish = notes === undefined ? wishes : { ...wishes, notes };
    if (await backUp(sim, task, { node, vmid }, wish)) pruneAfter(call, task, storage, vmid);
    else failed += 1;
  }
  if (failed > 0) fail('job errors');
  task.log('INFO: Backup job finished successfully');
}

/** PVE: once a guest is backed up its old backups go, as the request or the storage says. */
function pruneAfter({ sim, node, params }: Call, task: TaskContext, storage: string, vmid: number): void {
  const retention = params['prune-backups'] ?? storageNamed(sim, storage).options?.['prune-backups'];
  if (retention === undefined || params['remove'] === '0') return;
  pruneBackups(sim, task, { node, storage, vmid, retention });
}

function defaults({ sim, user, params }: Call): unknown {
  const { storage = 'local' } = params;
  requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], true);
  if (!contentOf(storageNamed(sim, storage)).includes('backup')) {
    fail(`can't use storage '${storage}' for backups - wrong content type`);
  }
  const retention = storageNamed(sim, storage).options?.['prune-backups'];
  return { storage, 'prune-backups': retention ?? 'keep-all=1' };
}

function extractConfig({ sim, node, user, params }: Call): string {
  const { volume = '' } = params;
  requireVolumeAccess(sim, user, volume);
  const owner = ownerOf(sim.world, volume);
  if (owner !== undefined) requirePrivileges(sim, user, `/vms/${owner}`, ['VM.Backup']);
  return Buffer.from(requireVolume(sim, node, volume).text ?? '', 'latin1').toString();
}
