import { SnapshotEnvironment, type DestroyEnvironment } from '../../../spec';
import { converge } from '../../life/converge';
import { findLeaving } from '../../apply/destroy/find-leaving';
import { MachineRun } from '../../life/machine-run';
import { InputError, RefusedError } from '../../errors';
import { formerIdsOf, clusterOf, ableClusterOf, variablesOf } from '../../input/wire-input';
import { snapshotOf } from '../../input/asked-snapshots';
import type { Surroundings } from '../../input/surroundings';
import { readDescription } from '../../mark/description';
import { listSnapshots, PveError } from '../../pve';
import { EXIT } from '../../report/exit-code';
import type { Identity } from '../../mark/identity';
import type { Run } from '../../run/run';
import type { Wanted } from '../../run/wanted';
import { wantedSnapshots } from '../observe/snapshot-answers';
import { withUnreadRun } from '../with-run';
import { tagged } from '../../observe/tagged-guests';
import { proofOf } from '../../observe/proof';
import type { ListedGuest } from '../../observed';
import { markOfSnapshot } from '../../plan/snapshots/snapshot-mark';

/** The tokens of a machine that is not written to: nor are its snapshots. */
const LEFT_ALONE: Readonly<Record<string, string>> = {
  paused: 'is paused',
  observed: 'is only observed',
};

/** Takes one snapshot of Terraform, or writes its words anew. The rest of the machine is left as it is. */
export async function applySnapshot(around: Surroundings): Promise<number> {
  const given = variablesOf(around.environment, SnapshotEnvironment);
  const { PROXMOX_OWNER: owner, PROXMOX_ENTRY: entry, PROXMOX_TOKEN: token } = given;
  const snapshot = snapshotOf(given.PROXMOX_SNAPSHOT, 'PROXMOX_SNAPSHOT');
  const { machine, name } = snapshot;
  if (machine !== given.PROXMOX_MACHINE) {
    throw new InputError(
      `PROXMOX_MACHINE is '${given.PROXMOX_MACHINE}', and the snapshot is of '${machine}'. Synthesize the stack again.`,
    );
  }
  const state = LEFT_ALONE[token];
  if (state !== undefined) {
    around.reporter.say('info', `${machine}: it ${state}: snapshot ${name} is left alone.`);
    // the snapshot's own line is what its destroy goes by
    if (snapshot.onDestroy === 'keep')
      around.reporter.say(
        'warn',
        `${machine}: onDestroy: "keep" of snapshot ${name} is not written, as the machine ${state}. Where it was not applied before, the snapshot is deleted when it leaves the code: set the mode to "reconcile" and apply first.`,
      );
    return EXIT.done;
  }
  const formerIds = formerIdsOf(given.PROXMOX_FORMER);
  const wanted: Wanted = {
    ...wantedSnapshots(owner, { machine, formerIds, snapshots: [snapshot] }, entry),
    ...(token !== '' && { token }),
  };
  await withUnreadRun(ableClusterOf(given.PROXMOX_CLUSTER), around, undefined, run =>
    converge(new MachineRun(run, wanted)),
  );
  around.reporter.say('info', `${machine}: snapshot ${name} is as wanted.`);
  return EXIT.done;
}

/** Deletes one snapshot of Terraform, unless it is to stay. Only one that we took for this entry goes. */
export async function destroySnapshot(given: DestroyEnvironment, around: Surroundings): Promise<number> {
  const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: id, PROXMOX_SNAPSHOT: name = '' } = given;
  const entry = given.PROXMOX_ENTRY === '' ? undefined : given.PROXMOX_ENTRY;
  const identity: Identity = { owner, ids: [id] };
  const whatBecame = await withUnreadRun(clusterOf(given.PROXMOX_CLUSTER), around, undefined, async run => {
    await run.read();
    // a machine whose tag was removed is looked for by its mark
    const leaving = await findLeaving(run, identity);
    if (leaving.kind === 'not-ours') return `is left alone: ${leaving.detail}`;
    const deleted = leaving.kind === 'found' && (await unlessRenamed(run, identity, { name, entry }));
    if (deleted) return deleted;
    // a node that is cut off lists the cluster as it was
    run.needQuorumAsRead();
    const now = await findRenamed(run, { owner, machine: id, name, entry });
    if (now === undefined)
      return `is gone: there is no machine ${id} of ${owner}, and no machine of ${owner} has one that this entry took`;
    return `of ${now}, as the machine is called now, ${await deleteFrom(run, { owner, ids: [now, id] }, { name, entry })}`;
  });
  around.reporter.say('info', `${id}: snapshot ${name} ${whatBecame}.`);
  return EXIT.done;
}

/** The same as `deleteFrom`; undefined where the machine went meanwhile: the same apply may give it another id. */
async function unlessRenamed(...given: Parameters<typeof deleteFrom>): Promise<string | undefined> {
  try {
    return await deleteFrom(...given);
  } catch (error) {
    if (!(error instanceof RefusedError) || !error.refusals.every(({ why }) => why === 'absent')) throw error;
    const [run, identity] = given;
    await run.refresh();
    // a creation that is not finished
    if ((await findLeaving(run, identity)).kind === 'found') throw error;
    return undefined;
  }
}

/** Deletes a snapshot of a machine that is there, unless it stays. What became of it, in words that follow its name. */
async function deleteFrom(
  run: Run,
  identity: Identity,
  { name, entry }: { name: string; entry: string | undefined },
): Promise<string> {
  const [id = '', ...formerIds] = identity.ids;
  const only = { name, ours: { entry } };
  const wanted: Wanted = { spec: { id, formerIds }, identity, secrets: {}, snapshots: [], only };
  const { guest } = await converge(new MachineRun(run, wanted));
  const left = (await listSnapshots(run.pve, guest)).find(each => each.name === name);
  if (left === undefined) {
    run.needQuorumAsRead();
    return 'is gone';
  }
  const remedy = `To remove it: pve-reconciler snapshot delete ${id} ${name} --spec FILE`;
  return `${whyItStays(left.description)}. ${remedy}`;
}

function whyItStays(description = ''): string {
  const { mark } = readDescription(description);
  const isKept = mark?.isKept === true;
  return isKept ? 'stays, as its onDestroy is keep' : 'stays: it is not one that this entry took';
}

/** The snapshot of a Terraform entry, as it was named when it was taken. */
interface NamedSnapshot {
  owner: string;
  machine: string;
  name: string;
  entry: string | undefined;
}

/**
 * The id that a machine has now, where it has a snapshot that was taken for it under another id: the lines in the guest
 * and in the snapshot prove both. Terraform's destroy knows no former ids. Reads only; undefined: there is none.
 */
async function findRenamed(run: Run, sought: NamedSnapshot): Promise<string | undefined> {
  const found = await Promise.all(tagged(run.cluster.guests).map(guest => renamed(run, guest, sought)));
  return found.find(id => id !== undefined);
}

async function renamed({ pve }: Run, guest: ListedGuest, sought: NamedSnapshot): Promise<string | undefined> {
  const { owner, machine, name, entry } = sought;
  try {
    const mark = await proofOf(pve, guest);
    if (typeof mark !== 'object' || mark.owner !== owner) return undefined;
    const one = (await listSnapshots(pve, guest)).find(each => each.name === name);
    if (one === undefined) return undefined;
    const { description = '' } = one;
    const its = markOfSnapshot({ description }, { owner, ids: [machine] }, mark.uuid);
    return its !== undefined && its.entry === entry ? mark.machine : undefined;
  } catch (error) {
    // gone or moved since it was listed, or another's that may not be seen
    if (error instanceof PveError && ['not-found', 'denied'].includes(error.kind)) return undefined;
    throw error;
  }
}
