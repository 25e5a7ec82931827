import { maySeeGuests, sightRemedy } from '../../observed';
import type { DesiredState } from '../../../spec';
import { untouched, type Refusal } from '../../action';
import { destroyMachine, destroyObjections, DESTROY_TEXTS } from '../../apply/destroy/destroy';
import type { DestroyOutcome } from '../../apply/destroy/destroy';
import type { DestroyWish } from '../../apply/destroy/refuse-losses';
import { clonesOfListed } from '../../run/reads/linked-clones';
import { RefusedError } from '../../errors';
import type { Options } from '../../input/surroundings';
import { lostWith } from '../../plan/losses-text';
import { isOneLess } from '../../pve';
import { causeText } from '../../report/failure-text';
import { onlyRead } from '../../report/only-read';
import { oneLine } from '../../report/visible';
import type { Double } from '../../run/reads/doubles';
import { Namesakes, namesakeText } from '../../run/reads/namesakes';
import { identityOfOrphan, Orphans, type Orphan, type UnreadGuest } from '../../run/reads/orphans';
import { readOnce } from '../../run/reads/others-using';
import type { Run } from '../../run/run';
import { sourceText, type Source } from '../../run/wanted';
import { gcCommand } from './gc-command';
import { hindrance } from './tell-orphans';

/** An orphan, and what becomes of it. */
export interface FoundOrphan extends Orphan {
  /** What became of it, by its name in the JSON. `may-go`: nobody asked for its removal. `refused`: also where it would be. `stays`: a Terraform state or another source holds it, `existing` reads it, or linked clones of it stay. */
  fate: 'may-go' | 'stays' | 'destroyed' | 'refused' | 'failed';
  /** Why it was refused or failed, or stays for another source, or for `existing`. */
  why?: string;
  /** A machine that is wanted and has its id, number or name: somebody who edited that means to keep it. */
  mayBe?: string;
}

const WHAT_BECAME: Record<DestroyOutcome, FoundOrphan['fate']> = {
  destroyed: 'destroyed',
  'already-gone': 'destroyed',
  'not-ours': 'refused',
  'let-go': 'stays',
};

/**
 * The orphans of a cluster, each judged by the very look that its destroy begins with: what is reported here is what happens.
 * Templates come last: they go after their clones.
 */
export async function findOrphans(
  run: Run,
  { states, readers, all }: Record<'states' | 'readers' | 'all', readonly DesiredState[]>,
  own: Source | undefined,
  options: Options,
): Promise<{ orphans: FoundOrphan[]; unreadable: UnreadGuest[]; doubles: Double[] }> {
  refuseWithoutSight(run);
  const search = new Orphans(Infinity, options.withKeptVolumes);
  const orphans = await search.find(run.pve, run.cluster, states, { readers });
  const judged: FoundOrphan[] = [];
  // a removal reads these anew
  const wish = { withKept: options.withKeptVolumes, asksAll: true, lines: readOnce(run) };
  // one after the other: each reads the tasks that it needs, and there may be hundreds
  for (const orphan of orphans) judged.push(await judge(run, orphan, { own, options, wish }));
  const { guests } = run.cluster;
  const namesakes = new Namesakes(all);
  for (const each of judged) {
    if (each.fate !== 'may-go') continue;
    const mayBe = namesakeText(namesakes.of(each, { cluster: run.clusterSpec.name, guests }));
    if (mayBe !== undefined) each.mayBe = mayBe;
  }
  const clones = new Map<number, number[]>();
  for (const { vmid, node } of judged)
    clones.set(vmid, await clonesOfListed(run.pve, { vmid, node }, guests));
  const isTemplate = ({ vmid }: Orphan): boolean =>
    guests.some(guest => guest.vmid === vmid && guest.template);
  const found = stayWithClones(judged, clones);
  return {
    orphans: found.sort((a, b) => Number(isTemplate(a)) - Number(isTemplate(b))),
    unreadable: search.unreadable,
    doubles: search.doubles,
  };
}

/** What an orphan is judged by. */
interface Judging {
  own: Source | undefined;
  options: Options;
  wish: DestroyWish;
}

async function judge(run: Run, orphan: Orphan, { own, options, wish }: Judging): Promise<FoundOrphan> {
  const { entry, source, readAs } = orphan;
  if (entry !== undefined) return { ...orphan, fate: 'stays' };
  if (readAs !== undefined) return { ...orphan, fate: 'stays', why: onlyRead(readAs, orphan) };
  if (source !== undefined && own?.names.includes(source) !== true)
    return { ...orphan, fate: 'stays', why: ofSource(source, own, options) };
  const refusals = orphan.refusals ?? (await objections(run, orphan, wish));
  if (refusals.length === 0) return { ...orphan, fate: 'may-go' };
  return { ...orphan, refusals, fate: 'refused', why: hindrance(refusals) };
}

function ofSource(source: string, own: Source | undefined, options: Options): string {
  return `source "${source}" wrote it last, and this is ${sourceText(own)}. Where nobody wants it any more: ${gcCommand(source, options)}.`;
}

/** A look that fails says so, and is no leave to destroy. */
async function objections(run: Run, orphan: Orphan, wish: DestroyWish): Promise<Refusal[]> {
  try {
    return await destroyObjections(run, identityOfOrphan(orphan), wish);
  } catch (error) {
    if (!isOneLess(error)) throw error;
    run.signal.throwIfAborted();
    const remedy = 'Run again; it is safe.';
    return [{ machine: orphan.machine, ...untouched('unread', causeText(error).trimEnd(), remedy) }];
  }
}

/** A template stays with its clones, and so does what that one is a clone of. */
function stayWithClones(
  judged: readonly FoundOrphan[],
  clones: ReadonlyMap<number, readonly number[]>,
): FoundOrphan[] {
  const going = new Set(judged.filter(({ fate }) => fate === 'may-go').map(({ vmid }) => vmid));
  const staying = ({ vmid }: Orphan): number[] => (clones.get(vmid) ?? []).filter(id => !going.has(id));
  for (;;) {
    const kept = judged.filter(each => going.has(each.vmid) && staying(each).length > 0);
    if (kept.length === 0) break;
    kept.forEach(({ vmid }) => going.delete(vmid));
  }
  return judged.map(each => {
    const left = staying(each);
    return left.length > 0 && each.fate !== 'stays' ? { ...each, clones: left, fate: 'stays' } : each;
  });
}

/** An empty list proves nothing where no guest may be seen. */
function refuseWithoutSight({ cluster, clusterSpec }: Run): void {
  if (maySeeGuests(cluster)) return;
  const detail = 'no guest of the cluster may be seen, so that nobody can tell what is left.';
  throw new RefusedError([
    { machine: `cluster ${clusterSpec.name}`, ...untouched('no-sight', detail, sightRemedy(cluster)) },
  ]);
}

/** Destroys an orphan. The errors of one; it stops no other. */
export async function removeOrphan(
  run: Run,
  orphan: FoundOrphan,
  withKept: boolean | undefined,
): Promise<unknown[]> {
  const { machine, losses: named, generation } = orphan;
  try {
    if (named === undefined) throw untold(machine);
    const wish = { named, generation, withKept, asksAll: true };
    const outcome = await destroyMachine(run, identityOfOrphan(orphan), wish);
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

/** Without what goes with it, nothing holds the destroy to what was reported. */
function untold(machine: string): RefusedError {
  const detail = 'what goes with it was not read, and so was told to nobody.';
  const remedy = 'Run gc again, which reads it; that is safe.';
  return new RefusedError([{ machine, ...untouched('unread', detail, remedy) }]);
}

/** A guest that an orphan is, in words. */
export function placeOf({ owner, machine, vmid, node }: Orphan): string {
  return oneLine(`${machine}: VM ${vmid} on ${node}, of ${owner}`);
}

/** One that goes, with what goes with it and what it may be, in words. */
export function goingText(orphan: FoundOrphan): string {
  const mayBe = orphan.mayBe === undefined ? '' : ` (mind: ${orphan.mayBe})`;
  return `${placeOf(orphan)}${oneLine(lostWith(orphan.losses))}${oneLine(mayBe)}`;
}

/** What becomes of an orphan, in one line. */
export function orphanLine(found: FoundOrphan): string {
  const { entry, clones, fate, why, refusals, losses, mayBe } = found;
  const place = placeOf(found);
  if (entry !== undefined) return `${place}: held by a Terraform state, left alone. Destroy it there.`;
  if (clones !== undefined) return `${place}: left alone, linked clones of it stay: ${clones.join(', ')}.`;
  if (refusals) return `${place}: nothing asks for it, and gc --yes does not destroy it: ${why}`;
  const lost = lostWith(losses);
  const mind = mayBe === undefined ? '' : ` Mind: ${mayBe}`;
  if (fate === 'may-go') return oneLine(`${place}: nothing asks for it. gc --yes destroys it${lost}.${mind}`);
  if (fate === 'stays' && why !== undefined) return oneLine(`${place}: left alone: ${why}`);
  if (why !== undefined) return oneLine(`${place}: ${fate}: ${why}`);
  return oneLine(`${place}: ${fate}${fate === 'destroyed' ? lost : ''}.`);
}
