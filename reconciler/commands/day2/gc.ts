import { Orphans, unreadableText, type Orphan } from '../../run/reads/orphans';
import type { DesiredState } from '../../../spec';
import { clonesOfListed } from '../../apply/destroy/linked-clones';
import { DESTROY_TEXTS, destroyMachine, type DestroyOutcome } from '../../apply/destroy/destroy';
import type { ClusterAccess } from '../../config/cluster-access';
import { desiredStates } from '../../input/desired-states';
import { maySeeGuests } from '../../observe/may-see-guests';
import { untouched } from '../../action';
import { RefusedError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { exitCodeOfAll } from '../../report/exit-code';
import { causeText } from '../../report/failure-text';
import { lostWith } from '../../plan/losses-text';
import { oneLine } from '../../report/visible';
import type { GuestAddress } from '../../pve';
import type { Run } from '../../run/run';
import { eachState } from '../each-state';
import { withRun } from '../with-run';
import { fileLine, leftFiles } from './gc-files';
import { hindrance } from './tell-orphans';

/**
 * Names the guests of the owners of the given desired states that those ask for no more, and files of ours that nothing
 * uses. With `--yes` it removes them, but for what a Terraform entry holds, and templates with linked clones that stay.
 */
export async function gc(given: Surroundings, options: Options): Promise<number> {
  const { states, around } = await desiredStates(options, given);
  const errors: unknown[] = [];
  const going = new Map<string, Set<number>>();
  const others: Orphan[] = [];
  const unread = new Map<string, GuestAddress>();
  const found = await eachState<Found>(states, around, (state, access, ways) =>
    withRun(access, around, state, async run => {
      const wanted = statesThere(states, ways, state.owner, access);
      const { orphans, unreadable } = await find(run, wanted, options);
      for (const guest of unreadable) unread.set(`${state.cluster.name} ${guest.vmid}`, guest);
      for (const orphan of orphans.filter(({ fate }) => fate === 'may-go')) {
        if (options.yes) errors.push(...(await remove(run, orphan, options)));
        else going.set(state.cluster.name, new Set(going.get(state.cluster.name)).add(orphan.vmid));
      }
      const refused = orphans.flatMap(({ fate, refusals }) => (fate === 'refused' && refusals) || []);
      if (options.yes && refused.length > 0) errors.push(new RefusedError(refused));
      if (options.all)
        others.push(...(await new Orphans(Infinity).find(run.pve, run.cluster, states, 'of-others')));
      return orphans;
    }),
  );
  // after all guests: what those were made of is left by now
  const files = await leftFiles(states, around, { going, removes: options.yes === true, errors });
  around.signal.throwIfAborted();
  const named = [
    ...found.map(lineOf),
    ...distinct(others).map(each => `${placeOf(each)}: of another owner, left alone.`),
    ...files.map(fileLine),
    ...[unreadableText([...unread.values()]) ?? []].flat(),
  ];
  const lines = named.length === 0 ? ['no orphan was found.'] : named;
  const told = {
    ...{ orphans: found, files },
    ...(unread.size > 0 && { unread: [...unread.values()] }),
    ...(options.all && { others: distinct(others) }),
  };
  around.out(`${options.json ? JSON.stringify(told) : lines.join('\n')}\n`);
  return exitCodeOfAll(errors);
}

interface Found extends Orphan {
  /** The linked clones of a template that stay, and so it does. */
  clones?: number[];
  /** What became of it, by its name in the JSON. `may-go`: nobody asked for its removal. `refused`: also where it would be. `stays`: a Terraform state holds it, or linked clones of it stay. */
  fate: 'may-go' | 'stays' | 'destroyed' | 'refused' | 'failed';
  /** Why it was refused or failed. */
  why?: string;
}

const WHAT_BECAME: Record<DestroyOutcome, Found['fate']> = {
  destroyed: 'destroyed',
  'already-gone': 'destroyed',
  'not-ours': 'refused',
  'let-go': 'stays',
};

/** What an owner wants of a cluster: the same one may be asked for by several names. */
function statesThere(
  states: readonly DesiredState[],
  ways: readonly ClusterAccess[],
  owner: string,
  { pve }: ClusterAccess,
): DesiredState[] {
  return states.filter(
    (state, at) =>
      state.owner === owner && pve.endpoints.some(endpoint => ways[at]?.pve.endpoints.includes(endpoint)),
  );
}

/** An empty list proves nothing where no guest may be seen. */
function refuseWithoutSight({ cluster, clusterSpec }: Run): void {
  if (maySeeGuests(cluster)) return;
  const detail = 'no guest of the cluster may be seen, so that nobody can tell what is left.';
  const remedy = 'Grant VM.Audit on /vms to the user, and to the token if it has rights of its own.';
  throw new RefusedError([
    { machine: `cluster ${clusterSpec.name}`, ...untouched('no-sight', detail, remedy) },
  ]);
}

/** Templates come last: they go after their clones. */
async function find(
  run: Run,
  states: readonly DesiredState[],
  { withKeptVolumes }: Options,
): Promise<{ orphans: Found[]; unreadable: GuestAddress[] }> {
  refuseWithoutSight(run);
  const search = new Orphans(Infinity, withKeptVolumes);
  const orphans = await search.find(run.pve, run.cluster, states);
  const isGoing = ({ entry, refusals }: Orphan): boolean => entry === undefined && refusals === undefined;
  const going = new Set(orphans.filter(isGoing).map(({ vmid }) => vmid));
  const { guests } = run.cluster;
  const isTemplate = ({ vmid }: Orphan): boolean =>
    guests.some(guest => guest.vmid === vmid && guest.template);
  const found = orphans.map(async (orphan): Promise<Found> => {
    const clones = await clonesOfListed(run.pve, orphan, guests);
    const staying = clones.filter(id => !going.has(id));
    if (staying.length > 0) return { ...orphan, clones: staying, fate: 'stays' };
    const { refusals } = orphan;
    if (refusals) return { ...orphan, fate: 'refused', why: hindrance(refusals) };
    return { ...orphan, fate: orphan.entry === undefined ? 'may-go' : 'stays' };
  });
  const sorted = (await Promise.all(found)).sort((a, b) => Number(isTemplate(a)) - Number(isTemplate(b)));
  return { orphans: sorted, unreadable: search.unreadable };
}

/** Of several desired states on one cluster, each finds the same. */
function distinct(orphans: readonly Orphan[]): Orphan[] {
  return [...new Map(orphans.map(each => [placeOf(each), each])).values()];
}

/** Destroys an orphan. The errors of one; it stops no other. */
async function remove(run: Run, orphan: Found, { withKeptVolumes }: Options): Promise<unknown[]> {
  const { owner, machine, losses: named } = orphan;
  try {
    const outcome = await destroyMachine(
      run,
      { owner, ids: [machine] },
      { named, withKept: withKeptVolumes, asksAll: true },
    );
    orphan.fate = WHAT_BECAME[outcome];
    if (orphan.fate !== 'destroyed') orphan.why = DESTROY_TEXTS[outcome];
    return [];
  } catch (error) {
    // what was refused has no beginning that was told, and is told by its line
    orphan.fate = error instanceof RefusedError ? 'refused' : 'failed';
    orphan.why = causeText(error).trimEnd();
    if (orphan.fate === 'failed') run.report({ kind: 'failed', machine, action: { kind: 'destroy' }, error });
    return [error];
  }
}

function placeOf({ owner, machine, vmid, node }: Orphan): string {
  return oneLine(`${machine}: VM ${vmid} on ${node}, of ${owner}`);
}

function lineOf(found: Found): string {
  const { entry, clones, fate, why, refusals, losses } = found;
  const place = placeOf(found);
  if (entry !== undefined) return `${place}: held by a Terraform state, left alone. Destroy it there.`;
  if (clones !== undefined) return `${place}: left alone, linked clones of it stay: ${clones.join(', ')}.`;
  if (refusals) return `${place}: nothing asks for it, and gc --yes does not destroy it: ${why}`;
  const lost = lostWith(losses);
  if (fate === 'may-go') return oneLine(`${place}: nothing asks for it. gc --yes destroys it${lost}.`);
  return oneLine(
    `${place}: ${fate}${why === undefined ? `${fate === 'destroyed' ? lost : ''}.` : `: ${why}`}`,
  );
}
