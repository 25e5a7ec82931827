import { hasOwnData, type FleetMachine, type MachineSpec } from '../../spec';
import {
  emptyPlan,
  type Action,
  type CopiedGuest,
  type MachinePlan,
  type NodeReason,
  type Refusal,
} from '../action';
import type { ChosenId } from './chosen-id';
import { copiedGuest, copying } from './copied-guest';
import type { DoneSoFar } from './done-so-far';
import { heldSnapshots } from './reads/held-snapshots';
import { haOf } from './reads/ha-of';
import { isosOf, SeenIsos } from './reads/isos-of';
import { isAboutHa } from '../machine/parts/ha';
import { NOT_READ } from '../observe/cluster';
import type { MachineWaits } from './machine-waits';
import { migrationOf } from './reads/migration-of';
import type { ObservedMachine } from '../observed';
import { partlyThere } from '../waits/locks';
import { knownSource, placeOfNew } from './place/place-of-new';
import type { Known } from '../plan/shown/token';
import type { PlanContext } from '../machine/plan-context';
import { planCreate } from '../plan/create';
import { notMade } from '../plan/not-made';
import { planMachine } from '../plan/plan';
import { guardsKept, mayHoldGuard } from '../plan/snapshots/guard';
import { lifecycleNeeds } from '../plan/lifecycle-needs';
import { newVolumes, permitted, planOnFacts, standsOnVolumes } from './plan-on-facts';
import type { Run } from './run';
import type { Wanted } from './wanted';

/** Plans one machine, as often as a run needs it: reads what the plan stands on, and reports it. Changes nothing. */
export class MachinePlanner {
  private readonly seenIsos = new SeenIsos();

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly waits: MachineWaits,
    private readonly chosenId: ChosenId,
    private readonly done: DoneSoFar,
  ) {}

  async plan(have: ObservedMachine): Promise<MachinePlan> {
    const { id } = this.wanted.spec;
    const plan = partlyThere(have)
      ? emptyPlan(id)
      : ((await this.knownPlan(have)) ?? (await this.planWhole(have)));
    const isMade = plan.actions.length > 0 || partlyThere(have) !== undefined;
    const waitsFor = isMade ? await this.waits.hindrances(have, plan.actions) : [];
    const told = waitsFor.length > 0 ? { ...plan, waitsFor } : plan;
    this.run.report({ kind: 'planned', machine: id, plan: told });
    return told;
  }

  /** Whether what was read is enough to plan: all of the cluster, or no more than the machine where that does. */
  async isEnough(have: ObservedMachine): Promise<boolean> {
    return this.run.isRead || (await this.knownPlan(have)) !== undefined;
  }

  /** For readers. What is only observed and is not there gets no plan: it is given no place and no id. */
  async planToRead(have: ObservedMachine): Promise<MachinePlan> {
    const { id, mode } = this.wanted.spec;
    return mode === 'observe' && have.kind === 'absent' ? emptyPlan(id) : this.plan(have);
  }

  /** The plan where the cluster was not read; undefined: it was, or it takes that. */
  private async knownPlan(have: ObservedMachine): Promise<MachinePlan | undefined> {
    const { spec, known, objection } = this.wanted;
    if (this.run.isRead || known === undefined || have.kind === 'refused') return undefined;
    const isMade = !('guest' in have) || this.done.hasMade(have.guest);
    // its snapshots are read, and what its storages can
    if (guardsKept(spec) !== undefined || ('guest' in have && mayHoldGuard(have.guest))) return undefined;
    const place = have.kind === 'absent' ? await this.knownPlace(known) : {};
    if (place === undefined) return undefined;
    const plan = planKnown(spec, have, { ...this.common(), ...place }, isMade);
    return plan === undefined || (objection?.(plan, have) ?? []).length > 0 ? undefined : plan;
  }

  /** Where the plan that Terraform showed put a new machine. */
  private async knownPlace(known: Known): Promise<Pick<PlanContext, 'node' | 'vmid' | 'source'> | undefined> {
    if (known.found !== 'absent') return undefined;
    const { spec } = this.wanted;
    const made = { node: known.node, vmid: this.chosenId.planned(known.vmid) };
    if (known.source === undefined) return made;
    const from = { ...known.source, goesTo: known.node };
    return { ...made, source: await knownSource(this.run.places, spec, from) };
  }

  private async planWhole(have: ObservedMachine): Promise<MachinePlan> {
    const found = await this.context(have);
    const { spec } = this.wanted;
    const { plan, context } =
      'refused' in found
        ? { plan: found.refused, context: found }
        : await planOnFacts(this.run, spec, have, found);
    const denied = 'refused' in context ? [] : await permitted(this.run, { spec, plan, have, context });
    const anew = await this.anew(plan, have);
    const objections = [...denied, ...anew.refusals, ...(this.wanted.objection?.(plan, have) ?? [])];
    const actions = [...anew.before, ...plan.actions.map(action => copying(action, anew))];
    const notes = [...(plan.notes ?? []), ...this.brokenRules(have)];
    const nodes = 'nodes' in found ? { nodes: found.nodes } : {};
    const told = { ...plan, actions, ...(notes.length > 0 && { notes }), ...nodes };
    if (objections.length === 0) return told;
    // what is refused takes nothing with it
    const { losses: _, ...refused } = told;
    return { ...refused, actions: [], refusals: [...plan.refusals, ...objections] };
  }

  /** Of a machine that stays where it is. */
  private brokenRules(have: ObservedMachine): string[] {
    const { spec } = this.wanted;
    if (!('guest' in have)) return [];
    const isMoved = spec.pin === true && spec.node !== undefined && spec.node !== have.guest.node;
    return isMoved ? [] : this.run.places.brokenRules(spec, have.guest);
  }

  /**
   * Of a machine that is destroyed to be made anew: what would keep it from being made, said before it is destroyed; and
   * what is fetched before that, so that a wrong image destroys nothing.
   */
  private async anew(
    { actions }: MachinePlan,
    have: ObservedMachine,
  ): Promise<{ refusals: Refusal[]; before: Action[]; copies?: CopiedGuest }> {
    if (!('guest' in have) || !actions.some(({ kind }) => kind === 'destroy'))
      return { refusals: [], before: [] };
    const { spec } = this.wanted;
    const absent = { kind: 'absent' } as const;
    const context = await this.context(absent, spec.vmid ?? have.guest.vmid);
    // the room that the old one takes is free by then
    if ('refused' in context)
      return { refusals: context.refused.refusals.filter(({ why }) => why !== 'no-place'), before: [] };
    const plan = planCreate(spec, this.run.cluster, context);
    const denied = await permitted(this.run, { spec, plan, have: absent, context });
    const before = plan.actions.filter(({ kind }) => kind === 'fetch-image');
    const never = notMade(spec, context, { replaces: true });
    const clone = plan.actions.find(action => action.kind === 'clone');
    const copies = clone && copiedGuest(spec, clone.source, this.run.cluster.guests);
    return { refusals: [...never, ...plan.refusals, ...denied], before, ...(copies && { copies }) };
  }

  /** What it takes to make the machine, to keep and to destroy it, whatever the caller may do. Reads only. */
  async lifecycleNeeds(): Promise<{ needs: ReturnType<typeof lifecycleNeeds>; refusals: Refusal[] }> {
    const { spec } = this.wanted;
    const have = { kind: 'absent' } as const;
    const found = await this.context(have, spec.vmid);
    if ('refused' in found) return { needs: [], refusals: found.refused.refusals };
    const { source } = found;
    const config = source === undefined ? undefined : await this.run.places.reading.configIfThere(source);
    const context = { ...found, ...(source && config ? { source: { ...source, config } } : {}) };
    const { cluster } = this.run;
    const plan = planCreate(spec, cluster, context);
    return { needs: lifecycleNeeds({ spec, plan, have, cluster, context }), refusals: plan.refusals };
  }

  /** `freed`: an id that is taken still, and will not be then. */
  private async context(
    have: ObservedMachine,
    freed?: number,
  ): Promise<(PlanContext & { nodes?: NodeReason[] }) | { refused: MachinePlan }> {
    const { spec } = this.wanted;
    const common = this.common();
    if (have.kind === 'refused') return common;
    if (this.wanted.only !== undefined && have.kind === 'absent') return common;
    const explained = (reasons: () => NodeReason[]) => (this.run.explains ? { nodes: reasons() } : {});
    if (have.kind !== 'absent') {
      const there = explained(() => reasonsOfThere(spec, have.guest.node));
      const { guest } = have;
      const held = await heldSnapshots(this.run, this.wanted, guest, common.isMade);
      const to = this.wanted.revert;
      const revert = to === undefined ? {} : { revert: { to, from: this.done.firstSeen(guest) } };
      const isos = await isosOf(this.run, this.wanted, { node: guest.node, guest }, this.seenIsos);
      const migration = await migrationOf(this.run, spec, guest);
      const ha = await haOf(this.run, spec, guest);
      if ('refusals' in ha) return { refused: { ...emptyPlan(spec.id), ...ha } };
      return { ...common, ...there, ...held, ...revert, ...isos, ...migration, ...ha };
    }
    const place = await placeOfNew(this.run, this.wanted, () => freed ?? this.chosenId.get());
    if ('refusals' in place) return { refused: place };
    const { reasons, ...where } = place;
    const node = where.destination ?? where.node;
    const isos = node === undefined ? {} : await isosOf(this.run, this.wanted, { node }, this.seenIsos);
    return { ...common, ...where, ...isos, ...explained(reasons) };
  }

  /** What each plan of the machine is made with. */
  private common(): PlanContext {
    const { identity, source, sourceName, token, secrets, snapshots, only } = this.wanted;
    return {
      ...this.done.forPlan(),
      owner: identity.owner,
      secrets,
      clusterSpec: this.run.clusterSpec,
      ...(identity.entry === undefined ? {} : { entry: identity.entry }),
      ...(identity.isOfTerraform && { isOfTerraform: true }),
      ...(sourceName !== undefined && { sourceName }),
      ...(source && { ownSources: source.names }),
      ...(token === undefined ? {} : { token }),
      ...(snapshots && { snapshots }),
      ...(only && { only }),
    };
  }
}

/** What is done to a machine that is there without knowing more than its configuration. */
const TO_WHAT_IS_THERE: readonly Action['kind'][] = ['configure', 'resize'];
/** And to one that this run makes: nobody else has to do with it yet. */
const TO_WHAT_IS_MADE: readonly Action['kind'][] = [
  ...TO_WHAT_IS_THERE,
  'create',
  'clone',
  'power',
  'regenerate-cloud-init',
  'make-template',
];

/**
 * The plan of a machine where nothing but the machine was read: bridges, storages and what the caller may do are known
 * from the plan that Terraform showed. Undefined: it takes more to plan, or to refuse. Pure.
 */
function planKnown(
  spec: MachineSpec,
  have: ObservedMachine,
  context: PlanContext,
  isMade: boolean,
): MachinePlan | undefined {
  const guest = 'guest' in have ? have.guest : undefined;
  // its ISO is on a storage, and anybody may have removed it
  if (hasOwnData(spec.cloudInit) || guest?.mark?.f !== undefined) return undefined;
  // others may use such a volume; HA is asked too
  if (newVolumes(spec, guest).length > 0 || isAboutHa(spec)) return undefined;
  const plan = planMachine(spec, have, NOT_READ, context);
  const kinds = isMade ? TO_WHAT_IS_MADE : TO_WHAT_IS_THERE;
  const isEnough = plan.refusals.length === 0 && plan.actions.every(({ kind }) => kinds.includes(kind));
  return isEnough && !standsOnVolumes(plan, guest) ? plan : undefined;
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
