import { parseSnapshot } from '../../../spec';
import { converge } from '../../life/converge';
import { reconcileMachine } from '../../life/reconcile-machine';
import { MachineRun } from '../../life/machine-run';
import { RefusedError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { valueOf } from '../../input/wire-input';
import type { ObservedGuest } from '../../observed';
import { snapshotOutput } from '../../outputs/machine';
import { listSnapshots } from '../../pve';
import type { ToldSnapshot } from '../../report/snapshot-table';
import type { Run } from '../../run/run';
import type { Wanted } from '../../run/wanted';
import { agreed } from '../asking/agreed';
import { needWritable, presentGuest } from '../day2/present-guest';
import { untouched, type Refusal } from '../../action';

/** What a verb works on. */
interface SnapshotJob {
  run: Run;
  wanted: Wanted;
  /** The snapshot; empty where the verb takes none. */
  name: string;
  options: Options;
  around: Surroundings;
}

/** Does one thing to the snapshots of a machine, and tells those that it has then. */
export type SnapshotVerb = (asked: SnapshotJob) => Promise<ToldSnapshot[]>;

export const list: SnapshotVerb = async ({ run, wanted }) =>
  told(run, await presentGuest(run, wanted, 'half-made'));

export const create: SnapshotVerb = async ({ run, wanted, name, options, around }) => {
  needWritable(wanted);
  const { description, memory: includeMemory } = options;
  const snapshot = valueOf(parseSnapshot({ machine: wanted.spec.id, name, description, includeMemory }));
  const guest = await presentGuest(run, wanted);
  const isThere = (await told(run, guest)).some(each => each.name === name);
  if (isThere)
    throw refused(wanted, 'exists', `snapshot '${name}' of VM ${guest.vmid} is there.`, 'Give another name.');
  const only: Wanted = { ...wanted, only: 'snapshots', snapshots: [snapshot] };
  const done = await converge(new MachineRun(run, only));
  around.reporter.say('info', `${wanted.spec.id}: snapshot ${name} is taken.`);
  return told(run, done.guest);
};

export const revert: SnapshotVerb = async asked => {
  const { run, wanted, name, around } = asked;
  needWritable(wanted);
  const { node, snapshot } = await named(asked);
  await agreed(
    `${wanted.spec.id} (VM ${snapshot.vmid} on ${node}) goes back to snapshot ${name} of ${time(snapshot)}: what its disks got since is lost. Then the machine is brought to its spec.`,
    asked,
  );
  // one that the spec names is not gone back to as well
  const objection = asAsked(wanted, snapshot);
  const outcome = await reconcileMachine(run, { ...wanted, revert: name, objection });
  around.reporter.say(
    'info',
    `${wanted.spec.id}: went back to snapshot ${name}, and is as its spec wants it.`,
  );
  return 'guest' in outcome && outcome.guest ? told(run, outcome.guest) : [];
};

export const remove: SnapshotVerb = async asked => {
  const { run, wanted, name, around } = asked;
  needWritable(wanted);
  const { node, snapshot } = await named(asked, 'Nothing is to be deleted.');
  const isWanted = wanted.snapshots?.some(each => each.name === name) === true;
  const again = isWanted ? ' The spec wants it: the next run takes a new one.' : '';
  if (isWanted) around.reporter.say('warn', `${wanted.spec.id}: WARNING:${again} Remove it there too.`);
  await agreed(
    `Snapshot ${name} of ${wanted.spec.id} (VM ${snapshot.vmid} on ${node}), taken ${time(snapshot)}, is deleted.${again}`,
    asked,
  );
  const only: Wanted = { ...wanted, snapshots: [], only: { name }, objection: asAsked(wanted, snapshot) };
  const done = await converge(new MachineRun(run, only));
  around.reporter.say('info', `${wanted.spec.id}: snapshot ${name} is deleted.`);
  return told(run, done.guest);
};

/** The snapshot that was named, and the guest that has it. */
async function named(
  { run, wanted, name }: SnapshotJob,
  whereNone = 'Take one first: snapshot create.',
): Promise<{ node: string; snapshot: AskedSnapshot }> {
  const guest = await presentGuest(run, wanted);
  const { vmid, node } = guest;
  const all = await listSnapshots(run.pve, guest);
  const found = all.find(each => each.name === name);
  if (found) return { node, snapshot: { name, vmid, taken: found.snaptime ?? 0 } };
  const has = all.length === 0 ? 'it has none' : `it has ${all.map(each => each.name).join(', ')}`;
  throw refused(
    wanted,
    'no-snapshot',
    `VM ${vmid} has no snapshot '${name}': ${has}.`,
    all.length === 0 ? whereNone : 'Name one that it has.',
  );
}

async function told({ pve }: Run, guest: ObservedGuest): Promise<ToldSnapshot[]> {
  const all = await listSnapshots(pve, guest);
  return all.map(each => ({
    ...snapshotOutput(each),
    taken: time({ taken: each.snaptime ?? 0 }),
  }));
}

function refused({ spec }: Wanted, why: string, detail: string, remedy: string): RefusedError {
  return new RefusedError([{ machine: spec.id, ...untouched(why, detail, remedy) }]);
}

/** The snapshot that a question named, and the guest that had it. */
interface AskedSnapshot {
  name: string;
  vmid: number;
  /** When it was taken, by Proxmox's clock: another one of its name is not it. */
  taken: number;
}

/** Refuses a plan for another guest, or for another snapshot of the name, than the one that the question named. */
function asAsked({ spec }: Wanted, asked: AskedSnapshot): NonNullable<Wanted['objection']> {
  let isDone = false;
  return (plan, have) => {
    // what then follows brings the machine to its spec
    if (isDone || plan.refusals.length > 0) return [];
    if (have.kind !== 'present' || have.guest.vmid !== asked.vmid)
      return [changed(spec.id, asked, `VM ${asked.vmid} is not this machine any more`)];
    const step = plan.actions.find(
      each => (each.kind === 'delete-snapshot' || each.kind === 'roll-back') && each.name === asked.name,
    );
    isDone = step === undefined;
    if (step === undefined || !('taken' in step) || step.taken === asked.taken) return [];
    return [
      changed(spec.id, asked, `VM ${asked.vmid} has another snapshot '${asked.name}' now, of ${time(step)}`),
    ];
  };
}

/** When a snapshot was taken, in words. */
function time({ taken }: Pick<AskedSnapshot, 'taken'>): string {
  return new Date(taken * 1000).toISOString();
}

function changed(machine: string, asked: AskedSnapshot, what: string): Refusal {
  const detail = `${what}: the question named snapshot ${asked.name} of ${time(asked)}.`;
  const remedy = 'Look at its snapshots, and run again: then that one is asked for.';
  return { machine, ...untouched('changed', detail, remedy) };
}
