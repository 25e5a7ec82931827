import { formatSize, isImported, type MachineSpec } from '../../spec';
import {
  untouched,
  warned,
  type Action,
  type ActionOf,
  type Change,
  type CreateParams,
  type ImageFile,
  type MachinePlan,
  type Refusal,
  type Warning,
} from '../action';
import type { Configuration } from '../guest/configuration';
import { compare } from '../machine/compare';
import { idsOf } from '../mark/identity';
import { imageWords, isCloned } from '../mark/image-words';
import { isTaggedAs } from '../mark/owner-tag';
import { type ListedGuest, maySeeAllGuests, type ObservedCluster, sightRemedy } from '../observed';
import { lastActions } from './make-template';
import { ranBefore } from './power-actions';
import { createScene, type Scene } from '../machine/scene';
import { wantsOf } from '../machine/parts/wants-of';
import { judge } from './judge';
import { cloneParams, cloneVolumes, copiedAsItIs } from './clone';
import { foresee } from './foresee';
import { nothingToGoBackTo } from './not-made';
import { isoChange } from './data-iso-steps';
import { writeDescription } from '../mark/description';
import { markFor } from './mark-content';
import { guardsKept } from './snapshots/guard';
import { planSnapshots } from './snapshots/plan-snapshots';
import { drivesAfter, newWithoutSnapshots } from './snapshots/storage-problems';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';

/** Whether snapshots of it come later: by Terraform's entries of their own, or before its changes. */
function keepsSnapshots(spec: MachineSpec, { wanted }: PlanContext): boolean {
  return wanted.keepsSnapshots === true || (guardsKept(spec) !== undefined && spec.asTemplate !== true);
}

/**
 * The plan of a machine that is not there. From nothing: one request with everything. By clone: the clone alone;
 * what the clone differs by is planned when it is there. Throws when its source was not chosen.
 */
export function planCreate(spec: MachineSpec, place: PlaceOfNew, context: PlanContext): MachinePlan {
  const { node, vmid, source, destination, image } = place;
  const { facts, done } = context;
  const lacks = (isCloned(spec.image) && !source) || (isImported(spec.image) && !image);
  if (lacks) throw new TypeError(`${spec.id}: what it is made from was not found`);
  const scene = createScene(spec, source?.config ?? {}, place, context);
  const verdict = judge(scene);
  const { set, changes: differing } = compare(wantsOf(scene), scene.next);
  const changes = source && !source.config ? differing.map(change => inWords(change, spec)) : differing;
  const action = createAction(scene, set, { node, vmid });
  const isNew = { ...context, facts: facts.withoutAsking() };
  const kept = planSnapshots(spec, { vmid, uuid: done.uuid, lock: undefined }, isNew);
  const storages = facts.cluster?.nodes.find(({ name }) => name === (destination ?? node))?.storages ?? [];
  const isKept = kept.actions.length > 0 || keepsSnapshots(spec, context);
  const later = action.kind === 'clone' ? foreseen(spec, action, place, context) : undefined;
  const lines = action.kind === 'create' ? action.params : (later?.drives ?? {});
  const unfit = isKept ? newWithoutSnapshots(spec, lines, storages) : [];
  const refusals = unique(verdict.refusals, later?.refusals, unfit, tooSmall(spec, image));
  const power = lastActions(spec, NEW, { isRestarting: ranBefore(spec, done.wasRunning) });
  const move = moved(destination);
  const fetch = fetched(spec, image);
  const first = [...fetch.actions, action, ...move];
  return {
    machine: spec.id,
    changes: [
      ...besideKeys(spec),
      ...isoChange(scene),
      ...verdict.changes,
      ...changes,
      ...cloneVolumes(scene, action),
      ...fetch.changes,
      ...power.changes,
      ...kept.changes,
    ],
    actions: refusals.length === 0 ? [...first, ...(source ? [] : power.actions), ...kept.actions] : [],
    refusals,
    waiting: [],
    ...warned(...warningsOfNew(spec, place, context), later?.warnings),
  };
}

/** What is done all the same, and a person should know before. */
function warningsOfNew(spec: MachineSpec, place: PlaceOfNew, context: PlanContext): Warning[][] {
  const { guests = [] } = context.facts.cluster ?? {};
  return [
    hiddenTwin(context.facts.cluster),
    namesakes(spec, context.wanted.identity.owner, guests),
    nothingToGoBackTo(spec, context.wanted),
    copiedAsItIs(spec, place, guests),
    nothingToBoot(spec),
  ];
}

/** Nothing at all was said of what it starts from: mostly a line that was forgotten. Who means it says `blank`. */
function nothingToBoot({ image, disks = [], networks = [], power = 'running' }: MachineSpec): Warning[] {
  if (image !== undefined || disks.length + networks.length > 0 || power !== 'running') return [];
  const text =
    'it has no image, no disk and no network card: it is made empty and started, and finds nothing to boot. Say image, or image: { blank: true } where it is meant so.';
  return [{ about: 'nothing to boot', text }];
}

/** Whoever does not see all guests has not seen that there is none of the machine. */
function hiddenTwin(cluster: ObservedCluster | undefined): Warning[] {
  if (cluster === undefined || maySeeAllGuests(cluster)) return [];
  const text = `this user does not see all guests: where this machine is there and is not shown to him, a second one is made. ${sightRemedy(cluster)} Else look first whether Proxmox has a guest of its name.`;
  return [{ about: 'guests that are not seen', text }];
}

/** Other guests that have the name of the machine, as far as the listing tells names. */
function namesakes(spec: MachineSpec, owner: string, guests: readonly ListedGuest[]): Warning[] {
  const { id, name = id } = spec;
  const isOurs = isTaggedAs({ owner, ids: idsOf(spec) });
  return guests
    .filter(guest => guest.name === name && !isOurs(guest))
    .map(({ type, vmid, node }) => {
      const guest = `${type === 'lxc' ? 'container' : 'VM'} ${vmid} on ${node}`;
      const text = `two guests with one name: ${guest} is called ${name} too. It is another guest, and nothing is done to it for this machine.`;
      return { about: `name of ${vmid}`, text };
    });
}

function moved(to: string | undefined): Action[] {
  return to === undefined ? [] : [{ kind: 'migrate', to }];
}

/** What the rounds after a clone will refuse, and the drives that they leave. Of a source that was not read: nothing. */
function foreseen(
  spec: MachineSpec,
  clone: ActionOf<'clone'>,
  place: PlaceOfNew,
  context: PlanContext,
): { refusals: Refusal[]; warnings: Warning[] | undefined; drives: Configuration } | undefined {
  const { source } = place;
  if (source?.config === undefined || source.isComing === true) return undefined;
  const { config, plan } = foresee(spec, clone, place, context);
  const { refusals, warnings } = plan;
  return { refusals, warnings, drives: drivesAfter(config, plan.actions) };
}

function unique(...refusals: (readonly Refusal[] | undefined)[]): Refusal[] {
  const all = refusals.flatMap(some => some ?? []);
  return [...new Map(all.map(each => [each.why + each.detail, each])).values()];
}

const NEW = { template: false, power: 'stopped' } as const;

/** The one request that makes the guest, or copies it. */
function createAction(
  scene: Scene,
  set: Record<string, string>,
  place: { node: string; vmid: number },
): ActionOf<'create' | 'clone'> {
  const { source, destination } = scene.place ?? {};
  return source
    ? {
        kind: 'clone',
        source: { node: source.node, vmid: source.vmid },
        ...place,
        params: cloneParams(destination === undefined ? scene : asFull(scene)),
      }
    : { kind: 'create', ...place, params: createParams(scene, set) };
}

/** Which devices a template brings is known once it is read: until then an order is reported as it was said. */
function inWords(change: Change, { bootOrder = [] }: MachineSpec): Change {
  return change.field === 'bootOrder' ? { ...change, to: bootOrder.join(', ') } : change;
}

/** What comes before an import: its file. And what the disk becomes after it, which has the size of its image first. */
function fetched(
  { disks = [] }: MachineSpec,
  image: ImageFile | undefined,
): { actions: Action[]; changes: Change[] } {
  if (image === undefined) return { actions: [], changes: [] };
  const size = disks.find(({ name }) => name === 'root')?.size;
  const grown: Change[] =
    size === undefined
      ? []
      : [{ field: 'disks[root].size', from: undefined, to: formatSize(size), effect: 'live' }];
  return { actions: [{ kind: 'fetch-image', ...image }], changes: grown };
}

/** The disk of a local file is known before anything is sent. */
function tooSmall({ id, disks = [] }: MachineSpec, image: ImageFile | undefined): Refusal[] {
  const size = disks.find(({ name }) => name === 'root')?.size;
  const { path, diskBytes } = image?.file ?? {};
  if (size === undefined || diskBytes === undefined || size >= diskBytes) return [];
  const from = formatSize(diskBytes);
  const detail = `Disk "root" has ${from} in image.file ${path} and cannot shrink to ${formatSize(size)}.`;
  const remedy = `In disks[root] set size to "${from}" or more, or leave it out.`;
  return [{ machine: id, ...untouched('disk-size', detail, remedy) }];
}

/** A linked clone would not leave the node of its template. */
function asFull(scene: Scene): Scene {
  return { ...scene, spec: { ...scene.spec, image: { ...scene.spec.image, clone: 'full' } } };
}

/** What the user said that it is made of: the mark tells a file by its content only. */
function shownImage(image: MachineSpec['image']): string {
  if (image?.file !== undefined) return `file ${image.file}`;
  return image?.url === undefined ? (imageWords(image) ?? 'blank') : `url ${image.url}`;
}

/** What a creation says that is no key of the configuration. */
function besideKeys({ image, description, pool, ha, adopt, vmid }: MachineSpec): Change[] {
  const member = ha === undefined ? undefined : 'member';
  const nothing = adopt === true ? `nothing: there is no guest ${vmid}` : undefined;
  const said = { machine: shownImage(image), adopt: nothing, description, pool, ha: member };
  return Object.entries(said).flatMap(([field, to]) =>
    to === undefined ? [] : [{ field, from: undefined, to, effect: 'live' as const }],
  );
}

/**
 * The parameters of a guest that is made from nothing: everything in one request. Only that it is the machine is said
 * later, once no rival is seen (ADR 0012).
 */
function createParams(scene: Scene, set: Record<string, string>): CreateParams {
  const { spec, vmid } = scene;
  const isRestarting = ranBefore(spec, scene.context.done.wasRunning);
  const description = writeDescription(spec.description ?? '', {
    ...markFor(scene),
    isUnfinished: true,
    isRestarting,
  });
  return { vmid, ...set, description, ...(spec.pool === undefined ? {} : { pool: spec.pool }) };
}
