import type { DesiredState } from '../../spec';
import { destroyMachine } from '../apply/destroy/destroy';
import type { ClusterReading } from '../run/cluster-reading';
import { Run, type Shared } from '../run/run';
import { clonesOfListed } from '../apply/destroy/linked-clones';
import { keyOf, type Around, type Attempts } from './attempts';
import { failureLine } from './event-lines';
import { Orphans, type Orphan } from '../run/reads/orphans';

/** Tells what nothing asks for any more, and destroys it where that was asked for. */
export class Pruning {
  private readonly orphans = new Orphans();
  private told = new Set<string>();
  /** The linked clones of templates that stay for them, as told. */
  private readonly staying = new Map<string, string>();
  private readonly failures = new Map<string, string>();

  constructor(
    private readonly cluster: string,
    private readonly around: Around,
    private readonly attempts: Attempts,
  ) {}

  /** Reads the cluster's guests for orphans; begins to destroy those that may go. */
  async look(shared: Shared, reading: ClusterReading, states: readonly DesiredState[]): Promise<Orphan[]> {
    const found = await this.orphans.find(shared.pve, reading.cluster, states);
    const now = new Set(found.map(textOf));
    for (const orphan of found) if (!this.told.has(textOf(orphan))) this.tell(orphan);
    this.told = now;
    const going = found.filter(orphan => this.mayGo(orphan));
    for (const orphan of going) {
      const clones = await clonesOfListed(shared.pve, orphan, reading.cluster.guests);
      if (this.mayGoWith(clones, orphan)) await this.destroy(orphan, shared, reading);
    }
    return found;
  }

  /** A template stays while it has linked clones: a round after their end it goes, and holds no turn until then. */
  private mayGoWith(clones: readonly number[], orphan: Orphan): boolean {
    const text = clones.join(', ');
    const key = textOf(orphan);
    if (text !== '' && this.staying.get(key) !== text) {
      const fields = { ...this.placeOf(orphan), clones: text };
      this.around.log({ level: 'warn', message: 'Left alone while linked clones of it stay', fields });
    }
    if (text === '') this.staying.delete(key);
    else this.staying.set(key, text);
    return text === '';
  }

  /**
   * What a Terraform entry holds stays. Nothing goes because a file could not be read, or is being written: all of
   * them must have stood for an interval as they are, and be good.
   */
  private mayGo({ owner, machine, entry }: Orphan): boolean {
    const { prunes, sources, settings, signal } = this.around;
    if (!prunes || signal.aborted || entry !== undefined || this.attempts.isAtWorkOn(owner, machine))
      return false;
    return sources.fault === undefined && sources.goodForMs >= settings.intervalMs;
  }

  private async destroy(orphan: Orphan, shared: Shared, reading: ClusterReading): Promise<void> {
    const { owner, machine } = orphan;
    const report = this.attempts.reportFor(owner);
    const { ended } = await this.around.turns.begin(async () => {
      const run = new Run(shared, { report, signal: this.around.signal, reading });
      try {
        // the turn may have taken its time
        if (this.mayGo(orphan)) await destroyMachine(run, { owner, ids: [machine] }, { asksAll: true });
        this.failures.delete(textOf(orphan));
      } catch (error) {
        if (!this.around.signal.aborted) this.failed(orphan, error);
      } finally {
        this.around.progress.ended(machine);
        run.close();
      }
    });
    this.attempts.keep(keyOf(owner, machine), ended);
  }

  private failed(orphan: Orphan, error: unknown): void {
    this.around.metrics.failed('machine', error);
    const { level, message, fields } = failureLine(error, orphan.machine);
    if (this.failures.get(textOf(orphan)) === fields['error']) return;
    this.failures.set(textOf(orphan), String(fields['error']));
    this.around.log({ level, message, fields: { cluster: this.cluster, ...fields } });
  }

  private tell(orphan: Orphan): void {
    const remedy = remedyFor(orphan, this.around.prunes);
    const fields = { ...this.placeOf(orphan), entry: orphan.entry, remedy };
    this.around.log({ level: 'warn', message: 'Orphan: nothing asks for it any more', fields });
  }

  private placeOf({ machine, owner, vmid, node }: Orphan) {
    return { machine, cluster: this.cluster, owner, vmid, node };
  }
}

function textOf({ owner, machine, vmid }: Orphan): string {
  return `${owner}\n${machine}\n${vmid}`;
}

function remedyFor({ entry }: Orphan, prunes: boolean): string {
  if (entry !== undefined) return 'A Terraform state holds it: destroy it there.';
  return prunes
    ? 'It is destroyed when the desired state has stood for one interval.'
    : 'Ask for it again, or remove it with pve-reconciler gc --yes.';
}
