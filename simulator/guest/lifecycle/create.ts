import { Failure, fail } from '../../failure';
import { guestLock } from '../../cluster/lock-files';
import { describeFailure } from '../../perl-text';
import type { Sim } from '../../cluster/sim';
import { copying, transferred } from '../../tasks/copying';
import type { TaskContext } from '../../tasks/task';
import { INTERRUPTED } from '../../tasks/tasks';
import { freeVolume, tryFindVolume } from '../../storage/volumes/volumes';
import type { Config, Guest } from '../../world';
import { defaultBootOrder } from '../drives/boot-order';
import { checkClipboard } from '../config/set';
import { createDisks } from '../drives/create';
import { drivesOf } from '../drives/drive';
import { pinnedMachine } from '../keys/machine';
import { QEMU_VERSION } from '../qemu/process';
import { requireTags, uniqueTags } from '../keys/tags';
import { writeConfig } from '../conf-file/write';
import { enterPool } from '../../access/change-members';

/** A guest to make; its settings are verified and complete. */
export interface NewGuest {
  sim: Sim;
  user: string;
  node: string;
  vmid: number;
  settings: Config;
  pool?: string;
  defaultStorage?: string;
}

const CREATE_LOCK_MS = 5000;
const WORKER_LOCK_MS = 1000;

/** Fails when any guest of the cluster has this id. */
function requireFreeId(sim: Sim, vmid: number): void {
  const other = sim.world.guests[vmid];
  if (!other) return;
  fail(`${other.type === 'qemu' ? 'VM' : 'CT'} ${vmid} already exists on node '${other.node}'`);
}

/** An empty guest that is off. */
function emptyGuest(node: string, vmid: number): Guest {
  return {
    vmid,
    type: 'qemu',
    node,
    config: {},
    pending: {},
    pendingDelete: {},
    snapshots: {},
    running: null,
    system: { kind: 'none', bootMs: 0, agent: false, obeysShutdown: false },
    cloudInitImage: null,
  };
}

/** Takes the id: from now on the guest exists with the lock `create` and nothing else. Fails when the id is taken. */
export async function reserveGuest({ sim, node, vmid }: NewGuest): Promise<void> {
  await sim.flocks.hold(guestLock(node, vmid), CREATE_LOCK_MS, () => {
    requireFreeId(sim, vmid);
    const guest = emptyGuest(node, vmid);
    guest.config['lock'] = 'create';
    sim.world.guests[vmid] = guest;
  });
}

/** Makes the reserved guest inside a task. When that fails, nothing is left of it. */
export async function createGuest(request: NewGuest, task: TaskContext): Promise<void> {
  const { sim, node, vmid } = request;
  try {
    await sim.flocks.hold(guestLock(node, vmid), WORKER_LOCK_MS, async () => {
      await allocating(request, task);
      makeGuest(request, task);
    });
  } catch (error) {
    delete sim.world.guests[vmid];
    throw error;
  }
}

/** The time of a creation is that of its disks, so a stop meets it there (assumed). */
async function allocating({ sim, node, vmid, settings }: NewGuest, task: TaskContext): Promise<void> {
  const sources = drivesOf(settings).flatMap(({ options }) => options['import-from'] ?? []);
  const bytes = sources.reduce((sum, source) => sum + (tryFindVolume(sim, node, source)?.size ?? 0), 0);
  try {
    if (sources.length === 0) await task.workUsual();
    else await copying(task, task.usualMs, share => task.log(transferred(bytes, share)));
  } catch (error) {
    if (!(error instanceof Failure) || error.message !== INTERRUPTED) throw error;
    fail(`unable to create VM ${vmid} - ${INTERRUPTED}`);
  }
}

function makeGuest(request: NewGuest, task: TaskContext): void {
  const { sim, vmid, pool } = request;
  const guest = sim.world.guests[vmid];
  if (!guest) return;
  const made: Config = {};
  try {
    const { lock: _reserved, ...rest } = guest.config;
    Object.assign(made, disksOf(request, task));
    const config = completeConfig(request, { ...rest, ...request.settings, ...made }, task);
    writeConfig(sim, guest, draft => (draft.config = config));
  } catch (error) {
    freeAll(request, made);
    if (!(error instanceof Failure)) throw error;
    fail(`unable to create VM ${vmid} - ${describeFailure(error)}`);
  }
  enterPool(sim.world, pool, vmid);
}

function disksOf({ sim, user, node, vmid, settings, defaultStorage }: NewGuest, task: TaskContext): Config {
  const storage = defaultStorage === undefined ? {} : { defaultStorage };
  const log = (line: string): void => task.log(line);
  return createDisks({ sim, user, node, vmid, config: settings, settings, ...storage, log });
}

/** What Proxmox adds to a new guest. */
function completeConfig(request: NewGuest, settings: Config, task: TaskContext): Config {
  const { sim, user, vmid, pool } = request;
  const { boot, smbios1, vmgenid, vga, tags, arch } = settings;
  const config = { ...settings };
  config['meta'] = `creation-qemu=${QEMU_VERSION},ctime=${Math.floor(sim.clock.now() / 1000)}`;
  if (!boot) config['boot'] = defaultBootOrder(settings);
  checkClipboard(vga);
  if (!smbios1) config['smbios1'] = `uuid=${sim.random.uuid()}`;
  if ((vmgenid ?? '1') === '1' && arch !== 'aarch64') config['vmgenid'] = sim.random.uuid();
  const machine = pinnedMachine(settings['machine'], settings['ostype'], line => task.log(line));
  if (machine !== '') config['machine'] = machine;
  if (tags !== undefined) {
    requireTags(sim, user, vmid, pool, '', tags);
    config['tags'] = uniqueTags(sim, tags);
  }
  return config;
}

function freeAll({ sim, node, settings }: NewGuest, made: Config): void {
  for (const { key, file } of drivesOf(made)) {
    // a volume that was there before is not ours to free
    if (settings[key]?.startsWith(file)) continue;
    const volume = tryFindVolume(sim, node, file);
    if (volume) freeVolume(sim, volume);
  }
}
