import { reviewPlan } from '../../../reconciler/review/review-plan';
import type { Review, ReviewedMachine } from '../../../reconciler/review/review';
import { changedKeys, deedOf, keysOf, standing, type Deed, type Standing } from './outcome';
import { deployment, type Deployment } from '../terraform/deployment';
import { describeEachEngine, type Engine } from '../terraform/engines';
import { stackOf, type Program, type Round } from './program';

/** What may have become of a machine, by what the review said of it. */
export const DEEDS: Record<ReviewedMachine['verdict'], Deed[]> = {
  destroy: ['destroyed'],
  rebuild: ['rebuilt'],
  refused: ['untouched', 'absent'],
  unreached: ['untouched', 'absent'],
  forget: ['untouched'],
  restart: ['restarted'],
  stop: ['stopped'],
  waits: ['changed'],
  unknown: ['created', 'changed', 'written', 'untouched'],
  change: ['changed', 'written'],
  adopt: ['adopted', 'changed', 'written'],
  create: ['created'],
  observed: ['untouched', 'absent'],
  unread: ['untouched', 'absent'],
  unplanned: ['untouched', 'absent'],
  wanted: [],
  unchanged: ['untouched'],
};

interface Played {
  review: Review;
  planFailed: boolean;
  before: Record<string, Standing>;
  after: Record<string, Standing>;
  /** What Terraform said of the apply. */
  code: number;
  text: string;
}

/** Every round: plan, review, apply, and then what was said is compared with what was done, machine by machine. */
export function compareRounds(title: string, rounds: readonly Round[]): void {
  describeEachEngine(`what the review says is what the apply does: ${title}`, engine => {
    compare(engine, rounds);
  });
}

function compare(engine: Engine, rounds: readonly Round[]): void {
  let lab: Deployment;
  let program: Program = { machines: {} };
  let verdicts = 0;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(async () => {
    await lab.close();
    console.log(`${rounds.length} plans, ${verdicts} verdicts on machines`);
  });

  async function play({ before, program: next, args = [] }: Round): Promise<Played> {
    await before?.(lab);
    program = next?.(program, lab) ?? program;
    await lab.synth(stackOf(program));
    const planned = await lab.run('plan', '-input=false', '-out=plan.bin', ...args);
    const shown = await lab.run('show', '-json', 'plan.bin');
    if (shown.code !== 0) throw new Error(planned.text + shown.text);
    const review = reviewPlan(shown.text, 'the plan');
    const guests = standing(lab.world);
    lab.simulator.ledger.reset();
    lab.writes();
    const { code, text } = await lab.apply('plan.bin');
    return { review, planFailed: planned.code !== 0, before: guests, after: standing(lab.world), code, text };
  }

  /** What the review said and the apply did not do, one line each. */
  function differences({ review, planFailed, before, after, code }: Played): string[] {
    const mustFail = review.machines.some(({ verdict }) => verdict === 'refused');
    const outcome =
      mustFail === (code !== 0)
        ? []
        : [`the review says that it ${mustFail ? 'fails' : 'works'}: exit ${code}`];
    const writes = lab.simulator.ledger.entries().filter(({ write }) => write);
    verdicts += review.machines.length;
    const each = review.machines.flatMap(machine => {
      const { id, verdict } = machine;
      const deed = deedOf(id, before, after, writes);
      const may = planFailed ? ['untouched', 'absent'] : maybe(machine, before);
      const wrong = may.includes(deed) ? [] : [`${id}: the review says ${verdict}, and it is ${deed}`];
      return [...wrong, ...(planFailed || code !== 0 ? [] : details(machine, before, after))];
    });
    return [...outcome, ...each];
  }

  test.each(rounds.map(round => [round.name, round] as const))('%s', async (_, round) => {
    const played = await play(round);
    const said = Object.fromEntries(played.review.machines.map(({ id, verdict }) => [id, verdict]));
    const { planFailed, text } = played;
    expect({ said, planFailed, text }).toMatchObject({ said: round.says, planFailed: round.fails === true });
    expect({ differs: differences(played), text: played.text, said }).toMatchObject({ differs: [] });
  });
}

function maybe({ id, verdict, changes }: ReviewedMachine, before: Record<string, Standing>): Deed[] {
  if (verdict === 'destroy' && before[id] === undefined) return ['absent'];
  // what stood there without its mark looks like a guest of nobody
  return changes.some(({ field }) => field === 'mark') ? [...DEEDS[verdict], 'adopted'] : DEEDS[verdict];
}

/** Where it is and was, and which fields changed. */
function details(
  machine: ReviewedMachine,
  before: Record<string, Standing>,
  after: Record<string, Standing>,
): string[] {
  const { id, verdict, changes } = machine;
  const [then, now] = [before[id], after[id]];
  const told = (what: string, said: unknown, is: unknown): string[] =>
    said === is ? [] : [`${id}: the review says ${what} ${String(said)}, and it is ${String(is)}`];
  if (verdict === 'destroy' && then) {
    const { vmid, keys } = then;
    return [...told('VM', machine.vmid, String(vmid)), ...told('node', machine.before, keys['node'])];
  }
  if (verdict === 'create' && now) return told('node', machine.after, now.keys['node']);
  if (['change', 'restart', 'stop', 'waits'].includes(verdict) && now) {
    const said = keysOf(
      changes.map(({ field }) => field).filter(field => field !== 'mark'),
      now,
    );
    return told('changed', said.join(), changedKeys(id, before, after).join());
  }
  return [];
}
