import { isOneOf, ownedGuests } from '../adopt/owned-guests';
import { releaseGuest } from '../adopt/release-guest';
import { destroyMachine, destroyObjections, type DestroyOutcome } from '../apply/destroy/destroy';
import { maySeeAllGuests } from '../observe/may-see-guests';
import { causeText } from '../report/failure-text';
import { visible } from '../report/visible';
import { Run, type Shared } from '../run/run';
import { keyOf, type Around, type Attempts } from './attempts';
import { failureLine } from './event-lines';
import type { Removal, RemovalEnding } from './sources/desired-source';

/** Ends the machines whose end somebody asked for, by the rules of every destroy. */
export class Removals {
  private readonly told = new Map<string, string>();

  constructor(
    private readonly cluster: string,
    private readonly around: Around,
    private readonly attempts: Attempts,
  ) {}

  /** Begins on each that nothing else is at work on. */
  async begin(shared: Shared): Promise<void> {
    for (const removal of this.around.sources.audience?.removals(this.cluster) ?? []) {
      const { owner, ids } = removal;
      const key = keyOf(owner, ids[0] ?? '');
      if (this.around.signal.aborted || this.attempts.isAtWorkOn(owner, ids[0] ?? '')) continue;
      const { ended } = await this.around.workLimit.begin(() => this.remove(removal, shared));
      this.attempts.keep(key, ended);
    }
  }

  private async remove(removal: Removal, shared: Shared): Promise<void> {
    const { owner, ids } = removal;
    const [machine = ''] = ids;
    const report = this.attempts.reportFor(owner);
    // with a reading of its own: that of the round may be older than the guest
    const run = new Run(shared, { report, signal: this.around.signal });
    try {
      if (!(await removal.isStillAsked())) return;
      const ending = removal.retains ? await release(run, removal) : await destroy(run, removal);
      await removal.ended(ending);
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

async function needAsked(removal: Removal): Promise<void> {
  if (!(await removal.isStillAsked())) throw new NotAskedError();
}

async function destroy(run: Run, removal: Removal): Promise<RemovalEnding> {
  const { owner, ids } = removal;
  const identity = { owner, ids };
  const allowed = (): Promise<void> => needAsked(removal);
  const outcome = await destroyMachine(run, identity, { asksAll: true, allowed });
  if (outcome === 'not-ours') {
    const objections = await destroyObjections(run, identity, {});
    const why = objections.map(({ detail, remedy }) => `${detail} ${remedy}`).join(' ');
    if (why !== '') return { kind: 'stays', why };
  }
  await run.read();
  const isSeen = outcome === 'destroyed' || maySeeAllGuests(run.cluster);
  return isSeen ? ENDINGS[outcome] : { kind: 'stays', why: UNSEEN };
}

const UNSEEN =
  'No guest of it is seen, and the credentials may not see all guests: it may be there. Give them VM.Audit on /, or remove the finalizer by hand.';

const ENDINGS: Readonly<Record<DestroyOutcome, RemovalEnding>> = {
  destroyed: { kind: 'gone' },
  'already-gone': { kind: 'gone' },
  'not-ours': { kind: 'gone' },
  'let-go': {
    kind: 'stays',
    why: 'It stays while it has linked clones. It goes when they are gone.',
  },
};

/** Takes our mark off. What a Terraform state holds keeps it: that state still needs it. */
async function release(run: Run, removal: Removal): Promise<RemovalEnding> {
  const { owner, ids } = removal;
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
    if (guest.mark.entry !== undefined) return { kind: 'held-elsewhere' };
    await needAsked(removal);
    const reason = await releaseGuest(run, guest);
    if (reason !== undefined)
      return {
        kind: 'stays',
        why: `VM ${guest.listed.vmid} is not released: ${reason.why}. ${reason.remedy}`,
      };
  }
  return { kind: 'released' };
}
