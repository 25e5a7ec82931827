import { closest } from '../../../spec';
import { InputError } from '../../errors';
import { desiredStates } from '../../input/desired-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { snapshotTable, type ToldSnapshot } from '../../report/snapshot-table';
import { yaml } from '../../report/yaml';
import { statesNaming } from '../day2/named-machines';
import { eachState, wantedIn } from '../each-state';
import { withRun } from '../with-run';
import { create, list, remove, revert, type SnapshotVerb } from './snapshot-verbs';

const VERBS: Readonly<Record<string, { does: SnapshotVerb; needsName: boolean }>> = {
  list: { does: list, needsName: false },
  create: { does: create, needsName: true },
  revert: { does: revert, needsName: true },
  delete: { does: remove, needsName: true },
};
const FORMS = ['table', 'json', 'yaml'];

/** Lists the snapshots of one machine, takes or deletes one, or brings the machine back to one. */
export async function snapshot(
  given: Surroundings,
  options: Options,
  [verb = '', machine = '', name]: string[],
): Promise<number> {
  const { does } = verbNamed(verb, name);
  const form = formOf(options);
  const { states, around } = await desiredStates(options, given);
  const named = statesNaming(states, [machine]);
  const snapshots = await eachState<ToldSnapshot>(named, around, (state, access) =>
    withRun(access, around, state, async run => {
      const wanted = wantedIn(state, around).filter(({ spec }) => spec.id === machine);
      const each = wanted.map(one => does({ run, wanted: one, name: name ?? '', options, around }));
      return (await Promise.all(each)).flat();
    }),
  );
  if (verb === 'list' || form !== 'table') around.out(`${shown(machine, snapshots, form)}\n`);
  return EXIT.done;
}

function verbNamed(verb: string, name: string | undefined): { does: SnapshotVerb } {
  const found = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (found === undefined) {
    const near = closest(verb, Object.keys(VERBS));
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new InputError(`snapshot ${verb} is not known; allowed: ${Object.keys(VERBS).join(', ')}.${meant}`);
  }
  if (found.needsName && name === undefined)
    throw new InputError(`snapshot ${verb} needs the name of a snapshot, after the machine.`);
  if (!found.needsName && name !== undefined)
    throw new InputError(`snapshot ${verb} takes a machine and no more: remove "${name}".`);
  return found;
}

function formOf({ output, json }: Options): string {
  const form = output ?? (json ? 'json' : 'table');
  if (FORMS.includes(form)) return form;
  throw new InputError(`--output ${form} is not known; allowed: ${FORMS.join(', ')}.`);
}

function shown(machine: string, snapshots: ToldSnapshot[], form: string): string {
  if (form === 'table') return snapshotTable(snapshots);
  const told = { machine, snapshots };
  return form === 'yaml' ? yaml(told) : JSON.stringify(told, undefined, 2);
}
