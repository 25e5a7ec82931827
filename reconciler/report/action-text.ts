import { formatSize } from '../../spec';
import type { Action, CreateParams } from '../action';

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>;

/** What each action is, in words that follow "is". Names keys, never their values. */
const TEXTS: { [K in Action['kind']]: (action: Of<K>) => string } = {
  'fetch-image': ({ url, file, storage, node, isThere }) => {
    if (isThere) return `checking the image on ${storage}`;
    const what = file ? `uploading ${file.path}` : `downloading ${url}`;
    return `${what} to ${storage} on ${node}`;
  },
  create: ({ vmid, node }) => `creating VM ${vmid} on ${node}`,
  clone: ({ source, vmid, node, params }) =>
    `cloning VM ${source.vmid} to VM ${vmid} on ${node}${howCloned(params)}`,
  migrate: ({ to }) => `migrating to ${to}`,
  configure: action =>
    `writing ${[...Object.keys(action.set), ...action.delete.map(key => `-${key}`)].join(', ')}`,
  resize: ({ slot, bytes }) => `growing ${slot} to ${formatSize(bytes)}`,
  'move-disk': ({ slot, storage, format }) =>
    `moving ${slot} to ${storage}${format === undefined ? '' : ` as ${format}`}`,
  'set-pool': ({ pool }) => (pool === undefined ? 'leaving its pool' : `joining pool ${pool}`),
  'join-ha': () => 'joining high availability',
  'change-ha': ({ set }) => `writing ${Object.keys(set).join(', ')} of high availability`,
  'leave-ha': () => 'leaving high availability',
  'make-template': ({ disks = [] }) =>
    disks.length === 0 ? 'making a template of it' : `making ${disks.join(', ')} part of the template`,
  'regenerate-cloud-init': () => 'making the cloud-init drive anew',
  'take-snapshot': ({ name, memory }) => `taking snapshot ${name}${memory ? ' with its memory' : ''}`,
  'describe-snapshot': ({ name }) => `writing the description of snapshot ${name}`,
  'delete-snapshot': ({ name }) => `deleting snapshot ${name}`,
  'roll-back': ({ name }) => `going back to snapshot ${name} (what its disks hold since is lost)`,
  'upload-iso': ({ volume }) => `uploading cloud-init data as ${volume}`,
  'remove-iso': ({ volume }) => `removing ${volume}`,
  restart: () => 'restarting',
  power: ({ to }) => (to === 'running' ? 'starting' : 'shutting down'),
  destroy: () => 'destroying',
};

/** A full clone takes time and room that a linked one does not. */
function howCloned({ full, storage }: CreateParams): string {
  if (full !== true) return '';
  return `, in full${storage === undefined ? '' : ` onto ${String(storage)}`}`;
}

/** An action in words. */
export function actionText(action: Action): string {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the table's row for a kind takes that kind
  return (TEXTS[action.kind] as (action: Action) => string)(action);
}

function rebuildTexts({ starts }: Of<'destroy'>): string[] {
  return ['destroying it with its disks', 'creating it again', ...(starts ? ['starting it'] : [])];
}

/** What a plan does, in words. A plan destroys a machine only to make it anew in the next round. */
export function planTexts(actions: readonly Action[]): string[] {
  return actions.flatMap(action => (action.kind === 'destroy' ? rebuildTexts(action) : [actionText(action)]));
}

/** The word that each text of a plan begins with, and the one that follows "would". */
const AFTER_WOULD = new Map([
  ['checking', 'check'],
  ['downloading', 'download'],
  ['creating', 'create'],
  ['cloning', 'clone'],
  ['migrating', 'migrate'],
  ['writing', 'write'],
  ['growing', 'grow'],
  ['moving', 'move'],
  ['leaving', 'leave'],
  ['joining', 'join'],
  ['making', 'make'],
  ['taking', 'take'],
  ['going', 'go'],
  ['deleting', 'delete'],
  ['uploading', 'upload'],
  ['removing', 'remove'],
  ['restarting', 'restart'],
  ['starting', 'start'],
  ['shutting', 'shut'],
  ['destroying', 'destroy'],
]);

/** What a plan would do, in words, from the texts of its actions. */
export function wouldText(texts: readonly string[]): string {
  const bare = texts.map(text => text.replace(/^\w+/, word => AFTER_WOULD.get(word) ?? word));
  return `would ${bare.join(', then ')}`;
}
