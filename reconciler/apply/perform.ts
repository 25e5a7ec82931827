import { dispatch, writtenKeys, type Action, type ActionOf, type ActionTable } from '../action';
import { fetchImage, isListed } from '../images/download-image';
import { uploadImage } from '../images/upload-image';
import { StillUsedError } from '../errors';
import { destroyGuest } from './destroy/destroy-guest';
import { mustStand } from './destroy/must-stand';
import { isOwnVolume, readDrive } from '../guest/drive';
import { intoHa } from './into-ha';
import { migrate } from './migrate';
import {
  freedBy,
  needOneUser,
  needStillOn,
  now,
  nowToStop,
  nowWith,
  there,
  withDigest,
  type OneUserCheck,
} from './read-before-write';
import type { ObservedGuest } from '../observed';
import { changePowerTo, restartGuest, type PowerPolicy } from './change-power';
import type { Pve, TaskEnd, TaskWait } from '../pve';
import {
  cloneGuest,
  createGuest,
  deleteSnapshot,
  describeSnapshot,
  deleteVolume,
  isFailure,
  joinPool,
  leaveHa,
  leavePool,
  makeTemplate,
  moveDisk,
  readConfig,
  regenerateCloudInit,
  resizeDisk,
  rollBack,
  takeSnapshot,
  uploadFile,
  writeConfig,
  writeConfigSlowly,
} from '../pve';
import { changed, type Warn } from '../observe/same-guest';
import { usersOf } from '../observe/volume-users';
import { volumesOfOthers } from '../plan/make-template';

/** What carrying out one action needs. */
export interface ActionContext extends OneUserCheck {
  machine: string;
  pve: Pve;
  /** Told how far a long step is. */
  say: (text: string) => void;
  wait: TaskWait;
  policy: PowerPolicy;
  warn: Warn;
  /** Called once Proxmox has begun to make the guest. */
  accepted?: () => void;
  /** Told of a guest directly before it is stopped for another end than to be off, as it was just read. */
  stopping?: (guest: ObservedGuest) => void;
  /** Told of a guest directly before it is started from being off, as it was just read. */
  starting?: (guest: ObservedGuest) => void;
  /** The guest as it was last read; absent only for a creation. */
  guest?: ObservedGuest;
  /** Its configuration was written directly before, which Proxmox does with a quorum only (behaviour.md, errors). */
  justWritten?: boolean;
}

const PERFORMERS: ActionTable<[context: ActionContext], Promise<TaskEnd | null | void>> = {
  'fetch-image': async ({ kind: _, ...file }, { pve, wait, warn, say, run: { shared }, machine }) => {
    const place = file.nodes.length > 1 ? '' : file.node;
    const { file: local } = file;
    // what was uploaded is not compared again: its name and its length were
    if (local && file.isThere) return;
    await shared.fetches.once(
      `${place} ${file.volume}`,
      // the machine may have been planned while another one's download went on
      async () => file.isThere || local !== undefined || isListed(pve, file),
      () =>
        local
          ? uploadImage(file, local, { pve, wait, say, files: shared.localFiles })
          : fetchImage(machine, file, { pve, wait, warn }),
    );
  },
  create: ({ node, vmid, params }, context) =>
    createGuest(context.pve, node, { vmid, ...params }, makingOf(context)),
  clone: ({ source, node, vmid, params }, context) => {
    const target = node === source.node ? {} : { target: node };
    const form = { newid: vmid, ...target, ...params };
    return cloneGuest(context.pve, source, form, makingOf(context));
  },
  migrate: async ({ to }, { pve, wait, guest }) => migrate(pve, await now(pve, guest), to, wait),
  configure: async (action, context) => {
    const { pve, wait, guest } = context;
    await needOneUser(context, there(guest), freedBy(action.delete));
    await needStillOn(pve, there(guest), writtenKeys(action));
    return configure(action, pve, there(guest), wait);
  },
  resize: async ({ slot, bytes }, { run, pve, wait, guest, justWritten }) => {
    // without a quorum Proxmox grows the image before it fails
    if (!justWritten) await run.needQuorumNow();
    const { digest } = await withDigest(pve, guest);
    return resizeDisk(pve, there(guest), { disk: slot, size: String(bytes), digest }, wait);
  },
  'move-disk': async ({ slot, storage, format }, context) => {
    const { pve, wait, guest } = context;
    const read = await withDigest(pve, guest);
    await needOneUser(context, read, [slot]);
    const { digest } = read;
    const params = { disk: slot, storage, delete: true, digest, ...(format ? { format } : {}) };
    return moveDisk(pve, there(guest), params, wait);
  },
  'set-pool': async ({ pool }, { pve, guest }) => {
    const { pool: present, vmid } = await now(pve, guest);
    if (pool !== undefined) await joinPool(pve, pool, vmid);
    else if (present !== undefined) await leavePool(pve, present, vmid);
  },
  // HA joins and leaves in no task: what it cares for is read directly before
  'join-ha': async (action, { pve, guest }) => intoHa(pve, await now(pve, guest), action),
  'change-ha': async (action, { pve, guest }) => intoHa(pve, await now(pve, guest), action),
  'leave-ha': async (_, { pve, guest }) => leaveHa(pve, (await now(pve, guest)).vmid),
  'make-template': async ({ disks = [] }, { pve, wait, guest }) => {
    if (disks.length === 0) return makeTemplateOf(pve, await now(pve, guest), wait);
    for (const disk of disks) await finishTemplate(pve, await now(pve, guest), disk, wait);
  },
  'regenerate-cloud-init': async (_, { pve, guest }) => regenerateCloudInit(pve, await now(pve, guest)),
  'take-snapshot': async ({ name, memory, description }, { pve, wait, guest }) => {
    const params = { snapname: name, vmstate: memory, description };
    return takeSnapshot(pve, await now(pve, guest), params, wait);
  },
  'describe-snapshot': async (action, { pve, guest }) =>
    describeSnapshot(pve, await nowWith(action, pve, guest), action),
  'delete-snapshot': async (action, { pve, wait, guest }) =>
    deleteSnapshot(pve, await nowWith(action, pve, guest), action.name, wait),
  'roll-back': async (action, { run, pve, wait, guest, stopping }) => {
    // without one Proxmox stops it before it fails, and starts nothing (AbstractConfig.pm, snapshot_rollback, as read)
    await run.needQuorumNow();
    const read = await nowWith(action, pve, guest);
    // PVE stops it hard; what waited for a restart is gone then, and nothing is to be put back
    stopping?.({ ...read, pending: {} });
    return rollBack(pve, read, action.name, wait);
  },
  'upload-iso': async ({ node, volume, sha256, image }, { pve, wait, guest }) => {
    const [storage = '', path = ''] = volume.split(':');
    await now(pve, guest);
    const file = { name: path.replace(/^iso\//, ''), content: Buffer.from(image, 'base64') };
    return uploadFile(pve, { node, storage, content: 'iso', checksum: `sha256:${sha256}`, file }, wait);
  },
  'remove-iso': async ({ node, volume }, { run, pve, wait, guest, say }) => {
    await now(pve, guest);
    const users = (await usersOf(pve, [volume])).get(volume) ?? [];
    if (users.length > 0) {
      const text = `${volume} stays: ${users.join(', ')} ${users.length === 1 ? 'uses' : 'use'} it, or a snapshot of it.`;
      say(text);
      throw new StillUsedError(text);
    }
    await run.needQuorumNow();
    await deleteVolume(pve, node, volume, wait);
  },
  restart: async ({ description }, context) => {
    // without one it could be stopped, and not be started
    await context.run.needQuorumNow();
    await restartGuest(await now(context.pve, context.guest), description, context);
  },
  power: async ({ to }, { run, pve, wait, policy, guest, starting }) => {
    if (to === 'stopped' && there(guest).mark?.becomesTemplate === true) await run.needQuorumNow();
    const read = to === 'stopped' ? await nowToStop(pve, there(guest)) : await now(pve, guest);
    if (to === 'running') starting?.(read);
    await changePowerTo(pve, read, to, policy, wait);
  },
  destroy: async (
    { losses: named, withKept = false, copies },
    { run, machine, pve, wait, policy, guest, warn, stopping },
  ) => {
    const stop = async (at: ObservedGuest): Promise<void> => {
      // else it would stay off until the quorum is back: nothing is destroyed, and nothing started, without one
      await run.needQuorumNow();
      stopping?.(at);
      return changePowerTo(pve, at, 'stopped', policy, wait);
    };
    const allowed = copies && (() => mustStand(pve, machine, copies));
    const how = { run, allowed, wait, warn, stop, named, withKept, withIsos: true };
    await destroyGuest(await now(pve, guest), how);
  },
};

function makingOf({ wait, accepted }: ActionContext): TaskWait {
  return accepted === undefined ? wait : { ...wait, accepted };
}

/** Does one thing to one guest and waits for its end. Fails as the client does; never repeats a write. */
export async function perform(action: Action, context: ActionContext): Promise<void> {
  await dispatch(PERFORMERS, action, context);
}

function configure(
  { set, delete: gone, slow }: ActionOf<'configure'>,
  pve: Pve,
  guest: ObservedGuest,
  wait: TaskWait,
): Promise<TaskEnd | null> {
  const removed = gone.length === 0 ? {} : { delete: gone.join(',') };
  const params = { ...set, ...removed, digest: guest.digest };
  return slow ? writeConfigSlowly(pve, guest, params, wait) : writeConfig(pve, guest, params);
}

/** Has a disk of a template renamed, as both were just read: another guest would not find its own any more. */
function finishTemplate(pve: Pve, guest: ObservedGuest, disk: string, wait: TaskWait): Promise<TaskEnd> {
  const { file } = readDrive(guest.current[disk]);
  if (!guest.template || !isOwnVolume(file, guest.vmid))
    throw changed(guest, `${disk} of guest ${guest.vmid} is no disk of a template of its own any more`);
  return makeTemplate(pve, guest, disk, wait);
}

/** Turns a guest into a template, as it was just read. One that another run has turned into one meanwhile is done. */
async function makeTemplateOf(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  const others = volumesOfOthers(guest);
  if (others.length > 0)
    throw changed(guest, `guest ${guest.vmid} has volumes of others now: ${others.join(', ')}`);
  try {
    await makeTemplate(pve, guest, undefined, wait);
  } catch (error) {
    if (!isFailure(error) || error.kind !== 'failed') throw error;
    if ((await readConfig(pve, guest)).current['template'] !== '1') throw error;
  }
}
