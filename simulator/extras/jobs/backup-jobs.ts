import { isRootUser, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';
import { Failure, fail, failParameters } from '../../failure';
import { findNamed, putNamed } from '../../own-keys';
import { describeFailure, splitList } from '../../perl-text';
import { readPropertyString } from '../../schema/check-value';
import type { Config, World } from '../../world';
import { checkChoice } from '../backups/chosen-guests';

const JOB = '/cluster/backup/{id}';
const FLAGS = ['all', 'enabled', 'protected', 'quiet', 'remove', 'repeat-missed', 'stdexcludes', 'stop'];
/** Property strings that are shown taken apart. */
const PARTS: Record<string, string> = {
  fleecing: 'backup-fleecing',
  performance: 'backup-performance',
  'prune-backups': 'prune-backups',
};
const ROOT_ONLY = ['tmpdir', 'dumpdir', 'script', 'job-id'];
const DELETABLE = ['comment', 'repeat-missed'];

/**
 * The jobs that back guests up. None of them ever runs. Nobody recorded them: all is assumed, from what older releases of
 * Proxmox do. When a job runs next is not told.
 */
export const backupJobHandlers: HandlerTable = {
  'GET /cluster/backup': ({ sim: { world } }) =>
    Object.entries(world.backupJobs ?? {}).map(([id, job]) => shown(id, job)),
  [`GET ${JOB}`]: ({ sim: { world }, params: { id = '' } }) => shown(id, jobNamed(world, id)),
  'POST /cluster/backup': createJob,
  [`PUT ${JOB}`]: updateJob,
  [`DELETE ${JOB}`]: ({ sim: { world }, params: { id = '' } }) =>
    changing(world, jobs => {
      jobNamed(world, id);
      delete jobs[id];
    }),
};

function jobNamed({ backupJobs = {} }: World, id: string): Config {
  return findNamed(backupJobs, id) ?? failParameters({ id: `No such job '${id}'` });
}

function shown(id: string, job: Config): Record<string, unknown> {
  const entries = Object.entries(job).map(([key, value]) => {
    const format = PARTS[key];
    if (format !== undefined) return [key, readPropertyString(format, value, key)];
    return [key, FLAGS.includes(key) ? Number(value) : value];
  });
  return { id, type: 'vzdump', ...Object.fromEntries(entries) };
}

function createJob(call: Call): null {
  const { sim, user, params } = call;
  const { id = newId(call), ...sent } = params;
  checkCaller(call);
  if (!isRootUser(user))
    requirePrivileges(sim, user, `/storage/${sent['storage'] ?? 'local'}`, ['Datastore.Allocate']);
  const job = { enabled: '1', ...scheduled(sent, true) };
  checkChoice(job, true);
  return changing(sim.world, jobs => {
    if (findNamed(jobs, id)) fail(`Job '${id}' already exists`);
    putNamed(jobs, id, withAll(job));
  });
}

function updateJob(call: Call): null {
  const { id = '', delete: gone, ...sent } = call.params;
  checkCaller(call);
  const change = scheduled(sent, false);
  checkChoice(change, false);
  return changing(call.sim.world, jobs => {
    const kept = { ...jobNamed(call.sim.world, id) };
    for (const name of splitList(gone)) {
      const isKnown = DELETABLE.includes(name) || name in (call.endpoint.parameters.properties ?? {});
      if (!isKnown) failParameters({ delete: `unknown option '${name}'` });
      delete kept[name];
    }
    const job = withAll({ ...kept, ...change });
    for (const key of overridden(change, job)) delete job[key];
    checkChoice(job, true);
    putNamed(jobs, id, job);
  });
}

function checkCaller(call: Call): void {
  const { sim, user, params } = call;
  const only = ROOT_ONLY.find(key => params[key] !== undefined);
  if (only !== undefined && !isRootUser(user)) failParameters({ [only]: 'Only root may set this option.' });
  const { pool } = params;
  if (pool === undefined) return;
  if (!findNamed(sim.world.pools, pool)) fail(`pool '${pool}' does not exist`);
  requirePrivileges(sim, user, `/pool/${pool}`, ['VM.Backup']);
}

/** The old way to say when, a time and days, becomes a schedule. */
function scheduled({ starttime, dow, ...job }: Config, isNew: boolean): Config {
  if (job['schedule'] !== undefined) {
    if (starttime !== undefined)
      failParameters({ starttime: "'starttime' and 'schedule' cannot both be set" });
    return job;
  }
  if (starttime !== undefined)
    return { ...job, schedule: dow === undefined ? starttime : `${dow} ${starttime}` };
  if (isNew) failParameters({ schedule: "neither 'starttime' nor 'schedule' were set" });
  return job;
}

/** Exceptions mean all guests but these. */
function withAll(job: Config): Config {
  return job['exclude'] !== undefined && job['pool'] === undefined ? { ...job, all: '1' } : job;
}

/** What a job says no more once it names its guests in another way. */
function overridden(change: Config, job: Config): string[] {
  if (change['vmid'] !== undefined) return ['all', 'exclude', 'pool'];
  if (change['all'] === '1') return ['vmid', 'pool'];
  return job['pool'] === undefined ? [] : ['vmid', 'all', 'exclude'];
}

/** An id as the page of Proxmox makes one. */
function newId({ sim }: Call): string {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => sim.random.below(16).toString(16)).join('');
  return `backup-${digits(8)}-${digits(4)}`;
}

/** A change under the lock of the file: a 400 inside comes back as a 500. */
function changing(world: World, change: (jobs: Record<string, Config>) => void): null {
  needQuorum(world, "cfs-lock 'file-jobs_cfg' error: no quorum!");
  try {
    change((world.backupJobs ??= {}));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(describeFailure(error));
  }
  return null;
}
