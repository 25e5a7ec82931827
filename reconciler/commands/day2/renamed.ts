import type { MachineSpec } from '../../../spec';
import { idsOf } from '../../mark/identity';
import { taggedAs } from '../../observe/tagged-guests';
import { PveError } from '../../pve';
import { oneLine } from '../../report/visible';
import type { Surroundings } from '../../input/surroundings';
import { keptText, Namesakes } from '../../run/reads/namesakes';
import { Orphans, type Orphan } from '../../run/reads/orphans';
import type { Run } from '../../run/run';
import type { Source, SourcedState } from '../../run/wanted';

/** An orphan. `mayBe`: which machine that is wanted it may be after an edit, and how it is kept as that one. */
export type LeftOrphan = Orphan & { mayBe?: string };

/** What a run wants: `there` of one owner on one cluster, `all` of anybody anywhere. */
export type WantedByRun = Record<'there' | 'all', readonly SourcedState[]> & {
  /** The run has ended: what was to come is made, and formerIds would find two guests. */
  hasRun?: true;
};

/** How many machines that are new are named beside an orphan. */
const MOST_TOLD = 3;

/** Guests that are read before a run: it is about a hint, and the look after the run names the others. */
const MOST = 50;

/**
 * Says of an orphan what it may be, by the rule of gc; else which machines are still to be made. Nothing of what a Terraform
 * state, another source or `existing` has: formerIds would be refused.
 */
export function keepingIn(
  run: Run,
  { there, all, hasRun }: WantedByRun,
  own: Source | undefined,
): (orphan: Orphan) => LeftOrphan {
  const { guests } = run.cluster;
  const place = { cluster: run.clusterSpec.name, guests };
  const namesakes = new Namesakes(all);
  const coming = comingOf(run, there);
  return orphan => {
    const { entry, readAs, source } = orphan;
    const isOthers = source !== undefined && own?.names.includes(source) !== true;
    if (entry !== undefined || readAs !== undefined || isOthers) return orphan;
    const kept = keptText(orphan, namesakes.of(orphan, place), { ...place, hasRun });
    const mayBe = kept ?? (hasRun ? undefined : newText(orphan, coming));
    return mayBe === undefined ? orphan : { ...orphan, mayBe };
  };
}

/**
 * Names before a run makes anything the orphans that may be one of the machines that are new: afterwards formerIds finds
 * two guests, and is refused. Costs nothing where no machine is new.
 */
export async function tellRenamed(
  run: Run,
  state: SourcedState,
  wanted: WantedByRun,
  { reporter }: Pick<Surroundings, 'reporter'>,
): Promise<void> {
  if (isToldBefore(state, wanted.there) || comingOf(run, wanted.there).length === 0) return;
  try {
    const found = await new Orphans(MOST).find(run.pve, run.cluster, wanted.there);
    for (const { machine, vmid, node, mayBe } of found.map(keepingIn(run, wanted, state.source)))
      if (mayBe !== undefined)
        reporter.say(
          'warn',
          oneLine(
            `orphan ${machine}: VM ${vmid} on ${node} is not in the desired state. Mind: ${mayBe} (This run makes what is new now.)`,
          ),
        );
  } catch (error) {
    // the look after the run says that it failed
    if (!(error instanceof PveError) && !run.signal.aborted) throw error;
  }
}

/** Whether another desired state of the owner, on the same cluster by another name, comes first: that one tells for all. */
export function isToldBefore({ cluster }: SourcedState, [first]: readonly SourcedState[]): boolean {
  return first !== undefined && first.cluster.name !== cluster.name;
}

/** The machines that a run makes: no guest of them is there yet. */
function comingOf({ cluster }: Run, states: readonly SourcedState[]): MachineSpec[] {
  return states.flatMap(({ owner, machines }) =>
    machines.filter(
      spec =>
        (spec.mode ?? 'reconcile') === 'reconcile' &&
        taggedAs(cluster.guests, { owner, ids: idsOf(spec) }).length === 0,
    ),
  );
}

/** Nothing tells an id that was edited from a machine that left and another that came. */
function newText({ machine, isOfImage }: Orphan, coming: readonly MachineSpec[]): string | undefined {
  if (coming.length === 0 || isOfImage) return undefined;
  const told = coming.slice(0, MOST_TOLD).map(({ id }) => id);
  const more = coming.length > told.length ? ` or another of ${coming.length} that are new` : '';
  return `where ${told.join(' or ')}${more} is this machine with a new id, give that formerIds: [${JSON.stringify(machine)}] before it is made; else a second guest is made, with nothing on it.`;
}
