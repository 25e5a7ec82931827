import { hasOwnData, type MachineSpec } from '../../spec';
import { type Action, type Refusal, makesGuest } from '../action';
import type { Configuration } from '../guest/configuration';
import type { ObservedCluster, ObservedGuest } from '../observed';
import { isoPlace, type IsoPlace } from '../machine/wanted-data-iso';
import type { Facts, PlaceOfNew } from '../machine/facts';
import { actionNeeds, haNeeds, isoRemoval } from '../privileges/action-needs';
import { mayGiveAnything } from '../privileges/everything';
import { foresee } from './foresee';
import { leavingIsos } from './leaving-isos';
import type { Planned } from './planned';
import { restartFollows } from './restart';
import { onGuest, onPath, type Need, type Subject } from '../privileges/need';
import { privilegeRefusal } from '../privileges/missing-privileges';
import { tagHindrances, tagRefusal, type TagHindrance } from '../privileges/tag-hindrances';

export interface PreflightResult {
  refusals: Refusal[];
  /** True: what a clone brings decides it, and that was not read. The refusals are then only a suspicion. */
  unsure: boolean;
}

/**
 * What the caller may not do of a plan, and of what follows it in the same run, before anything is written. Pure.
 * Where Proxmox would accept, nothing is refused; where that cannot be known, neither.
 */
export function preflight(planned: Planned): PreflightResult {
  const { spec, plan, cluster, place } = planned;
  const { caller } = cluster;
  if (caller === undefined || caller === 'root@pam' || plan.actions.length === 0) return SURE;
  const steps = stepsOf(planned);
  const hindrances = steps.flatMap(step => tagsOf(step, cluster));
  const tags = tagRefusal(spec.id, unique(hindrances), cluster);
  const refusals = [
    ...privilegeRefusal(spec.id, needsOf(planned, steps), cluster, path => placeOf(path, planned)),
    ...(tags ? [tags] : []),
  ];
  const isUnread = place?.source !== undefined && place.source.config === undefined && isCopy(planned);
  const [first] = steps;
  const wide = first !== undefined && mayGiveAnything(first.subject, cluster);
  return { refusals, unsure: isUnread && (refusals.length > 0 || !wide) };
}

/** What the caller may not do of a plan. What a clone brings is asked for only where it decides that. Pure. */
export function permitted(planned: Omit<Planned, 'cluster'>): Refusal[] {
  const { context, place } = planned;
  const { cluster } = context.facts;
  if (cluster === undefined) return [];
  const { refusals, unsure } = preflight({ ...planned, cluster });
  if (!unsure || place?.source === undefined) return refusals;
  return preflight({ ...planned, cluster, place: withSource(place, context.facts) }).refusals;
}

/** A place with the configuration of what is cloned there. */
export function withSource(place: PlaceOfNew, facts: Facts): PlaceOfNew {
  const { source } = place;
  const config = source && facts.ask('sourceConfig', `${source.node}/${source.vmid}`);
  return source && config ? { ...place, source: { ...source, config } } : place;
}

/** What the steps of a plan ask for, and what follows them in the same run. Pure. */
export function needsOf(planned: Planned, steps: readonly Step[]): Need[] {
  const { spec, have, cluster, place } = planned;
  const guest = 'guest' in have ? have.guest : undefined;
  const isOff = guest?.power === 'stopped';
  const isos = isoStorages(guest);
  const common = { cluster, source: place?.source?.config, isOff, isos, pending: guest?.pending ?? {} };
  const needs = steps.flatMap(({ action, subject, config }) =>
    actionNeeds(action, { ...common, subject, config }),
  );
  return [
    ...needs,
    ...waitNeeds(spec, steps, cluster),
    ...restartNeeds(planned, steps),
    ...dataNeeds(planned, steps),
    ...leavingIsos(planned).map(storage => isoRemoval('removing its old cloud-init data', storage)),
    // it joins in a later round, and what HA is told of it is read before
    ...(spec.ha === undefined ? [] : haNeeds()),
  ];
}

/** What the caller may not do of a guest's destroying. Pure. */
export function preflightDestroy(machine: string, guest: ObservedGuest, cluster: ObservedCluster): Refusal[] {
  const { vmid, pool, current: config, power } = guest;
  const isos = isoStorages(guest);
  const isOff = power === 'stopped';
  const stage = { subject: { vmid, pool }, config, cluster, source: undefined, isOff, isos };
  return privilegeRefusal(machine, actionNeeds({ kind: 'destroy' }, stage), cluster);
}

/** The storages where a guest's mark says that ISOs with its cloud-init data may be. */
function isoStorages(guest: ObservedGuest | undefined): string[] {
  return (guest?.mark?.dataIsoPlaces ?? []).map(place => place.split('@')[0] ?? place);
}

/** What the caller may not do of starting and stopping a guest. Pure. */
export function preflightPower(
  machine: string,
  { vmid, pool }: ObservedGuest,
  cluster: ObservedCluster,
): Refusal[] {
  return privilegeRefusal(machine, [onGuest('its power', { vmid, pool }, 'VM.PowerMgmt')], cluster);
}

const SURE: PreflightResult = { refusals: [], unsure: false };

/** An action, and the guest that it meets. */
export interface Step {
  action: Action;
  subject: Subject;
  config: Configuration;
}

/** The actions of a plan, each with the guest that it meets; after a clone also those of the rounds to come. */
export function stepsOf({ spec, plan, have, context, place }: Planned): Step[] {
  const guest = 'guest' in have ? have.guest : undefined;
  const create = plan.actions.find(makesGuest);
  const subject = create
    ? { vmid: create.vmid, pool: spec.pool }
    : { vmid: guest?.vmid ?? 0, pool: guest?.pool };
  const steps = plan.actions.map(action => ({ action, subject, config: guest?.current ?? {} }));
  // what a snapshot brings is another configuration than the one that can be read
  if (create?.kind !== 'clone' || place === undefined || spec.image?.snapshot !== undefined) return steps;
  const later = foresee(spec, create, place, context);
  return [...steps, ...later.plan.actions.map(action => ({ action, subject, config: later.config }))];
}

function tagsOf({ action, config }: Step, cluster: ObservedCluster): TagHindrance[] {
  if (action.kind === 'create') return tagHindrances('', String(action.params['tags'] ?? ''), cluster);
  if (action.kind !== 'configure') return [];
  const { tags } = action.set;
  if (tags === undefined && !action.delete.includes('tags')) return [];
  return tagHindrances(config['tags'] ?? '', tags ?? '', cluster);
}

function unique(hindrances: TagHindrance[]): TagHindrance[] {
  return [...new Map(hindrances.map(each => [each.tag, each])).values()];
}

/** A creation that waits for the agent asks it, and a start that waits for cloud-init reads a file by it. */
function waitNeeds(
  { waitFor = 'nothing', power, cloudInit }: MachineSpec,
  steps: readonly Step[],
  { version }: ObservedCluster,
): Need[] {
  const create = steps.find(({ action }) => makesGuest(action));
  const start = steps.find(({ action }) => action.kind === 'restart' || action.kind === 'power') ?? create;
  if (start === undefined || (power ?? 'running') !== 'running') return [];
  // PVE 9 split VM.Monitor up
  const privileges = (what: string): string[] =>
    Number.parseInt(version, 10) >= 9
      ? [`VM.GuestAgent.${what}`, 'VM.GuestAgent.Unrestricted']
      : ['VM.Monitor'];
  const asks = create !== undefined && waitFor !== 'nothing';
  return [
    ...(asks ? [onGuest('asking its agent', start.subject, ...privileges('Audit'))] : []),
    ...(cloudInit?.waitForCompletion === true
      ? [onGuest('reading how far cloud-init is', start.subject, ...privileges('FileRead'))]
      : []),
  ];
}

function isCopy({ spec, plan }: Planned): boolean {
  return spec.image?.snapshot === undefined && plan.actions.some(({ kind }) => kind === 'clone');
}

/** The ISO with cloud-init data comes in a later round, once the guest has its cards. */
function dataNeeds(planned: Planned, [first]: readonly Step[]): Need[] {
  const where = newDataPlace(planned);
  if (where === undefined || first === undefined) return [];
  const path = `/storage/${where.storage}`;
  return [
    onPath('its cloud-init data', path, 'Datastore.AllocateTemplate'),
    onPath('its cloud-init data', path, 'Datastore.AllocateSpace', 'Datastore.Audit', 'Datastore.Allocate'),
    onGuest('its cloud-init data', first.subject, 'VM.Config.CDROM'),
  ];
}

/** Where the ISO with cloud-init data of a machine is to be; undefined: it gives none, or that is not known. */
export function newDataPlace({ spec, have, context, place }: Planned): IsoPlace | undefined {
  const at = 'guest' in have ? have.guest : place;
  const node = place?.destination ?? at?.node;
  if (!hasOwnData(spec.cloudInit) || node === undefined) return undefined;
  return isoPlace({ spec, context, mark: undefined, node });
}

/** The restart that follows what is written now. */
function restartNeeds({ spec, plan: { changes } }: Planned, [first]: readonly Step[]): Need[] {
  return restartFollows(spec, changes) && first ? [onGuest('restarting', first.subject, 'VM.PowerMgmt')] : [];
}

/** Where a privilege is best given: a machine whose number is not fixed may have another one next time. */
export function placeOf(path: string, { spec, plan, cluster }: Planned): string {
  const create = plan.actions.find(makesGuest);
  const isFixed = create === undefined || spec.vmid !== undefined || path in cluster.permissions;
  if (isFixed || path !== `/vms/${create.vmid}`) return path;
  return spec.pool === undefined ? '/vms' : `/pool/${spec.pool}`;
}
