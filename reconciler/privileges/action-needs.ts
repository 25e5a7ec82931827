import { dispatch, type Action, type ActionOf, type ActionTable, type CreateParams } from '../action';
import type { Configuration } from '../guest/configuration';
import { isCdrom, isCloudInit, readDrive } from '../guest/drive';
import { isCardKey, isDriveKey } from '../guest/key-kinds';
import type { ObservedCluster } from '../observed';
import { bridgeNeeds } from './bridge-needs';
import { createNeeds, configNeeds } from './config-needs';
import { onGuest, onPath, type Need, type Subject } from './need';

/** What an action meets: the guest as it stands before it, and the cluster. */
export interface Stage {
  subject: Subject;
  config: Configuration;
  /** What waits there for a restart. */
  pending?: Readonly<Record<string, string | null>>;
  isOff: boolean;
  cluster: ObservedCluster;
  /** The storages where ISOs with its cloud-init data may be. */
  isos?: readonly string[];
  /** What a clone copies; undefined: not read. */
  source: Configuration | undefined;
}

/** What each kind of action asks of its caller (PVE 8.4 and 9.2). */
const ROWS: ActionTable<[stage: Stage], Need[]> = {
  // what stands there is only checked, and taken without that where the caller may not
  'fetch-image': ({ node, storage, isThere, file }) => {
    if (isThere) return [];
    return file
      ? [onPath('uploading the image', `/storage/${storage}`, 'Datastore.AllocateTemplate')]
      : downloads(node, storage);
  },
  create: ({ params }, { subject, cluster }) => [
    ...newGuest(subject),
    ...poolSeen(params['pool']),
    ...createNeeds(params, subject, cluster),
  ],
  clone: (action, { subject, cluster, source }) => [
    ...cloning(action.source.vmid, cluster),
    ...newGuest(subject),
    ...poolSeen(action.params['pool']),
    ...(source === undefined ? [] : copied(action, source, cluster)),
  ],
  migrate: (_, { subject }) => [onGuest('migration', subject, 'VM.Migrate')],
  configure: ({ set, delete: gone }, { subject, config, pending = {}, cluster }) =>
    configNeeds({ subject, set, delete: gone, before: config, pending, cluster }),
  resize: ({ slot }, { subject, config }) => {
    const storage = readDrive(config[slot]).storage;
    return [onGuest(`growing ${slot}`, subject, 'VM.Config.Disk'), ...space(`growing ${slot}`, storage)];
  },
  'move-disk': ({ slot, storage }, { subject }) => [
    onGuest(`moving ${slot}`, subject, 'VM.Config.Disk'),
    ...space(`moving ${slot}`, storage),
  ],
  'set-pool': ({ pool }, { subject }) => [
    onGuest('its pool', subject, 'VM.Allocate', 'Permissions.Modify'),
    ...[pool, subject.pool].flatMap(name =>
      name === undefined ? [] : [onPath('its pool', `/pool/${name}`, 'Pool.Allocate'), ...poolSeen(name)],
    ),
  ],
  'join-ha': haNeeds,
  'change-ha': haNeeds,
  'leave-ha': haNeeds,
  'make-template': (_, { subject, config }) => [
    onGuest('making a template of it', subject, 'VM.Allocate'),
    ...Object.entries(config).flatMap(([key, text]) =>
      isDriveKey(key) && !isCdrom(text) ? space('making a template of it', readDrive(text).storage) : [],
    ),
  ],
  'regenerate-cloud-init': (_, { subject }) => [
    onGuest('its cloud-init drive', subject, 'VM.Config.Cloudinit'),
  ],
  'take-snapshot': snapshotNeeds,
  'describe-snapshot': snapshotNeeds,
  'delete-snapshot': snapshotNeeds,
  'roll-back': ({ name, resumes }, { subject, isOff }) => [
    onGuest(`going back to ${name}`, subject, 'VM.Snapshot.Rollback', 'VM.Snapshot'),
    ...(isOff || resumes ? [] : [onGuest('starting', subject, 'VM.PowerMgmt')]),
  ],
  'upload-iso': ({ volume }) => [
    onPath('uploading its cloud-init data', `/storage/${storageOf(volume)}`, 'Datastore.AllocateTemplate'),
  ],
  'remove-iso': ({ volume }) => [isoRemoval('removing its old cloud-init data', storageOf(volume))],
  restart: (_, { subject }) => [onGuest('restarting', subject, 'VM.PowerMgmt')],
  power: ({ to }, { subject }) => [
    onGuest(to === 'running' ? 'starting' : 'shutting down', subject, 'VM.PowerMgmt'),
  ],
  destroy: (_, { subject, isOff, isos = [] }) => [
    ...(isOff ? [] : [onGuest('stopping', subject, 'VM.PowerMgmt')]),
    onGuest('destroying', subject, 'VM.Allocate'),
    ...isos.map(storage => isoRemoval('removing its cloud-init data', storage)),
  ],
};

/** What carrying out an action asks of the caller. */
export function actionNeeds(action: Action, stage: Stage): Need[] {
  return dispatch(ROWS, action, stage);
}

function snapshotNeeds({ name }: { name: string }, { subject }: Stage): Need[] {
  return [onGuest(`snapshot ${name}`, subject, 'VM.Snapshot')];
}

/** PVE: HA is the business of who may see and change the whole cluster (behaviour.md §11). */
export function haNeeds(): Need[] {
  return [onPath('high availability', '/', 'Sys.Console'), onPath('high availability', '/', 'Sys.Audit')];
}

/** behaviour.md §11: AllocateTemplate, and either of two ways to let a node ask an address. */
function downloads(node: string, storage: string): Need[] {
  const what = 'downloading the image';
  const onNode = { path: `/nodes/${node}`, privilege: 'Sys.AccessNetwork' };
  return [
    onPath(what, `/storage/${storage}`, 'Datastore.AllocateTemplate'),
    { what, ways: [onNode, { path: '/', privilege: 'Sys.Modify' }] },
    { what, ways: [onNode, { path: '/', privilege: 'Sys.Audit' }] },
  ];
}

/** What may be cloned is told by the guest as the cluster lists it, with its pool. One that is still to be made is not judged. */
function cloning(vmid: number, { guests }: ObservedCluster): Need[] {
  const pool = guests.filter(guest => guest.vmid === vmid).map(guest => guest.pool);
  return pool.map(name => onGuest('cloning it', { vmid, pool: name }, 'VM.Clone'));
}

/** PVE names a guest's pool only to who may see the pool: without that it would be set again for ever (recording g1). */
function poolSeen(name: CreateParams[string] | undefined): Need[] {
  return name === undefined ? [] : [onPath('its pool', `/pool/${String(name)}`, 'Pool.Audit')];
}

/** A new guest must be seen again by who made it. */
function newGuest(subject: Subject): Need[] {
  return [onGuest('making it', subject, 'VM.Allocate'), onGuest('reading it', subject, 'VM.Audit')];
}

/** What a clone copies lands on storages, and hangs on bridges. */
function copied(
  { params }: ActionOf<'clone'>,
  source: Configuration,
  { permissions }: ObservedCluster,
): Need[] {
  return Object.entries(source).flatMap(([key, text]) => {
    if (isCardKey(key)) return bridgeNeeds(key, text, permissions);
    if (!isDriveKey(key) || isCdrom(text) || isCloudInit(text)) return [];
    return space(
      `${key} of the clone`,
      params['storage'] === undefined ? readDrive(text).storage : String(params['storage']),
    );
  });
}

/** PVE: a volume of content iso or import goes with Datastore.Allocate only (behaviour.md §16.3, API2/Storage/Content.pm). */
export function isoRemoval(what: string, storage: string): Need {
  return onPath(what, `/storage/${storage}`, 'Datastore.Allocate');
}

function storageOf(volume: string): string {
  return volume.slice(0, volume.indexOf(':'));
}

function space(what: string, storage: string | undefined): Need[] {
  return storage === undefined ? [] : [onPath(what, `/storage/${storage}`, 'Datastore.AllocateSpace')];
}
