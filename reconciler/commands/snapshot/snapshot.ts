import { InputError } from '../../errors';
import { entryNamed, knownWord } from '../../input/known-word';
import { statesByHand } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT, exitCodeOfAll } from '../../report/exit-code';
import { LIST_FORMS, type Form } from '../../report/forms';
import { snapshotTable, type ToldSnapshot } from '../../report/snapshot-table';
import { yaml } from '../../report/yaml';
import { statesNaming } from '../day2/named-machines';
import { eachRun, wantedIn } from '../each-state';
import { eachMachine } from '../../run/each-machine';
import { create, list, remove, revert, type SnapshotVerb } from './snapshot-verbs';

const VERBS: Readonly<Record<string, SnapshotVerb>> = { list, create, revert, delete: remove };

/** Lists the snapshots of one machine, takes or deletes one, or brings the machine back to one. */
export async function snapshot(
  given: Surroundings,
  options: Options,
  [verb = '', machine = '', name]: string[],
): Promise<number> {
  const does = verbNamed(verb, name);
  if (does !== create && (options.memory ?? options.description) !== undefined)
    throw new InputError(`--memory and --description are for snapshot create only: remove them.`);
  const form = knownWord('--output', options.output ?? (options.json ? 'json' : 'table'), LIST_FORMS);
  const { states, around } = await statesByHand(options, given);
  const named = statesNaming(states, [machine]);
  const failed: unknown[] = [];
  const snapshots = await eachRun<ToldSnapshot>(named, around, async (run, state) => {
    const wanted = wantedIn(state, around).filter(({ spec }) => spec.id === machine);
    const each = await eachMachine<ToldSnapshot[]>(
      wanted,
      one => does({ run, wanted: one, name: name ?? '', options, around }),
      ({ spec }, error) => {
        if (error instanceof InputError) throw error;
        failed.push(around.reporter.failed(spec.id, error));
        return [];
      },
    );
    return each.flat();
  });
  around.signal.throwIfAborted();
  if (failed.length > 0) return exitCodeOfAll(failed);
  const text = verb === 'list' || form !== 'table' ? shown(machine, snapshots, form) : '';
  if (text !== '') around.out(`${text}\n`);
  return EXIT.done;
}

function verbNamed(verb: string, name: string | undefined): SnapshotVerb {
  const does = entryNamed('snapshot', verb, VERBS);
  if (does !== list && name === undefined)
    throw new InputError(`snapshot ${verb} needs the name of a snapshot, after the machine.`);
  if (does === list && name !== undefined)
    throw new InputError(`snapshot ${verb} takes a machine and no more: remove "${name}".`);
  return does;
}

function shown(machine: string, snapshots: ToldSnapshot[], form: Form): string {
  if (form === 'table') return snapshotTable(snapshots);
  if (form === 'name') return snapshots.map(({ name }) => name).join('\n');
  const told = { machine, snapshots };
  return form === 'yaml' ? yaml(told) : JSON.stringify(told, undefined, 2);
}
