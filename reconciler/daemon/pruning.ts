import { destroyMachine } from '../apply/destroy/destroy';
import type { ClusterReading } from '../run/cluster-reading';
import { idsOf } from '../mark/identity';
import { otherKubernetes } from '../mark/kubernetes-source';
import { onlyRead } from '../report/only-read';
import { doubleRemedy } from '../report/two-guests';
import { Run } from '../run/run';
import type { Shared } from '../run/shared';
import { type Source, type SourcedState, sourceText } from '../run/wanted';
import { clonesOfListed } from '../run/reads/linked-clones';
import { keyOf, type DaemonShared, type Attempts } from './attempts';
import { failureLine } from './event-lines';
import type { Double } from '../run/reads/doubles';
import { identityOfOrphan, Orphans, type Orphan } from '../run/reads/orphans';
import { Namesakes, staysForNamesakes, type Place } from '../run/reads/namesakes';

/** Tells what nothing asks for any more, and destroys it where that was asked for. */
export class Pruning {
  private readonly orphans = new Orphans();
  private told = new Set<string>();
  private readonly toldDoubles = new Set<string>();
  /** The linked clones of templates that stay for them, as told. */
  private readonly staying = new Map<string, string>();
  private readonly failures = new Map<string, string>();

  /** The machines that this daemon has seen asked for, and the source that asked. */
  private readonly seen = new Set<string>();
  /** Those that are asked for now. */
  private asked = new Set<string>();
  private source: Source | undefined;
  /** What is wanted on all clusters of this daemon. */
  private namesakes = new Namesakes([]);
  private place: Place;

  constructor(
    private readonly cluster: string,
    private readonly around: DaemonShared,
    private readonly attempts: Attempts,
  ) {
    this.place = { cluster, guests: [] };
  }

  /** What is wanted from now on: what leaves it later was asked for by this source. `namesakes`: of all clusters. */
  want(states: readonly SourcedState[], namesakes: Namesakes): void {
    this.namesakes = namesakes;
    // each has all that are this daemon's
    this.source = states[0]?.source;
    const keys = states.flatMap(({ owner, machines }) =>
      machines.flatMap(machine => idsOf(machine).map(id => keyOf(owner, id))),
    );
    this.asked = new Set(keys);
    keys.forEach(key => this.seen.add(key));
  }

  /** Reads the cluster's guests for orphans; begins to destroy those that may go. */
  async look(
    shared: Shared,
    reading: ClusterReading,
    states: Parameters<Orphans['find']>[2],
  ): Promise<Orphan[]> {
    const { guests } = reading.cluster;
    this.place = { cluster: this.cluster, guests };
    const found = await this.orphans.find(shared.pve, reading.cluster, states);
    const now = new Set(found.map(orphan => this.toldOf(orphan)));
    for (const orphan of found) if (!this.told.has(this.toldOf(orphan))) this.tell(orphan);
    this.told = now;
    this.orphans.doubles.forEach(double => this.tellOnce(double));
    const isSure = await this.filesStand();
    for (const orphan of found) {
      if (!isSure || this.attempts.isOnHold) break;
      if (!this.mayGo(orphan) || this.attempts.isAtWorkOn(orphan.owner, orphan.machine)) continue;
      const clones = await clonesOfListed(shared.pve, orphan, guests);
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

  /** What a Terraform entry holds stays, and what another source wrote. */
  private mayGo(orphan: Orphan): boolean {
    const { prunes, signal } = this.around;
    // somebody may have asked for it again since it was found
    const isAsked = this.asked.has(keyOf(orphan.owner, orphan.machine));
    return prunes && !isAsked && !signal.aborted && this.hindrance(orphan) === undefined;
  }

  /**
   * Nothing goes because a file could not be read, or is being written: all of them must have stood for an interval as
   * they are, and be good.
   */
  private async filesStand(): Promise<boolean> {
    const { prunes, sources, settings } = this.around;
    return prunes && sources.fault === undefined && (await sources.goodForMs()) >= settings.intervalMs;
  }

  private hindrance(orphan: Orphan): string | undefined {
    const { readAs } = orphan;
    if (readAs !== undefined) return `It is not pruned: ${onlyRead(readAs, orphan)}`;
    const isOthers = writtenByOther(orphan, this.source);
    if (isOthers !== undefined) return `It is not pruned: ${isOthers}`;
    const edited = this.editedText(orphan);
    if (edited !== undefined) return `It is not pruned: ${edited}`;
    const isSeen = this.seen.has(keyOf(orphan.owner, orphan.machine));
    // the host that worked before may have had newer files
    if (this.around.lease !== undefined && !isSeen) return NOT_SEEN;
    const { mayGoBack, cutFile, emptyFolder } = this.around.sources;
    if (mayGoBack === true && !isSeen) return MAY_BE_NEWER;
    if (cutFile !== undefined) return cutText(cutFile);
    if (emptyFolder !== undefined) return mayBeAway(emptyFolder);
    return pruneHindrance(orphan, this.source, isSeen);
  }

  /** No edit destroys (ADR 0003): it may be a machine that is wanted under another cluster, namespace or id. */
  private editedText(orphan: Orphan): string | undefined {
    if (orphan.entry !== undefined) return undefined;
    return staysForNamesakes(orphan, this.namesakes.of(orphan, this.place), this.place);
  }

  private async destroy(orphan: Orphan, shared: Shared, reading: ClusterReading): Promise<void> {
    const { machine } = orphan;
    const report = this.attempts.reportFor(orphan.owner);
    await this.attempts.begin(orphan.owner, machine, async () => {
      const run = new Run(shared, { report, signal: this.around.signal, reading });
      try {
        // the turn may have taken its time
        if ((await this.filesStand()) && this.mayGo(orphan))
          await destroyMachine(run, identityOfOrphan(orphan), { asksAll: true });
        this.failures.delete(textOf(orphan));
      } catch (error) {
        if (!this.around.signal.aborted) this.failed(orphan, error);
      } finally {
        // another may have written it since it was read
        this.orphans.forget(orphan);
        this.around.progress.ended(machine);
        run.close();
      }
    });
  }

  private failed(orphan: Orphan, error: unknown): void {
    this.around.metrics.failed('machine', error);
    const { level, message, fields } = failureLine(error, orphan.machine);
    if (this.failures.get(textOf(orphan)) === fields['error']) return;
    this.failures.set(textOf(orphan), String(fields['error']));
    this.around.log({ level, message, fields: { cluster: this.cluster, ...fields } });
  }

  private tell(orphan: Orphan): void {
    const { entry, source } = orphan;
    const { prunes } = this.around;
    const remedy = prunes
      ? (this.hindrance(orphan) ?? PRUNED)
      : remedyFor(orphan, this.source, this.editedText(orphan));
    const fields = { ...this.placeOf(orphan), entry, source, remedy };
    this.around.log({ level: 'warn', message: 'Orphan: nothing asks for it any more', fields });
  }

  private tellOnce(double: Double): void {
    const { machine, owner, vmid, node, other } = double;
    const key = `${owner}\n${machine}\n${vmid}\n${other.vmid}`;
    if (this.toldDoubles.has(key)) return;
    this.toldDoubles.add(key);
    // as in each line on a machine: the guest that is worked on
    const guest = { machine, cluster: this.cluster, owner, vmid: other.vmid, node: other.node };
    const fields = { ...guest, other_vmid: vmid, other_node: node, remedy: doubleRemedy(double) };
    this.around.log({ level: 'warn', message: 'Two guests of one machine', fields });
  }

  /** Another source may write it meanwhile, or somebody edits what is wanted: that is reported anew. */
  private toldOf(orphan: Orphan): string {
    const { source = '', readAs = '' } = orphan;
    return [textOf(orphan), source, readAs, this.editedText(orphan) ?? ''].join('\n');
  }

  private placeOf({ machine, owner, vmid, node }: Orphan) {
    return { machine, cluster: this.cluster, owner, vmid, node };
  }
}

function textOf({ owner, machine, vmid }: Orphan): string {
  return `${owner}\n${machine}\n${vmid}`;
}

const NOT_SEEN =
  'It is not pruned: since this host took over, nobody has asked for it, and the files of the other host may be newer. Where nobody wants it any more: pve-reconciler gc --yes --spec FILE.';
const MAY_BE_NEWER =
  'It is not pruned: since this daemon started, nobody has asked for it, and somebody may have brought an older database back. Where nobody wants it any more: pve-reconciler gc --yes --spec FILE.';
const cutText = (file: string): string =>
  `It is not pruned: ${file} does not end with a line break, so that a part of it may be missing. Look whether it is whole, and end it with one.`;
const mayBeAway = (folder: string): string =>
  `It is not pruned: nothing is in ${folder}, so that what was mounted there may be away. Mount it again; or remove the folder, where nothing belongs in it any more.`;
const PRUNED = 'It is destroyed when the desired state has stood for one interval.';

function remedyFor(orphan: Orphan, own: Source | undefined, edited: string | undefined): string {
  const { entry, source, readAs } = orphan;
  if (readAs !== undefined) return `It stays: ${onlyRead(readAs, orphan)}`;
  if (otherKubernetes({ source }, own?.names ?? []) !== undefined)
    return 'Another Kubernetes holds it: there is nothing to do here.';
  const isOthers = writtenByOther(orphan, own);
  if (isOthers !== undefined) return `It stays: ${isOthers}`;
  if (edited !== undefined) return `It stays: ${edited}`;
  return entry === undefined
    ? 'Ask for it again, or remove it with pve-reconciler gc --yes --spec FILE.'
    : 'A Terraform state holds it: destroy it there.';
}

/** Two daemons may have one owner, and what one of them asks for is an orphan to the other. */
function writtenByOther({ entry, source }: Orphan, own: Source | undefined): string | undefined {
  if (entry !== undefined || source === undefined || own?.names.includes(source) === true) return undefined;
  return `source "${source}" wrote it last, and this is ${sourceText(own)}. Where nobody wants it any more: pve-reconciler gc --yes --source '${source}' --spec FILE.`;
}

/**
 * Why an orphan is not pruned, whatever the files say: two daemons may have one owner, and what one of them asks for is an
 * orphan to the other. `isSeen`: this daemon has seen it asked for. Undefined: it may go. Pure.
 */
function pruneHindrance(
  { entry, source }: Pick<Orphan, 'entry' | 'source'>,
  own: Source | undefined,
  isSeen: boolean,
): string | undefined {
  if (entry !== undefined) return 'A Terraform state holds it: destroy it there.';
  if (isSeen || (source !== undefined && own?.isNamed === true)) return undefined;
  if (source === undefined)
    return 'It is not pruned: its mark names no source, and this daemon has never seen it asked for. Where nobody wants it any more: pve-reconciler gc --yes --spec FILE.';
  return `It is not pruned: this daemon has never seen it asked for, and "${source}" is only the name of a place, which others may have too. Give it as a name (PVE_SOURCE='${source}'), or remove it: pve-reconciler gc --yes --spec FILE.`;
}
