import { parseDesiredState } from '../../../spec';
import { desiredJson } from '../cluster/lab';
import { dice, type Roll } from '../random/dice';
import type { Acted, FrontEnd } from './acted';
import { FRONT_ENDS } from './front-ends';
import { handActs, type Act } from './hand-acts';
import { faultsOf, marksLost } from './judged';
import { firstSpec, specActs } from './spec-acts';
import { one, openStage, type Stage } from './stage';
import { markOf } from './standing';

/** What became of one case: a cluster and some runs on it. */
export interface Played {
  faults: string[];
  /** What was done, line by line. */
  story: string[];
  runs: number;
  done: number;
  /** Volumes and snapshots that went. */
  lost: number;
}

const MOVES = 13;
const IDS = ['web', 'db', 'app'];
const ACTS: Act[] = [...Object.values(handActs), ...Object.values(specActs), ...Object.values(specActs)];
const NAMES = [...Object.keys(handActs), ...Object.keys(specActs), ...Object.keys(specActs)];

/** Plays one case. `only`: the numbers of the moves that are played; absent: all. The same seed gives the same dice to each move. */
export async function playCase(seed: number, only?: readonly number[]): Promise<Played> {
  const first = dice(seed * 7_919 + 1);
  const ids = IDS.slice(0, 2 + first(2));
  const stage = await openStage(ids.filter(() => first(3) === 0));
  const played: Played = { faults: [], story: [], runs: 0, done: 0, lost: 0 };
  try {
    for (const id of ids) stage.want.set(id, firstSpec(id, first));
    played.story.push(`wanted: ${JSON.stringify([...stage.want.values()])}`);
    const begin = [...FRONT_ENDS].filter(([{ name }]) => ['reconcile', 'terraform'].includes(name));
    for (const [frontEnd] of begin) await act(stage, { frontEnd, roll: () => 1, move: -1 }, played);
    for (let move = 0; move < MOVES; move += 1) {
      if (only && !only.includes(move)) continue;
      await play(stage, move, dice(seed * 104_729 + move * 31 + 7), played);
    }
  } finally {
    await stage.lab.close();
  }
  return played;
}

async function play(stage: Stage, move: number, roll: Roll, played: Played): Promise<void> {
  roll(2);
  // a case ends with a run
  if (move % 3 < 2 && move < MOVES - 1 && roll(8) > 0) {
    const text = await anyAct(stage, roll);
    if (text !== undefined) played.story.push(`${move} ${text}`);
    return;
  }
  const turns = FRONT_ENDS.flatMap(([frontEnd, weight]) => Array.from({ length: weight }, () => frontEnd));
  const frontEnd = one(roll, turns);
  if (frontEnd) await act(stage, { frontEnd, roll, move }, played);
}

/** Something that a person does, by hand or in the spec; a spec that is wrong is taken back. */
async function anyAct(stage: Stage, roll: Roll): Promise<string | undefined> {
  const number = roll(ACTS.length);
  const want = new Map(stage.want);
  const text = await ACTS[number]?.(stage, roll);
  const parsed = parseDesiredState(desiredJson([...stage.want.values()]));
  if (!parsed.ok) {
    stage.want = want;
    return undefined;
  }
  return text && `somebody ${NAMES[number]}: ${text}`;
}

interface Turn {
  frontEnd: FrontEnd;
  roll: Roll;
  move: number;
}

async function act(stage: Stage, { frontEnd, roll, move }: Turn, played: Played): Promise<void> {
  const { world } = stage.lab.simulator.sim;
  const entries = Object.values(world.guests).flatMap(guest => (markOf(guest)?.e ? [guest.vmid] : []));
  const hasGap = roll(4) === 0;
  const gap = async (): Promise<boolean> => {
    if (!hasGap) return false;
    const names = Object.keys(handActs);
    const name = names[roll(names.length)] ?? '';
    const text = await handActs[name]?.(stage, roll);
    if (text !== undefined) played.story.push(`${move} in the gap somebody ${name}: ${text}`);
    return text !== undefined;
  };
  let acted: Acted | undefined;
  try {
    acted = await frontEnd(stage, roll, gap);
  } catch (error) {
    played.faults.push(
      `move ${move}: ${frontEnd.name} threw ${error instanceof Error ? error.stack : String(error)}`,
    );
  }
  if (acted === undefined) return;
  const found = [
    ...faultsOf(acted),
    ...wantedGone(acted, stage),
    ...(acted.how.startsWith('terraform') ? [] : marksLost(entries, world)),
  ];
  played.runs += 1;
  played.done += acted.isDone ? 1 : 0;
  played.lost += acted.gone.length;
  const went = acted.gone.map(({ key }) => key).join(', ');
  played.story.push(`${move} ${acted.how}: ${acted.isDone ? 'done' : 'not done'}; gone: ${went}`);
  if (found.length > 0) played.story.push(...acted.said.map(text => text.replace(/^/gm, '      | ')));
  played.faults.push(...found.map(fault => `move ${move}, ${acted.how}: ${fault}`));
}

/** Volumes of a machine that went though its spec names them. */
function wantedGone({ gone, how }: Acted, { want }: Stage): string[] {
  if (/^(?:destroy|terraform destroy)/.test(how)) return [];
  return gone
    .filter(({ key, machine = '' }) => {
      const { disks = [] } = (want.get(machine) ?? {}) as { disks?: { existingVolume?: string }[] };
      return disks.some(disk => key === `volume ${disk.existingVolume}`);
    })
    .map(({ key, machine }) => `${key} is gone, and the spec of ${machine} names it`);
}
