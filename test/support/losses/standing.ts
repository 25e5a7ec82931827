import type { Config, Guest, Volume, World } from '../../../simulator/world';

/** A volume or a snapshot before a run, by the simulator's own list. */
export interface Item {
  /** `volume STORAGE:NAME` or `snapshot NAME`: as what it is named in texts. */
  key: string;
  /** The guest that it belongs to by its number. */
  vmid: number | undefined;
  /** The machine of ours whose guest that is. */
  machine: string | undefined;
  /** A guest that is not ours has it or uses it, or a person put it there. */
  isForeign: boolean;
  /** It is a disk in a slot. */
  isDisk: boolean;
  /** It hangs unused on a guest of ours, and no plan of ours had detached it to delete it. */
  isKept: boolean;
  /** The guest's mark, or a flag, says that kept volumes go along. */
  hasWord: boolean;
  /** A cloud-init drive or an ISO of its data: made of the spec, and made again. */
  isTechnical: boolean;
  /** The memory of a snapshot: it goes with that. */
  memoryOf: string | undefined;
}

/** The volumes and snapshots of a world. A volume is told by its identity, as a rename changes its name only. */
export type Standing = ReadonlyMap<Volume | string, Item>;

interface Mark {
  o: string;
  m: string;
  e?: string;
  g?: string[];
  kv?: number;
}

/** Our mark on a guest; undefined where it is not ours. */
export function markOf(guest: Guest | undefined): Mark | undefined {
  const json = /<!-- pvr:(.*) -->\s*$/.exec(guest?.config['description'] ?? '')?.[1];
  const mark = json === undefined ? undefined : (JSON.parse(json) as Mark);
  return mark?.o === 'team/lab' ? mark : undefined;
}

/** The guests of the owner. */
export function ourGuests(world: World): (Guest & { mark: Mark })[] {
  return Object.values(world.guests).flatMap(guest => {
    const mark = markOf(guest);
    return mark === undefined ? [] : [{ ...guest, mark }];
  });
}

/** A snapshot of the same name that was taken later is another one. */
const idOf = (guest: Guest, name: string): string =>
  `${guest.vmid} ${name} ${guest.snapshots[name]?.snaptime ?? ''}`;

/** Everything that a run could lose. */
export function standing(world: World): Standing {
  const users = usersOf(world);
  const volumes = world.volumes.map(volume => [volume, volumeItem(world, volume, users)] as const);
  const snapshots = Object.values(world.guests).flatMap(guest =>
    Object.keys(guest.snapshots).map(name => {
      const mark = markOf(guest);
      const rest = { isDisk: false, isKept: false, hasWord: false, isTechnical: false, memoryOf: undefined };
      const whose = { vmid: guest.vmid, machine: mark?.m, isForeign: mark === undefined };
      return [idOf(guest, name), { key: `snapshot ${name}`, ...whose, ...rest }] as const;
    }),
  );
  return new Map<Volume | string, Item>([...volumes, ...snapshots]);
}

function volumeItem(world: World, { volid, vmid, content }: Volume, users: Map<string, Guest[]>): Item {
  const guest = vmid === undefined ? undefined : world.guests[vmid];
  const mark = markOf(guest);
  const isOurIso = /:iso\/pvr-/.test(volid);
  const isOthers = content === 'iso' ? !isOurIso : guest !== undefined && mark === undefined;
  const isUsedByOthers = content !== 'iso' && (users.get(volid) ?? []).some(user => !markOf(user));
  const isUnused = Object.entries(guest?.config ?? {}).some(
    ([key, text]) => key.startsWith('unused') && fileOf(text) === volid,
  );
  const isDisk = Object.entries(guest?.config ?? {}).some(
    ([key, text]) => DRIVE.test(key) && !key.startsWith('unused') && fileOf(text) === volid,
  );
  return {
    key: `volume ${volid}`,
    isDisk,
    vmid,
    machine: mark?.m,
    isForeign: isOthers || isUsedByOthers,
    isKept: isUnused && mark !== undefined && mark.g?.includes(volid) !== true,
    hasWord: mark?.kv === 1,
    isTechnical: isOurIso || /vm-\d+-cloudinit/.test(volid),
    memoryOf: /vm-\d+-state-([\w-]+?)(?:\.raw)?$/.exec(volid)?.[1],
  };
}

/** The guests whose configuration or snapshots name a volume. */
function usersOf(world: World): Map<string, Guest[]> {
  const users = new Map<string, Guest[]>();
  for (const guest of Object.values(world.guests)) {
    const configs = [guest.config, guest.pending, ...Object.values(guest.snapshots).map(each => each.config)];
    const files = new Set(configs.flatMap(filesOf));
    for (const file of files) users.set(file, [...(users.get(file) ?? []), guest]);
  }
  return users;
}

/** Volumes that are a disk of several guests at once, with those. */
export function sharedVolumes({ guests }: World): Map<string, string> {
  const users = new Map<string, number[]>();
  for (const { vmid, config, pending } of Object.values(guests)) {
    const drives = Object.entries({ ...config, ...pending }).filter(([key]) => DRIVE.test(key));
    // a volume in two slots of one guest counts twice
    const files = drives.filter(([, text]) => !text.includes('media=cdrom')).map(([, text]) => fileOf(text));
    for (const file of files) if (file.includes(':')) users.set(file, [...(users.get(file) ?? []), vmid]);
  }
  const shared = [...users].filter(([, ids]) => ids.length > 1);
  return new Map(shared.map(([file, ids]) => [file, ids.join(' and ')]));
}

/** Names of disks that have no volume: the next one that is made may get such a name. */
export function danglingNames({ guests, volumes }: World): string[] {
  const there = new Set(volumes.map(({ volid }) => volid));
  const named = Object.values(guests).flatMap(({ config, pending }) => [
    ...filesOf(config),
    ...filesOf(pending),
  ]);
  return named.filter(file => file.includes(':') && !there.has(file));
}

const DRIVE = /^(?:scsi|virtio|sata|ide|efidisk|tpmstate|unused)\d+$/;

/** The volumes that a configuration names. */
function filesOf(config: Config): string[] {
  const drives = Object.entries(config).filter(([key]) => DRIVE.test(key) || key === 'vmstate');
  return drives.map(([, text]) => fileOf(text));
}

/** The volume of a drive's line. */
export const fileOf = (text: string): string => text.replace(/,.*/s, '').replace(/^file=/, '');

/** The keys of a guest that hold a disk. */
export function diskKeys({ config }: Pick<Guest, 'config'>): string[] {
  return Object.keys(config).filter(
    key =>
      /^(?:scsi|virtio|sata|ide)\d+$/.test(key) &&
      !config[key]?.includes('media=cdrom') &&
      !config[key]?.includes('cloudinit'),
  );
}
