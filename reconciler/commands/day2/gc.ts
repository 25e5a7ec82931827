import { Orphans, type Orphan } from '../../run/reads/orphans';
import type { DesiredState } from '../../../spec';
import { clonesOfListed } from '../../apply/destroy/linked-clones';
import { destroyMachine } from '../../apply/destroy/destroy';
import { desiredStates } from '../../input/desired-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT, exitCodeOfAll } from '../../report/exit-code';
import { oneLine } from '../../report/visible';
import type { Run } from '../../run/run';
import { eachState } from '../each-state';
import { withRun } from '../with-run';
import { fileLine, leftFiles } from './gc-files';

/**
 * Names the guests of the owners of the given desired states that those ask for no more, and files of ours that nothing
 * uses. With `--yes` it removes them, but for what a Terraform entry holds, and templates with linked clones that stay.
 */
export async function gc(given: Surroundings, options: Options): Promise<number> {
  const { states, around } = await desiredStates(options, given);
  const errors: unknown[] = [];
  const going = new Map<string, Set<number>>();
  const others: Orphan[] = [];
  const found = await eachState<Found>(states, around, (state, access) =>
    withRun(access, around, state, async run => {
      const orphans = await find(run, state);
      for (const orphan of orphans.filter(mayGo)) {
        if (options.yes) errors.push(...(await remove(run, orphan)));
        else going.set(state.cluster.name, new Set(going.get(state.cluster.name)).add(orphan.vmid));
      }
      if (options.all)
        others.push(...(await new Orphans(Infinity).find(run.pve, run.cluster, states, 'of-others')));
      return orphans;
    }),
  );
  // after all guests: what those were made of is left by now
  const files = await leftFiles(states, around, { going, removes: options.yes === true, errors });
  around.signal.throwIfAborted();
  const named = [
    ...found.map(each => lineOf(each, options)),
    ...distinct(others).map(each => `${placeOf(each)}: of another owner, left alone.`),
    ...files.map(fileLine),
  ];
  const lines = named.length === 0 ? ['no orphan was found.'] : named;
  const told = { orphans: found, files, ...(options.all && { others: distinct(others) }) };
  around.out(`${options.json ? JSON.stringify(told) : lines.join('\n')}\n`);
  return errors.length === 0 ? EXIT.done : exitCodeOfAll(errors);
}

interface Found extends Orphan {
  /** The linked clones of a template that stay, and so it does. */
  clones?: number[];
}

/** Templates come last: they go after their clones. */
async function find(run: Run, state: DesiredState): Promise<Found[]> {
  const orphans = await new Orphans(Infinity).find(run.pve, run.cluster, [state]);
  const going = new Set(orphans.flatMap(({ vmid, entry }) => (entry === undefined ? [vmid] : [])));
  const { guests } = run.cluster;
  const isTemplate = ({ vmid }: Orphan): boolean =>
    guests.some(guest => guest.vmid === vmid && guest.template);
  const found = orphans.map(async (orphan): Promise<Found> => {
    const clones = await clonesOfListed(run.pve, orphan, guests);
    const staying = clones.filter(id => !going.has(id));
    return staying.length === 0 ? orphan : { ...orphan, clones: staying };
  });
  return (await Promise.all(found)).sort((a, b) => Number(isTemplate(a)) - Number(isTemplate(b)));
}

function mayGo({ entry, clones }: Found): boolean {
  return entry === undefined && clones === undefined;
}

/** Of several desired states on one cluster, each finds the same. */
function distinct(orphans: readonly Orphan[]): Orphan[] {
  return [...new Map(orphans.map(each => [placeOf(each), each])).values()];
}

/** The errors of one; it stops no other. */
async function remove(run: Run, { owner, machine }: Found): Promise<unknown[]> {
  try {
    await destroyMachine(run, { owner, ids: [machine] });
    return [];
  } catch (error) {
    run.report({ kind: 'failed', machine, action: { kind: 'destroy' }, error });
    return [error];
  }
}

function placeOf({ owner, machine, vmid, node }: Orphan): string {
  return oneLine(`${machine}: VM ${vmid} on ${node}, of ${owner}`);
}

function lineOf(found: Found, { yes }: Options): string {
  const { entry, clones } = found;
  const place = placeOf(found);
  if (entry !== undefined) return `${place}: held by a Terraform state, left alone. Destroy it there.`;
  if (clones !== undefined) return `${place}: left alone, linked clones of it stay: ${clones.join(', ')}.`;
  return yes ? `${place}: was to be destroyed.` : `${place}: nothing asks for it. gc --yes destroys it.`;
}
