import type { Guest } from '../../../simulator/world';
import type { Roll } from '../random/dice';
import { at, one, ours, theirs, type Stage } from './stage';
import { diskKeys, fileOf } from './standing';
import { DISK_STORAGES } from './world';

/** What a person does by hand, without us. What was done, in words; undefined: there was nothing to do it to. */
export type Act = (stage: Stage, roll: Roll) => Promise<string | undefined>;

/** An act on one of our guests. */
const onOurs =
  (act: (guest: Guest, stage: Stage, roll: Roll) => Promise<string | undefined> | string | undefined): Act =>
  async (stage, roll) => {
    const guest = one(roll, ours(stage));
    return guest && act(guest, stage, roll);
  };

async function done(
  { admin }: Stage,
  method: string,
  path: string,
  form?: Record<string, string>,
): Promise<string> {
  const isDone = await admin(method, path, form);
  return `${method} ${path} ${JSON.stringify(form ?? {})}${isDone ? '' : ' (refused)'}`;
}

const freeSlot = ({ config }: Guest, roll: Roll): string => {
  const bus = one(roll, ['scsi', 'virtio', 'sata']) ?? 'scsi';
  const free = [1, 2, 3, 4, 5].filter(number => config[`${bus}${number}`] === undefined);
  return `${bus}${free[0] ?? 5}`;
};

const unusedKeys = ({ config }: Guest): string[] =>
  Object.keys(config).filter(key => key.startsWith('unused'));

export const handActs: Record<string, Act> = {
  'attaches a new volume': onOurs((guest, stage, roll) => {
    const storage = one(roll, DISK_STORAGES) ?? 'shared';
    return done(stage, 'PUT', `${at(guest)}/config`, { [freeSlot(guest, roll)]: `${storage}:1` });
  }),
  'detaches a disk': onOurs((guest, stage, roll) => {
    const key = one(roll, diskKeys(guest));
    return key === undefined ? undefined : done(stage, 'PUT', `${at(guest)}/config`, { delete: key });
  }),
  'attaches what hangs unused': onOurs((guest, stage, roll) => {
    const key = one(roll, unusedKeys(guest));
    if (key === undefined) return undefined;
    const form = { [freeSlot(guest, roll)]: fileOf(guest.config[key] ?? '') };
    return done(stage, 'PUT', `${at(guest)}/config`, form);
  }),
  'frees what hangs unused': onOurs((guest, stage, roll) => {
    const key = one(roll, unusedKeys(guest));
    return key === undefined ? undefined : done(stage, 'PUT', `${at(guest)}/config`, { delete: key });
  }),
  'gives a disk to another guest': onOurs((guest, stage, roll) => {
    const target = one(
      roll,
      [...theirs(stage), ...ours(stage)].filter(
        ({ vmid, node }) => vmid !== guest.vmid && node === guest.node,
      ),
    );
    const disk = one(roll, [...unusedKeys(guest), ...diskKeys(guest)]);
    if (target === undefined || disk === undefined) return undefined;
    const form = { disk, 'target-vmid': String(target.vmid), 'target-disk': freeSlot(target, roll) };
    return done(stage, 'POST', `${at(guest)}/move_disk`, form);
  }),
  'swaps two disks': onOurs(async (guest, stage, roll) => {
    const [first, second] = diskKeys(guest).sort(() => roll(3) - 1);
    if (first === undefined || second === undefined) return undefined;
    const [one, other] = [fileOf(guest.config[first] ?? ''), fileOf(guest.config[second] ?? '')];
    await done(stage, 'PUT', `${at(guest)}/config`, { delete: `${first},${second}` });
    return done(stage, 'PUT', `${at(guest)}/config`, { [first]: other, [second]: one });
  }),
  'moves it with its local disks': onOurs((guest, stage) => {
    const target = guest.node === 'pve1' ? 'pve2' : 'pve1';
    const form = { target, 'with-local-disks': '1', ...(guest.running !== null && { online: '1' }) };
    return done(stage, 'POST', `${at(guest)}/migrate`, form);
  }),
  'takes a snapshot': onOurs((guest, stage, roll) => {
    const form = { snapname: `hand${stage.next()}`, ...(roll(2) === 0 && { vmstate: '1' }) };
    return done(stage, 'POST', `${at(guest)}/snapshot`, form);
  }),
  'deletes a snapshot': onOurs((guest, stage, roll) => {
    const name = one(roll, Object.keys(guest.snapshots));
    return name === undefined ? undefined : done(stage, 'DELETE', `${at(guest)}/snapshot/${name}`);
  }),
  'goes back to a snapshot': onOurs((guest, stage, roll) => {
    const name = one(roll, Object.keys(guest.snapshots));
    return name === undefined ? undefined : done(stage, 'POST', `${at(guest)}/snapshot/${name}/rollback`);
  }),
  "attaches another guest's volume": onOurs((guest, stage, roll) => {
    const others = [...theirs(stage), ...ours(stage)].filter(({ vmid }) => vmid !== guest.vmid);
    const other = one(roll, others);
    const key = other && one(roll, [...diskKeys(other), ...unusedKeys(other)]);
    if (!other || key === undefined) return undefined;
    const form = { [freeSlot(guest, roll)]: fileOf(other.config[key] ?? '') };
    return done(stage, 'PUT', `${at(guest)}/config`, form);
  }),
  'gives our volume to a foreign guest too': async (stage, roll) => {
    const [guest, other] = [one(roll, ours(stage)), one(roll, theirs(stage))];
    const key = guest && one(roll, [...diskKeys(guest), ...unusedKeys(guest)]);
    if (!guest || !other || other.config['template'] === '1' || key === undefined) return undefined;
    const form = { [freeSlot(other, roll)]: fileOf(guest.config[key] ?? '') };
    return done(stage, 'PUT', `${at(other)}/config`, form);
  },
  'inserts an ISO': onOurs((guest, stage) => {
    const form = { ide3: 'shared:iso/of-people.iso,media=cdrom' };
    return done(stage, 'PUT', `${at(guest)}/config`, form);
  }),
  'protects it, or no more': onOurs((guest, stage) => {
    const protection = guest.config['protection'] === '1' ? '0' : '1';
    return done(stage, 'PUT', `${at(guest)}/config`, { protection });
  }),
  'writes tags': onOurs((guest, stage) => {
    const tags = `${guest.config['tags'] ?? ''};seen`;
    return done(stage, 'PUT', `${at(guest)}/config`, { tags });
  }),
  'removes the tags': onOurs((guest, stage) =>
    guest.config['tags'] === undefined
      ? undefined
      : done(stage, 'PUT', `${at(guest)}/config`, { delete: 'tags' }),
  ),
  'starts or stops it': onOurs((guest, stage) =>
    done(stage, 'POST', `${at(guest)}/status/${guest.running ? 'stop' : 'start'}`),
  ),
  'makes a template of it': onOurs((guest, stage, roll) =>
    roll(4) > 0 ? undefined : done(stage, 'POST', `${at(guest)}/template`),
  ),
  'clones it, linked': onOurs((guest, stage) =>
    guest.config['template'] === '1'
      ? done(stage, 'POST', `${at(guest)}/clone`, { newid: String(700 + stage.next()) })
      : undefined,
  ),
  'takes a snapshot of a foreign guest': async (stage, roll) => {
    const guest = one(roll, theirs(stage));
    const form = { snapname: `foreign${stage.next()}` };
    return guest && done(stage, 'POST', `${at(guest)}/snapshot`, form);
  },
};
