import { formatSize } from '../../spec';
import {
  dispatch,
  isAboutSnapshots,
  type Action,
  type ActionOf,
  type ActionTable,
  type CreateParams,
  type MachinePlan,
} from '../action';
import { deletedLater } from '../plan/losses-of-plan';
import { withLosses } from '../plan/losses-text';
import { shownChanges } from './change-lines';

/** The verbs of our steps, and how they read while they are at work. */
const AT_WORK = {
  check: 'checking',
  clone: 'cloning',
  create: 'creating',
  delete: 'deleting',
  destroy: 'destroying',
  download: 'downloading',
  go: 'going',
  grow: 'growing',
  join: 'joining',
  leave: 'leaving',
  make: 'making',
  migrate: 'migrating',
  move: 'moving',
  remove: 'removing',
  restart: 'restarting',
  shut: 'shutting',
  start: 'starting',
  take: 'taking',
  upload: 'uploading',
  write: 'writing',
} as const;

const AT_WORK_BY_VERB = new Map<string, string>(Object.entries(AT_WORK));

type Verb = keyof typeof AT_WORK;

/** A step in words that follow "would": it begins with one of our verbs. */
export type Step = Verb | `${Verb} ${string}`;

const TEMPLATE = 'make a template of it (which cannot be undone)';

/** What each action does, in words that follow "would". Names keys, never their values. */
const TEXTS: ActionTable<[], Step> = {
  'fetch-image': ({ url, file, storage, node, isThere }) => {
    if (isThere) return `check the image on ${storage}`;
    const to = `to ${storage} on ${node}`;
    return file ? `upload ${file.path} ${to}` : `download ${url} ${to}`;
  },
  create: ({ vmid, node }) => `create VM ${vmid} on ${node}`,
  clone: ({ source, vmid, node, params }) =>
    `clone VM ${source.vmid} to VM ${vmid} on ${node}${howCloned(params)}`,
  migrate: ({ to }) => `migrate to ${to}`,
  configure: action =>
    `write ${[...Object.keys(action.set), ...action.delete.map(key => `-${key}`)].join(', ')}`,
  resize: ({ slot, bytes }) => `grow ${slot} to ${formatSize(bytes)}`,
  'move-disk': ({ slot, storage, format }) =>
    `move ${slot} to ${storage}${format === undefined ? '' : ` as ${format}`}`,
  'set-pool': ({ pool }) => (pool === undefined ? 'leave its pool' : `join pool ${pool}`),
  'join-ha': () => 'join high availability',
  'change-ha': ({ set }) => `write ${Object.keys(set).join(', ')} of high availability`,
  'leave-ha': () => 'leave high availability',
  'make-template': ({ disks = [] }) =>
    disks.length === 0 ? TEMPLATE : `make ${disks.join(', ')} part of the template`,
  'regenerate-cloud-init': () => 'make the cloud-init drive anew',
  'take-snapshot': ({ name, memory }) => `take snapshot ${name}${memory ? ' with its memory' : ''}`,
  'describe-snapshot': ({ name }) => `write the description of snapshot ${name}`,
  'delete-snapshot': ({ name }) => `delete snapshot ${name}`,
  'roll-back': ({ name }) => `go back to snapshot ${name} (what its disks hold since is lost)`,
  'upload-iso': ({ volume }) => `upload cloud-init data as ${volume}`,
  'remove-iso': ({ volume }) => `remove ${volume}`,
  restart: () => 'restart',
  power: ({ to }) => (to === 'running' ? 'start' : 'shut down'),
  destroy: ({ losses }) => (losses === undefined ? 'destroy' : `destroy it ${withLosses(losses)}`),
};

/** A full clone takes time and room that a linked one does not. */
function howCloned({ full, storage }: CreateParams): string {
  if (full !== true) return '';
  return `, in full${storage === undefined ? '' : ` onto ${String(storage)}`}`;
}

/** An action in words that follow "is". */
export function actionText(action: Action): string {
  return doing(stepText(action));
}

/** What a plan does, in words that follow "is". */
export function planTexts(actions: readonly Action[]): string[] {
  return stepsOf(actions).map(doing);
}

/** The same in words that follow "would". A plan destroys a machine only to make it anew in the next round. */
function stepsOf(actions: readonly Action[]): Step[] {
  return actions.flatMap(action => (action.kind === 'destroy' ? rebuildSteps(action) : [stepText(action)]));
}

/** A step that is at work: "write name" is "writing name". */
export function doing(step: Step): string {
  return step.replace(/^\w+/, verb => AT_WORK_BY_VERB.get(verb) ?? verb);
}

function stepText(action: Action): Step {
  return dispatch(TEXTS, action);
}

function rebuildSteps({ starts, losses }: ActionOf<'destroy'>): Step[] {
  return [`destroy it ${withLosses(losses)}`, 'create it again', ...only(starts === true, 'start it')];
}

/**
 * What a plan does, in words that follow "would" and in the order in which it is done, with what follows a clone once
 * it stands. `later`: what comes after that. The snapshots that the spec wants are taken once all else is done.
 */
export function allSteps(plan: MachinePlan, later: readonly Step[] = []): Step[] {
  const { actions } = plan;
  const snapshots = actions.findLastIndex(action => !isAboutSnapshots(action)) + 1;
  const [before, last] = [actions.slice(0, snapshots), actions.slice(snapshots)];
  return [
    ...stepsOf(before),
    ...afterClone(plan),
    ...stepsOf(plan.foreseen ?? []),
    ...only(plan.later !== undefined, `write ${plan.later?.join(', ')}`),
    ...later,
    ...asTemplate(plan),
    ...stepsOf(last),
    ...deletedLater(plan).map((name): Step => `delete snapshot ${name}`),
  ];
}

/** The step, where it is one. */
function only(isOne: boolean, step: Step): Step[] {
  return isOne ? [step] : [];
}

/** A guest that runs is shut down first, and the next round makes the template. */
function asTemplate({ actions, changes }: MachinePlan): Step[] {
  const isLater = changes.some(({ field, to }) => field === 'asTemplate' && to === 'true');
  const isMade = actions.some(({ kind }) => kind === 'make-template');
  return only(actions.length > 0 && isLater && !isMade, TEMPLATE);
}

/** What the apply does once a clone stands: planned when it is read, told by what differs from its template. */
function afterClone({ actions, changes }: MachinePlan): Step[] {
  const clone = actions.find(action => action.kind === 'clone');
  if (clone === undefined) return [];
  const { pool } = clone.params;
  const brought = [
    'machine',
    'adopt',
    'name',
    'description',
    'power',
    ...(pool === undefined ? [] : ['pool']),
  ];
  const differing = shownChanges(changes);
  const told = differing.flatMap(({ field, to = '' }) => volumeText(field, to) ?? []);
  const written = differing.filter(
    ({ field, to = '' }) => !brought.includes(field) && volumeText(field, to) === undefined,
  );
  return [
    ...only(written.length > 0, `write ${written.map(({ field }) => field).join(', ')}`),
    ...told,
    ...only(
      differing.some(({ field, to }) => field === 'power' && to === 'running'),
      'start',
    ),
  ];
}

const VOLUME_TEXTS: Readonly<Record<string, (disk: string, to: string) => Step>> = {
  size: (disk, to) => `grow ${disk} to ${to}`,
  storage: (disk, to) => `move ${disk} to ${to}`,
  format: (disk, to) => `make ${disk} ${to}`,
};

/** What is done to a disk that the clone brought; undefined for what is written. */
function volumeText(field: string, to: string): Step | undefined {
  const [, disk, what] = /^(disks\[.*\]|efiDisk|tpm)\.(size|storage|format)$/.exec(field) ?? [];
  return disk === undefined || what === undefined ? undefined : VOLUME_TEXTS[what]?.(disk, to);
}
