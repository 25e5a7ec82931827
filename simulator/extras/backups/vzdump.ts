import { hasPrivileges, isRootUser, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { Failure, fail, failParameters } from '../../failure';
import { readPropertyString } from '../../schema/check-value';
import { splitList } from '../../perl-text';
import type { BackupWishes } from './backup-wishes';
import { backUp } from './back-up';
import type { ChosenGuests } from './chosen-guests';
import { checkChoice, chosenGuests, isForAll } from './chosen-guests';
import { contentOf, storageNamed } from '../../storage/on-node';
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
  const { local } = chosen;
  if (local.length === 0 && !isForAll(params)) return 'OK';
  requirePrivileges(sim, user, `/storage/${params['storage'] ?? 'local'}`, ['Datastore.AllocateSpace']);
  const id = local.length === 1 ? String(local[0]) : '';
  return sim.tasks.start({ type: 'vzdump', id, node, user }, task =>
    alone(call, task, () => work(call, task, chosen)),
  );
}

/** Lets one job of a node run at a time. PVE: VZDump.pm getlock. */
function alone({ sim, node, params }: Call, task: TaskContext, job: () => Promise<void>): Promise<void> {
  const file = `${node}:/var/run/vzdump.lock`;
  const waits = sim.flocks.held().includes(file);
  if (waits) task.log('INFO: trying to get global lock - waiting...');
  return sim.flocks.hold(file, Number(params['lockwait'] ?? 180) * 60_000, () => {
    if (waits) task.log('INFO: got global lock');
    return job();
  });
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
  checkChoice(params, true);
}

async function work(call: Call, task: TaskContext, { local, external }: ChosenGuests): Promise<void> {
  const { sim, node } = call;
  const wishes = wishesOf(call);
  if (!contentOf(storageNamed(sim, wishes.storage)).includes('backup')) {
    fail(
      `could not get storage information for '${wishes.storage}': can't use storage '${wishes.storage}' for backups - wrong content type`,
    );
  }
  task.log(`INFO: starting new backup job: ${commandLine(call.params)}`);
  if (external.length > 0) task.log(`INFO: skip external VMs: ${external.join(', ')}`);
  let failed = 0;
  try {
    for (const vmid of local.filter(id => isAllowed(call, id))) {
      if (!(await backUp(sim, task, { node, vmid }, wishes))) failed += 1;
    }
  } catch (error) {
    if (error instanceof Failure) task.log(`ERROR: Backup job failed - ${error.message}`);
    throw error;
  }
  task.log(`INFO: Backup job finished ${failed > 0 ? 'with errors' : 'successfully'}`);
  if (failed > 0) fail('job errors');
}

/** PVE: a job for all passes over what the caller may not back up, any other ends. Ids of nobody are not asked for. */
function isAllowed({ sim, user, params }: Call, vmid: number): boolean {
  if (!sim.world.guests[vmid] || hasPrivileges(sim, user, `/vms/${vmid}`, ['VM.Backup'])) return true;
  if (!isForAll(params)) requirePrivileges(sim, user, `/vms/${vmid}`, ['VM.Backup']);
  return false;
}

function wishesOf({ sim, user, params }: Call): BackupWishes {
  const { storage = 'local', mode = 'snapshot', compress = '0', 'notes-template': notes } = params;
  const said =
    params['prune-backups'] ?? storageNamed(sim, storage).options?.['prune-backups'] ?? 'keep-all=1';
  const retention = readPropertyString('prune-backups', said, 'prune-backups');
  return {
    ...{ user, storage, mode, compress, retention },
    remove: params['remove'] !== '0' && retention['keep-all'] !== '1',
    stopSeconds: Number(params['stopwait'] ?? 10) * 60,
    protected: params['protected'] === '1',
    ...(notes === undefined ? {} : { notes }),
  };
}

/** The command that the job stands for; the order of its options is assumed. */
function commandLine({ vmid, ...options }: Call['params']): string {
  const words = Object.entries(options)
    .filter(([key]) => key !== 'job-id' && key !== 'stdout')
    .map(([key, value = '']) => ` --${key} ${/^[\w!%+,./:@^-]+$/.test(value) ? value : `'${value}'`}`);
  return ['vzdump', ...splitList(vmid)].join(' ') + words.join('');
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
