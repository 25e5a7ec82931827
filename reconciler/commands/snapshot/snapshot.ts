import { closest } from '../../../spec';
import { InputError } from '../../errors';
import { desiredStates } from '../../input/desired-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { snapshotTable, type ToldSnapshot } from '../../report/snapshot-table';
import { yaml } from '../../report/yaml';
import { eachState, wantedIn } from '../each-state';
import { withRun } from '../with-run';
import { create, list, remove, revert, type Deed } from './deeds';

const DEEDS: Readonly<Record<string, { does: Deed; needsName: boolean }>> = {
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
  [deed = '', machine = '', name]: string[],
): Promise<number> {
  const { does } = deedOf(deed, name);
  const form = formOf(options);
  const { states, around } = await desiredStates(options, given);
  const [state, another] = states.filter(({ machines }) => machines.some(({ id }) => id === machine));
  if (state === undefined)
    throw unknown(
      machine,
      states.flatMap(({ machines }) => machines.map(({ id }) => id)),
    );
  if (another !== undefined)
    throw new InputError(
      `there are several machines "${machine}": give the desired state of one of them only.`,
    );
  const snapshots = await eachState<ToldSnapshot>([state], around, (each, access) =>
    withRun(access, around, each, run => {
      const wanted = wantedIn(each, around).find(({ spec }) => spec.id === machine);
      if (wanted === undefined) throw unknown(machine, []);
      return does({ run, wanted, name: name ?? '', options, around });
    }),
  );
  if (deed === 'list' || form !== 'table') around.out(`${shown(machine, snapshots, form)}\n`);
  return EXIT.done;
}

function deedOf(deed: string, name: string | undefined): { does: Deed } {
  const found = DEEDS[deed];
  if (found === undefined) {
    const near = closest(deed, Object.keys(DEEDS));
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new InputError(`snapshot ${deed} is not known; allowed: ${Object.keys(DEEDS).join(', ')}.${meant}`);
  }
  if (found.needsName && name === undefined)
    throw new InputError(`snapshot ${deed} needs the name of a snapshot, after the machine.`);
  if (!found.needsName && name !== undefined)
    throw new InputError(`snapshot ${deed} takes a machine and no more: remove "${name}".`);
  return found;
}

function formOf({ output, json }: Options): string {
  const form = output ?? (json ? 'json' : 'table');
  if (FORMS.includes(form)) return form;
  throw new InputError(`--output ${form} is not known; allowed: ${FORMS.join(', ')}.`);
}

function unknown(machine: string, ids: readonly string[]): InputError {
  const near = closest(machine, ids);
  const meant = near === undefined ? `There are: ${ids.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  return new InputError(`there is no machine "${machine}" in the desired state. ${meant}`);
}

function shown(machine: string, snapshots: ToldSnapshot[], form: string): string {
  if (form === 'table') return snapshotTable(snapshots);
  const told = { machine, snapshots };
  return form === 'yaml' ? yaml(told) : JSON.stringify(told, undefined, 2);
}
