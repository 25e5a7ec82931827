import { hasPrivileges, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { guestOfReplication } from '../../cluster/guest-jobs';
import { needQuorum } from '../../cluster/quorum';
import { isRelease8 } from '../../cluster/release';
import { checkUnmodified } from '../../cluster/section-change';
import { digestOfSections } from '../../cluster/section-config';
import type { Sim } from '../../cluster/sim';
import { deny, fail, failParameters } from '../../failure';
import { drivesOf, isCdrom } from '../../guest/drives/drive';
import { findNamed, putNamed } from '../../own-keys';
import { splitList } from '../../perl-text';
import { storageNamed } from '../../storage/on-node';
import { splitVolumeId } from '../../storage/volumes/name';
import type { Config, Guest, World } from '../../world';

const JOB = '/cluster/replication/{id}';
const FIXED = 'target';
const OPTIONAL = ['disable', 'comment', 'rate', 'schedule', 'remove_job', 'source'];

/**
 * The jobs that copy a guest's disks to another node. None of them ever runs. Nobody recorded them: all is assumed, from what
 * older releases of Proxmox do. A job that is deleted is gone at once; there the node's next round takes it.
 */
export const replicationJobHandlers: HandlerTable = {
  'GET /cluster/replication': ({ sim, user }) => seen(sim, user).map(([id, job]) => shown(id, job)),
  [`GET ${JOB}`]: ({ sim, user, params: { id = '' } }) => {
    const job = findNamed(jobsOf(sim.world), id) ?? fail(`no such replication job '${id}'`);
    if (!mayAudit(sim, user, id)) deny();
    return { ...shown(id, job), digest: digestOf(sim.world) };
  },
  'GET /nodes/{node}/replication': ({ sim, user, node, params: { guest } }) =>
    seen(sim, user)
      .filter(([id]) => sim.world.guests[guestOfReplication(id)]?.node === node)
      .filter(([id]) => guest === undefined || guestOfReplication(id) === Number(guest))
      .map(([id, job]) => ({ ...shown(id, job), fail_count: 0, last_sync: 0, last_try: 0 })),
  'POST /cluster/replication': createJob,
  [`PUT ${JOB}`]: updateJob,
  [`DELETE ${JOB}`]: call => {
    const { id = '', force, keep } = call.params;
    return changing(call, id, jobs => {
      if (force === '1' && keep === '1') failParameters({ keep: "conflicts with parameter 'force'" });
      if (force !== '1' && !findNamed(jobs, id)) fail(`no such job '${id}'`);
      delete jobs[id];
    });
  },
};

const jobsOf = ({ replicationJobs = {} }: World): Record<string, Config> => replicationJobs;

function mayAudit(sim: Sim, user: string, id: string): boolean {
  return hasPrivileges(sim, user, `/vms/${guestOfReplication(id)}`, ['VM.Audit']);
}

/** The jobs of the guests that the caller sees, in order. */
function seen(sim: Sim, user: string): [string, Config][] {
  return Object.entries(jobsOf(sim.world))
    .filter(([id]) => mayAudit(sim, user, id))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function shown(id: string, { disable, ...job }: Config): Record<string, unknown> {
  return {
    id,
    type: 'local',
    guest: guestOfReplication(id),
    jobnum: Number(id.split('-')[1]),
    ...job,
    ...(disable !== undefined && { disable: Number(disable) }),
  };
}

function digestOf(world: World): string {
  return digestOfSections(
    Object.entries(jobsOf(world)).map(([id, settings]) => ({ id, type: 'local', settings })),
  );
}

function createJob(call: Call): null {
  const { sim, params } = call;
  const { id = '', type: _type, ...job } = params;
  const vmid = guestOfReplication(id);
  return changing(call, id, jobs => {
    const guest = sim.world.guests[vmid] ?? fail(`Guest '${vmid}' does not exist.`);
    checkTarget(sim.world, guest, job);
    checkVolumes(sim, guest);
    if (findNamed(jobs, id)) fail(`replication job '${id}' already exists`);
    const { target } = job;
    const isTaken = Object.entries(jobs).some(
      ([other, known]) => guestOfReplication(other) === vmid && known['target'] === target,
    );
    if (isTaken) fail(`replication job for guest '${vmid}' to target 'local/${target}' already exists`);
    putNamed(jobs, id, { source: guest.node, ...job });
  });
}

function checkTarget({ nodes }: World, { vmid, node }: Guest, { target = '', source }: Config): void {
  if (!nodes.some(({ name }) => name === target)) fail(`Target '${target}' does not exist.`);
  if (source !== undefined && source !== node)
    fail(`Source '${source}' does not match current node of guest '${vmid}' (${node})`);
  if (target === node) fail('Source and target must not be identical');
}

/** Only ZFS copies what changed. */
function checkVolumes(sim: Sim, { config }: Guest): void {
  const local = drivesOf(config).filter(drive => {
    if (isCdrom(drive) || drive.options['replicate'] === '0' || !drive.file.includes(':')) return false;
    return !storageNamed(sim, splitVolumeId(drive.file).storage).shared;
  });
  for (const { file } of local) {
    if (storageNamed(sim, splitVolumeId(file).storage).type !== 'zfspool')
      fail(`missing replicate feature on volume '${file}'`);
  }
  if (local.length === 0) fail('No replicatable volumes found');
}

function updateJob(call: Call): null {
  const { id = '', digest, delete: gone, ...change } = call.params;
  return changing(call, id, jobs => {
    checkUnmodified(digest, digestOf(call.sim.world));
    const job = { ...(findNamed(jobs, id) ?? fail(`no such job '${id}'`)), ...change };
    for (const name of splitList(gone)) {
      if (name === FIXED) fail(`unable to delete required option '${name}'`);
      if (!OPTIONAL.includes(name)) fail(`no such option '${name}'`);
      delete job[name];
    }
    putNamed(jobs, id, job);
  });
}

/** PVE 8 had no privilege of its own for it. */
function mayChange({ sim, user }: Call, id: string): void {
  const [path, privilege] = isRelease8(sim.world)
    ? ['/storage', 'Datastore.Allocate']
    : [`/vms/${guestOfReplication(id)}`, 'VM.Replicate'];
  requirePrivileges(sim, user, path, [privilege]);
}

function changing(call: Call, id: string, change: (jobs: Record<string, Config>) => void): null {
  mayChange(call, id);
  const { world } = call.sim;
  needQuorum(world, "cfs-lock 'file-replication_cfg' error: no quorum!");
  change((world.replicationJobs ??= {}));
  return null;
}
