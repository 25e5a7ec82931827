import type { Action } from './action';
import { migrate } from './migrate';
import type { ObservedGuest } from './observed';
import { changePowerTo, restart } from './power';
import type { Pve, TaskEnd, TaskWait } from './pve';
import {
  cloneGuest,
  createGuest,
  deleteGuest,
  joinPool,
  leavePool,
  moveDisk,
  regenerateCloudInit,
  resizeDisk,
  writeConfig,
  writeConfigSlowly,
} from './pve';
import type { PowerPolicy } from './power';

/** What carrying out one action needs. */
export interface Performance {
  pve: Pve;
  wait: TaskWait;
  policy: PowerPolicy;
  /** The guest as it was last read; absent only for a birth. */
  guest?: ObservedGuest;
}

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>;
type Performer<K extends Action['kind']> = (
  action: Of<K>,
  performance: Performance,
) => Promise<TaskEnd | null | void>;

const PERFORMERS: { [K in Action['kind']]: Performer<K> } = {
  create: ({ node, vmid, params }, { pve, wait }) => createGuest(pve, node, { vmid, ...params }, wait),
  clone: ({ source, node, vmid, params }, { pve, wait }) => {
    const target = node === source.node ? {} : { target: node };
    return cloneGuest(pve, source, { newid: vmid, ...target, ...params }, wait);
  },
  migrate: (action, { pve, wait, guest }) => migrate(pve, there(guest), action, wait),
  configure: (action, { pve, wait, guest }) => configure(action, pve, there(guest), wait),
  resize: ({ slot, bytes }, { pve, wait, guest }) => resizeDisk(pve, there(guest), slot, String(bytes), wait),
  'move-disk': ({ slot, storage, format }, { pve, wait, guest }) =>
    moveDisk(pve, there(guest), { disk: slot, storage, delete: true, ...(format ? { format } : {}) }, wait),
  'set-pool': async ({ pool }, { pve, guest }) => {
    const { pool: present, vmid } = there(guest);
    if (pool !== undefined) await joinPool(pve, pool, vmid);
    else if (present !== undefined) await leavePool(pve, present, vmid);
  },
  'regenerate-cloud-init': (_, { pve, guest }) => regenerateCloudInit(pve, there(guest)),
  restart: (_, { pve, wait, policy, guest }) => restart(pve, there(guest), policy, wait),
  power: ({ to }, { pve, wait, policy, guest }) => changePowerTo(pve, there(guest), to, policy, wait),
  destroy: async (_, { pve, wait, policy, guest }) => {
    const found = there(guest);
    if (found.power !== 'stopped') await changePowerTo(pve, found, 'stopped', policy, wait);
    await deleteGuest(pve, found, wait);
  },
};

/** Does one thing to one guest and waits for its end. Fails as the client does; never repeats a write. */
export async function perform(action: Action, performance: Performance): Promise<void> {
  await performer(action.kind)(action, performance);
}

function performer(kind: Action['kind']): (action: Action, performance: Performance) => Promise<unknown> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the table's row for a kind takes that kind
  return PERFORMERS[kind] as (action: Action, performance: Performance) => Promise<unknown>;
}

function configure(
  { set, delete: gone, slow }: Of<'configure'>,
  pve: Pve,
  guest: ObservedGuest,
  wait: TaskWait,
): Promise<TaskEnd | null> {
  const removed = gone.length === 0 ? {} : { delete: gone.join(',') };
  const params = { ...set, ...removed, digest: guest.digest };
  return slow ? writeConfigSlowly(pve, guest, params, wait) : writeConfig(pve, guest, params);
}

function there(guest: ObservedGuest | undefined): ObservedGuest {
  if (!guest) throw new Error('a plan for a guest that is not there: only create and clone may come first');
  return guest;
}
