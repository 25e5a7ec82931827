import type { FleetMachine, MachineSpec } from '../../spec';
import { emptyPlan, type MachinePlan, type NodeReason, type Refusal } from '../action';
import type { TokenFacts } from './token-facts';
import type { ChosenId } from './claim/chosen-id';
import type { DoneSoFar } from './done-so-far';
import { SeenIsos } from '../run/reads/isos-of';
import { Facts, type KnownFacts } from '../machine/facts';
import type { Hindrances } from './hindrances';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { partlyThere } from '../waits/guest-locks';
import type { PlanContext } from '../machine/plan-context';
import { lifecycleOf, type lifecycleNeeds } from '../plan/lifecycle-needs';
import { judgeReboot } from '../plan/judge-start';
import { planMachine } from '../plan/plan';
import { onFailure } from '../pve';
import { readFact } from './read-fact';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';

/** Something is lacking for a plan, and the cluster was not read yet: read all of it, and plan again. */
export type NeedsCluster = 'needs-cluster';

interface OnFacts<T> {
  result: T;
  known: KnownFacts;
}

/** Plans one machine, as often as a run needs it: reads what the plan stands on, and reports it. Changes nothing. */
export class MachinePlanner {
  private readonly seenIsos = new SeenIsos();

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly tokenFacts: TokenFacts,
    private readonly hindrances: Hindrances,
    private readonly chosenId: ChosenId,
    private readonly done: DoneSoFar,
  ) {}

  /** The plan of a machine. An apply of Terraform begins with the facts in its token, which may not be enough for it. */
  async plan(have: ObservedMachine): Promise<MachinePlan | NeedsCluster> {
    const { id } = this.wanted.spec;
    const isPartly = partlyThere(have) !== undefined;
    const plan = isPartly ? emptyPlan(id) : await this.planned(have);
    if (plan === 'needs-cluster') return plan;
    const mayWait = isPartly || plan.actions.length > 0;
    const waitsFor = mayWait ? await this.hindrances.texts(have, plan.actions) : [];
    const whole = waitsFor.length > 0 ? { ...plan, waitsFor } : plan;
    this.run.report({ kind: 'planned', machine: id, plan: whole });
    return whole;
  }

  /**
   * For what was read with all of the cluster. What is only observed and is not there gets no plan: it is given no place
   * and no id.
   */
  async planOnAll(have: ObservedMachine): Promise<MachinePlan> {
    const { id, mode } = this.wanted.spec;
    if (mode === 'observe' && have.kind === 'absent') return emptyPlan(id);
    return this.surely(await this.plan(have));
  }

  /** What it takes to make the machine, to keep and to destroy it, whatever the caller may do. Reads only. */
  async lifecycleNeeds(): Promise<{ needs: ReturnType<typeof lifecycleNeeds>; refusals: Refusal[] }> {
    const have = { kind: 'absent' } as const;
    const found = await this.onFacts(have, facts => lifecycleOf(this.wanted.spec, this.context(facts)));
    return this.surely(found).result;
  }

  /** Why the guest would not come back from a reboot as it is. Reads only. */
  async againstReboot(guest: ObservedGuest): Promise<Refusal[]> {
    const have = { kind: 'present', guest, unfinished: false } as const;
    const found = await this.onFacts(have, facts =>
      judgeReboot(this.wanted.spec, guest, this.context(facts)),
    );
    return this.surely(found).result;
  }

  private surely<T>(found: T | NeedsCluster): T {
    if (found === 'needs-cluster')
      throw new Error(`${this.wanted.spec.id}: it was planned before the cluster was read`);
    return found;
  }

  private async planned(have: ObservedMachine): Promise<MachinePlan | NeedsCluster> {
    const { spec } = this.wanted;
    this.done.sees(have);
    const found = await this.onFacts(have, facts => planMachine(spec, have, this.context(facts)));
    if (found === 'needs-cluster' || !(await this.tokenFacts.isOffAsTold(have, found.result.actions)))
      return 'needs-cluster';
    const notes = [...(found.result.notes ?? []), ...this.brokenRules(have)];
    const nodes = this.run.explains ? reasonsOf(spec, have, found.known) : undefined;
    return { ...found.result, ...(notes.length > 0 && { notes }), ...(nodes && { nodes }) };
  }

  /** Of a machine that stays where it is. */
  private brokenRules(have: ObservedMachine): string[] {
    const { spec } = this.wanted;
    if (!this.run.isRead || (have.kind !== 'present' && have.kind !== 'adoptable')) return [];
    const isMoved = spec.pin === true && spec.node !== undefined && spec.node !== have.guest.node;
    return isMoved ? [] : this.run.places.brokenRules(spec, have.guest);
  }

  /** Thinks, reads what was lacking for that, and thinks again, until nothing is lacking. */
  private async onFacts<T>(
    have: ObservedMachine,
    think: (facts: Facts) => T,
  ): Promise<OnFacts<T> | NeedsCluster> {
    try {
      return await this.onFactsAsListed(have, think);
    } catch (error) {
      // what was listed, such as the template of a clone, may have gone since: the new listing tells
      if (onFailure(error, 'change') !== 'seek') throw error;
      await this.run.refresh();
      return this.onFactsAsListed(have, think);
    }
  }

  private async onFactsAsListed<T>(
    have: ObservedMachine,
    think: (facts: Facts) => T,
  ): Promise<OnFacts<T> | NeedsCluster> {
    const known = await this.tokenFacts.toBeginWith(have);
    const { run, wanted, chosenId, seenIsos, done } = this;
    for (;;) {
      const facts = new Facts(run.isRead ? run.cluster : undefined, known);
      const result = think(facts);
      if (facts.isEnough) return { result, known };
      if (!run.isRead) return 'needs-cluster';
      const source = { run, wanted, have, chosenId, seenIsos, toldGone: done.toldGone };
      await Promise.all(facts.lacking.map(({ name, of }) => readFact(known, name, of, source)));
    }
  }

  /** What each plan of the machine is made with. */
  private context(facts: Facts): PlanContext {
    const { wanted, done } = this;
    return { wanted, done, clusterSpec: this.run.clusterSpec, facts };
  }
}

/** Why a machine is on its node, or goes to it. */
function reasonsOf(spec: MachineSpec, have: ObservedMachine, known: KnownFacts): NodeReason[] | undefined {
  if (have.kind === 'present' || have.kind === 'adoptable') return reasonsOfThere(spec, have.guest.node);
  const chosen = known.get('place');
  return chosen === undefined || 'machine' in chosen ? undefined : chosen.reasons?.();
}

/** Why a machine that is there is on its node, and stays or moves. */
function reasonsOfThere({ node, pin }: Pick<FleetMachine, 'node' | 'pin'>, there: string): NodeReason[] {
  if (pin !== true || node === undefined || node === there)
    return [{ node: there, taken: true, reason: 'the machine is there, and stays' }];
  return [
    { node, taken: true, reason: 'the machine is pinned to it' },
    { node: there, taken: false, reason: `the machine is there, and pinned to ${node}` },
  ];
}
