import type { Json } from '../cluster/lab';
import type { Roll } from '../random/dice';
import type { Act } from './hand-acts';
import { one, ours, theirs, type Stage } from './stage';
import { fileOf, markOf } from './standing';
import { DISK_STORAGES } from './world';

/** How a person changes one machine of the desired state. */
type Change = (spec: Json, stage: Stage, roll: Roll) => Json | undefined;

const changing =
  (change: Change): Act =>
  (stage, roll) => {
    const id = one(roll, [...stage.want.keys()]);
    const next = id === undefined ? undefined : change(stage.want.get(id) ?? {}, stage, roll);
    if (id === undefined || next === undefined) return Promise.resolve(undefined);
    stage.want.set(id, next);
    return Promise.resolve(`the spec is now ${JSON.stringify(next)}`);
  };

const disksOf = (spec: Json): Json[] => (spec['disks'] ?? []) as Json[];
const guestOf = (stage: Stage, { id }: Json) => ours(stage).find(guest => markOf(guest)?.m === id);
const without = (spec: Json, ...keys: string[]): Json =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => !keys.includes(key)));

const newDisk = (name: string, roll: Roll): Json => ({
  name,
  size: '1Gi',
  storage: one(roll, DISK_STORAGES),
  ...(roll(2) === 0 && { onRemove: one(roll, ['delete', 'keep']) }),
});

/** A volume that a person may find in a list, of anybody. */
function anyVolume(stage: Stage, spec: Json, roll: Roll): string | undefined {
  const own = Object.entries(guestOf(stage, spec)?.config ?? {}).filter(([key]) => key.startsWith('unused'));
  const mine = one(roll, own)?.[1];
  if (mine !== undefined && roll(3) > 0) return fileOf(mine);
  const others = [...theirs(stage), ...ours(stage)].flatMap(({ config }) => Object.values(config));
  return one(
    roll,
    others.map(fileOf).filter(file => /:.*(?:vm|base)-\d+-disk/.test(file)),
  );
}

const IMAGES: Json[] = [{ template: 'ubuntu-22.04' }, { template: 'debian-12' }, { blank: true }];

export const specActs: Record<string, Act> = {
  'drops a disk': changing((spec, _, roll) => {
    const gone = one(roll, disksOf(spec));
    return gone && { ...spec, disks: disksOf(spec).filter(disk => disk !== gone) };
  }),
  'wants a new disk': changing((spec, _, roll) => {
    const taken = disksOf(spec).map(({ name }) => name);
    const name = one(
      roll,
      ['data', 'logs', 'spare'].filter(each => !taken.includes(each)),
    );
    return name === undefined ? undefined : { ...spec, disks: [...disksOf(spec), newDisk(name, roll)] };
  }),
  'says otherwise what happens to a disk that goes': changing((spec, _, roll) => {
    const disk = one(roll, disksOf(spec));
    const onRemove = one(roll, ['delete', 'keep']);
    return (
      disk && { ...spec, disks: disksOf(spec).map(each => (each === disk ? { ...disk, onRemove } : each)) }
    );
  }),
  'takes a volume that is there': changing((spec, stage, roll) => {
    const volume = anyVolume(stage, spec, roll);
    if (volume === undefined) return undefined;
    const disk = {
      name: `taken${stage.next()}`,
      existingVolume: volume,
      ...(roll(2) === 0 && { onRemove: 'delete' }),
    };
    return { ...spec, disks: [...disksOf(spec), disk] };
  }),
  'wants another image': changing((spec, _, roll) => ({
    ...spec,
    image: one(roll, IMAGES),
    rebuildOn: ['image'],
  })),
  'wants to be made anew for another number': changing((spec, stage) => ({
    ...spec,
    vmid: 20_000 + stage.next(),
    rebuildOn: ['vmid', 'image'],
  })),
  'forbids to be made anew': changing(spec => without(spec, 'rebuildOn')),
  'goes back to a snapshot': changing((spec, stage, roll) => {
    const name = one(roll, Object.keys(guestOf(stage, spec)?.snapshots ?? {}));
    return name === undefined ? undefined : { ...spec, revertTo: name };
  }),
  'wants a snapshot': changing((spec, stage) => ({
    ...spec,
    snapshots: [...((spec['snapshots'] ?? []) as Json[]), { name: `want${stage.next()}` }],
  })),
  'wants no snapshots any more': changing(spec => without(spec, 'snapshots')),
  'wants snapshots before changes': changing(spec => ({ ...spec, snapshotBeforeChange: { keep: 1 } })),
  'wants another description': changing((spec, stage) => ({ ...spec, description: `text ${stage.next()}` })),
  'wants more memory': changing((spec, _, roll) => ({ ...spec, memory: `${1 + roll(3)}Gi` })),
  'wants protection, or no more': changing(spec => ({ ...spec, protection: spec['protection'] !== true })),
  'wants a template': changing((spec, _, roll) =>
    roll(3) > 0
      ? undefined
      : { ...without(spec, 'power', 'snapshotBeforeChange', 'revertTo'), asTemplate: true },
  ),
  'lets kept volumes go, or no more': changing(spec =>
    spec['keptVolumes'] === 'destroy' ? without(spec, 'keptVolumes') : { ...spec, keptVolumes: 'destroy' },
  ),
  leaves: (stage, roll) => {
    const id = one(roll, [...stage.want.keys()]);
    if (id === undefined || stage.want.size < 2) return Promise.resolve(undefined);
    stage.want.delete(id);
    return Promise.resolve(`${id} left`);
  },
};

/** A machine as it is wanted first. */
export function firstSpec(id: string, roll: Roll): Json {
  const image = one(roll, IMAGES) ?? {};
  const isBlank = 'blank' in image;
  const first = isBlank ? [{ name: 'root', size: '1Gi', storage: one(roll, DISK_STORAGES) }] : [];
  return {
    id,
    image,
    memory: '1Gi',
    node: one(roll, ['pve1', 'pve2']),
    power: roll(3) === 0 ? 'running' : 'stopped',
    shutdownTimeout: '1s',
    restart: one(roll, ['never', 'whenNeeded']),
    ...(roll(2) === 0 && { rebuildOn: ['image'] }),
    ...(roll(4) === 0 && { snapshotBeforeChange: { keep: 1 } }),
    ...(roll(4) === 0 && {
      cloudInit: { user: 'me', userData: { packages: ['nginx'] } },
      networks: [{ name: 'lan', ipv4: 'dhcp' }],
    }),
    ...(roll(5) === 0 && { bios: 'uefi', efiDisk: { storage: 'shared' }, tpm: { storage: 'shared' } }),
    disks: [...first, ...['data', 'logs'].slice(roll(3)).map(name => newDisk(name, roll))],
  };
}
