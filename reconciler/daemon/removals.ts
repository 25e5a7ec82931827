import { maySeeAllGuests } from '../observed';
import { isOneOf, ownedGuests } from '../adopt/owned-guests';
import { releaseGuest } from '../adopt/release-guest';
import { destroyMachine, destroyObjections, type DestroyOutcome } from '../apply/destroy/destroy';
import type { Identity } from '../mark/identity';
import { otherKubernetes } from '../mark/kubernetes-source';
import type { Mark } from '../mark/mark';
import { causeText } from '../report/failure-text';
import { visible } from '../report/visible';
import { Run } from '../run/run';
import type { Shared } from '../run/shared';
import {
  isSameProxmox,
  needProxmox,
  type readProxmoxIdentity,
  type ProxmoxIdentity,
} from '../run/proxmox-identity';
import { keyOf, type DaemonShared, type Attempts } from './attempts';
import { failureLine } from './event-lines';
import { guestOfOtherOwner, otherOwnerText } from './other-owner';
import type { Removal, RemovalEnding } from './sources/desired-source';

/** Ends the machines whose end somebody asked for, by the rules of every destroy. */
export class Removals {
  private readonly told = new Map<string, string>();

  constructor(
    private readonly cluster: string,
    private readonly around: DaemonShared,
    private readonly attempts: Attempts,
  ) {}

  /** Begins on each that nothing else is at work on. */
  async begin(shared: Shared, nodes: Nodes, proxmox: ProxmoxIdentity | undefined): Promise<void> {
    for (const removal of this.around.sources.requester?.removals(this.cluster) ?? []) {
      const { owner, ids, proxmox: bound } = removal;
      // whoever asks for it hears which one answers, and says so
      if (bound !== undefined && (proxmox === undefined || !isSameProxmox(bound, proxmox))) continue;
      await this.attempts.begin(owner, ids[0], () => this.remove(removal, shared, nodes));
    }
  }

  private async remove(removal: Removal, shared: Shared, nodes: Nodes): Promise<void> {
    const { owner, ids } = removal;
    const [machine] = ids;
    const report = this.attempts.reportFor(owner);
    // with a reading of its own: that of the round may be older than the guest
    const run = new Run(shared, { report, signal: this.around.signal });
    try {
      if (!(await removal.isStillAsked())) return;
      const allowed = (): Promise<void> => needAsked(removal, shared, nodes);
      const end = removal.retains ? release : destroy;
      await removal.ended(surely(await end(run, removal, allowed), removal));
      this.told.delete(keyOf(owner, machine));
    } catch (error) {
      if (error instanceof NotAskedError) return this.leave(machine);
      if (!this.around.signal.aborted) await this.failed(removal, machine, error);
    } finally {
      this.around.progress.ended(machine);
      run.close();
    }
  }

  /** Somebody has changed the mind meanwhile. */
  private leave(machine: string): void {
    const message = 'Its end is not asked for any more: nothing is destroyed';
    this.around.log({ level: 'info', message, fields: { machine, cluster: this.cluster } });
  }

  private async failed(removal: Removal, machine: string, error: unknown): Promise<void> {
    const why = visible(causeText(error));
    const key = keyOf(removal.owner, machine);
    if (this.told.get(key) !== why) {
      this.told.set(key, why);
      this.around.metrics.failed('machine', error);
      const { level, message, fields } = failureLine(error, machine);
      this.around.log({ level, message, fields: { cluster: this.cluster, ...fields } });
    }
    await removal.ended({ kind: 'stays', why });
  }
}

class NotAskedError extends Error {}

type Nodes = Parameters<typeof readProxmoxIdentity>[1];

async function needAsked(removal: Removal, shared: Shared, nodes: Nodes): Promise<void> {
  if (!(await removal.isStillAsked())) throw new NotAskedError();
  const { ids, proxmox: bound } = removal;
  if (bound !== undefined) await needProxmox(shared, nodes, { machine: ids[0], bound });
}

/** What was not found is not gone where nobody knows where it was. */
function surely(ending: RemovalEnding, { proxmox }: Removal): RemovalEnding {
  const isFound = ending.kind === 'stays' || ending.kind === 'held-elsewhere' || ending.isFound;
  return proxmox !== undefined || isFound ? ending : { kind: 'stays', why: NOWHERE };
}

const NOWHERE =
  'No guest of it is there, and nothing says which Proxmox it was made in. Where it is gone, or is to stay: remove the finalizer by hand. Else set the address of the cluster back.';

async function destroy(run: Run, removal: Removal, allowed: () => Promise<void>): Promise<RemovalEnding> {
  const { owner, ids, source } = removal;
  const identity: Identity = { owner, ids, sources: [source] };
  const outcome = await destroyMachine(run, identity, { asksAll: true, isOfResource: true, allowed });
  if (outcome === 'not-ours') {
    const objections = await destroyObjections(run, identity, {});
    const why = objections.map(({ detail, remedy }) => `${detail} ${remedy}`).join(' ');
    if (why !== '') return { kind: 'stays', why };
  }
  await run.read();
  const other = outcome === 'destroyed' ? undefined : await guestOfOtherOwner(run, removal);
  if (other !== undefined) return { kind: 'stays', why: otherOwnerText(other, owner) };
  const isSeen = outcome === 'destroyed' || maySeeAllGuests(run.cluster);
  if (outcome !== 'destroyed') await allowed();
  return isSeen ? ENDINGS[outcome] : { kind: 'stays', why: UNSEEN };
}

const UNSEEN =
  'No guest of it is seen, and the credentials may not see all guests: it may be there. Give them VM.Audit on /, or remove the finalizer by hand.';

const ENDINGS: Readonly<Record<DestroyOutcome, RemovalEnding>> = {
  destroyed: { kind: 'gone', isFound: true },
  'already-gone': { kind: 'gone', isFound: false },
  'not-ours': { kind: 'gone', isFound: false },
  'let-go': {
    kind: 'stays',
    why: 'It stays while it has linked clones. It goes when they are gone.',
  },
};

/** Who else needs the mark of a guest. */
function holderOf(mark: Mark, source: string): string | undefined {
  if (mark.entry !== undefined) return 'a Terraform state';
  const other = otherKubernetes(mark, [source]);
  return other === undefined ? undefined : `source "${other}", which is another Kubernetes,`;
}

/** Takes our mark off. What somebody else holds keeps it: he still needs it. */
async function release(run: Run, removal: Removal, allowed: () => Promise<void>): Promise<RemovalEnding> {
  const { owner, ids, source } = removal;
  await run.read();
  run.needQuorumAsRead();
  const { owned, kept } = await ownedGuests(run, owner);
  const unsure = kept.find(each => isOneOf(each, owner, ids));
  const found = owned.filter(({ mark }) => ids.includes(mark.machine));
  if (found.length === 0 && unsure !== undefined) {
    const { listed, reason } = unsure;
    return {
      kind: 'stays',
      why: `VM ${listed.vmid} on ${listed.node} is not released: ${reason.why}. ${reason.remedy}`,
    };
  }
  for (const guest of found) {
    const by = holderOf(guest.mark, source);
    if (by !== undefined) return { kind: 'held-elsewhere', by };
    await allowed();
    const reason = await releaseGuest(run, guest);
    if (reason !== undefined)
      return {
        kind: 'stays',
        why: `VM ${guest.listed.vmid} is not released: ${reason.why}. ${reason.remedy}`,
      };
  }
  if (found.length > 0) return { kind: 'released', isFound: true };
  const other = await guestOfOtherOwner(run, removal);
  await allowed();
  if (other !== undefined) return { kind: 'held-elsewhere', by: `owner "${other.mark.owner}"` };
  return { kind: 'released', isFound: false };
}
