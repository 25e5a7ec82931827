import type { ActiveTask } from '../pve';

/** A task of Proxmox that has not ended, and the node that runs it. */
export interface RunningTask extends ActiveTask {
  node: string;
}

/**
 * The types of tasks that make or change the guest of whose id they are: its configuration, disks, node or power. Other
 * types do not: consoles, downloads, and a backup, whose lock tells. The id of a clone is that of its source: nobody may
 * write to the source of a copy.
 */
const CHANGES =
  'qmclone qmconfig qmcreate qmdelsnapshot qmdestroy qmigrate qmmove qmreboot qmrestore qmrollback qmshutdown qmsnapshot qmstart qmstop qmsuspend qmtemplate resize'.split(
    ' ',
  );

/** The tasks that hold each lock of a configuration. */
const HOLDERS: Record<string, string[]> = {
  backup: ['vzdump'],
  clone: ['qmclone'],
  create: ['qmcreate', 'qmrestore'],
  migrate: ['qmigrate'],
  rollback: ['qmrollback'],
  snapshot: ['qmsnapshot'],
  'snapshot-delete': ['qmdelsnapshot'],
  suspending: ['qmsuspend'],
};

/** The types of tasks that start or stop all guests of their node in its order, as when the node goes down or comes up. */
const TURNS_ALL = ['startall', 'stopall', 'suspendall'];

/** Whether a task starts or stops the guests of its node: who starts one meanwhile acts against it. */
export function turnsAll({ type, node }: RunningTask, at: string): boolean {
  return node === at && TURNS_ALL.includes(type);
}

/** Whether a task makes a guest. Never a restore: nobody waits with a new machine for the restore of another. */
export function makesGuest({ type }: ActiveTask): boolean {
  return type === 'qmclone' || type === 'qmcreate';
}

/** Whether what was just read of this guest is about to change. */
export function changesGuest({ type, id }: ActiveTask, vmid: number): boolean {
  return id === String(vmid) && CHANGES.includes(type);
}

/** Whether this user began a task, by whatever token. Where either is not told, he may have. */
export function startedBy({ user }: ActiveTask, caller: string | undefined): boolean {
  const person = (name: string): string => name.replace(/!.*$/, '');
  return user === undefined || caller === undefined || person(user) === person(caller);
}

/** Whether a task is of the kind that takes this lock of this guest. A clone's target is told by its log only. */
export function mayHold({ type, id = '' }: ActiveTask, lock: string, vmid: number): boolean {
  const isKind = HOLDERS[lock]?.includes(type) ?? false;
  // a backup of many guests has no id
  return isKind && (id === String(vmid) || type === 'qmclone' || (type === 'vzdump' && id === ''));
}

/** A task for people: what it is, whose, where, since when. */
export function taskText({ type, id = '', user, node, starttime }: RunningTask): string {
  const whom = id === '' ? '' : ` of ${id}`;
  const who = user === undefined ? '' : ` by ${user}`;
  const since = starttime === undefined ? '' : ` since ${new Date(starttime * 1000).toISOString()}`;
  return `${type}${whom}${who} on ${node}${since}`;
}
