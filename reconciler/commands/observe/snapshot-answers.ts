import type { Observation } from '../../../spec';
import { MachineRun } from '../../life/machine-run';
import type { AskedSnapshots } from '../../input/asked-snapshots';
import { listSnapshots, isOneLess } from '../../pve';
import { readDescription } from '../../mark/description';
import { freshToken } from '../../plan/shown/token';
import { refusalTexts } from '../../report/refusal-text';
import { oneLine } from '../../report/visible';
import type { Run } from '../../run/run';
import type { Wanted } from '../../run/wanted';

/** How the machine of snapshots stands, where that was reported. */
type Machines = ReadonlyMap<string, Observation | undefined>;

/** How each snapshot stands: its token is its mark's while it is as wanted, else a fresh one. Reads only. */
export async function snapshotAnswers(
  run: Run,
  owner: string,
  asked: readonly AskedSnapshots[],
  { told, moving }: { told: Machines; moving: ReadonlySet<string> },
): Promise<Record<string, string>> {
  const all = await Promise.all(
    asked.map(one =>
      answersOf(run, owner, one, { told: told.get(one.machine), isMoving: moving.has(one.machine) }),
    ),
  );
  return Object.fromEntries(all.flat());
}

/** What the apply does to a snapshot, for who reviews the plan: it is taken, or nothing that counts. */
type Does = (name: string) => 'take' | '';

type Answers = [key: string, value: string][];

async function answersOf(
  run: Run,
  owner: string,
  asked: AskedSnapshots,
  { told, isMoving }: { told: Observation | undefined; isMoving: boolean },
): Promise<Answers> {
  const each = eachOf(asked);
  const takes: Does = () => 'take';
  const fresh = (): string => freshToken({});
  if (told?.status === 'observed' || told?.status === 'paused') return each(() => told.status);
  // the machine says it itself
  if (told?.status === 'refused') return each(fresh);
  // those of before go with the guest
  if (told?.effect === 'rebuild') return each(fresh, '', takes);
  try {
    const wanted = wantedSnapshots(owner, asked);
    const { reader, planner } = new MachineRun(run, wanted);
    const have = await reader.observe();
    // its apply comes first, which writes the mark again
    if (have.kind === 'refused' && have.why.startsWith('lost-mark')) return each(fresh);
    if (have.kind !== 'present' || have.unfinished) return each(fresh, '', takes);
    const plan = await planner.planOnAll(have);
    // the machine's own apply comes first, and moves its disks: then it is judged again
    if (isMoving && plan.refusals.length > 0 && plan.refusals.every(({ why }) => why === 'no-snapshots'))
      return each(fresh, '', takes);
    if (plan.refusals.length > 0) return each(fresh, refusalTexts(plan.refusals).join('\n'));
    const differ = new Set(plan.actions.flatMap(action => ('name' in action ? [action.name] : [])));
    const list = await listSnapshots(run.pve, have.guest);
    const token = (name: string): string => {
      const { mark } = readDescription(list.find(one => one.name === name)?.description ?? '');
      const known = mark?.token;
      return differ.has(name) || known === undefined ? fresh() : known;
    };
    const taken = new Set(
      plan.actions.flatMap(action => (action.kind === 'take-snapshot' ? action.name : [])),
    );
    return each(token, '', name => (taken.has(name) ? 'take' : ''));
  } catch (error) {
    if (!isOneLess(error)) throw error;
    return each(fresh, `cannot be read: ${oneLine(error.message)}`);
  }
}

/** The answers for each snapshot that is asked for. */
function eachOf({ snapshots }: AskedSnapshots) {
  return (token: (name: string) => string, refusal = '', does: Does = () => ''): Answers =>
    snapshots.flatMap(({ machine, name }): Answers => {
      const key = `snapshot.${machine}.${name}`;
      return [
        [`${key}.token`, token(name)],
        [`${key}.refusal`, refusal],
        [`${key}.does`, does(name)],
      ];
    });
}

/** What is wanted where only the snapshots of a machine are asked for: nothing of its spec is known, nor written. */
export function wantedSnapshots(
  owner: string,
  { machine, formerIds, snapshots }: AskedSnapshots,
  entry = '',
): Wanted {
  return {
    spec: { id: machine, formerIds: [...formerIds] },
    identity: { owner, ids: [machine, ...formerIds] },
    secrets: {},
    only: 'snapshots',
    snapshots: snapshots.map(each => ({ ...each, mustBeOurs: true, ...(entry !== '' && { entry }) })),
  };
}
