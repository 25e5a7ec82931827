import { parseDesiredState } from '../../../spec';
import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const disk = (name: string, more: Json = {}) => ({ name, size: '1G', storage: 'local-lvm', ...more });
const existing = (volume: string) => ({ name: 'data', existingVolume: volume });
const machine = (id: string, vmid: number, more: Json[] = [], words: Json = {}) => ({
  ...{ id, vmid, node: 'pve1', image: { blank: true }, power: 'stopped', disks: [disk('root'), ...more] },
  ...words,
});
const DATA = 'local-lvm:vm-700-disk-1';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(await brings(machine('web', 700, [disk('data')]))).toBe('');
});
afterEach(() => cluster.close());

const brings = async (...machines: Json[]) => errorsOf(await cluster.run(desired(machines))).join();
const line = (want: Json[], ...words: string[]) =>
  runLine(
    [...words, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(want)),
  );
/** As somebody does by hand: another guest names the volume, and stands still. */
const shareByHand = (): void => {
  const { guests } = cluster.world;
  const config = { name: 'theirs', scsi3: `${DATA},size=1G` };
  guests[900] = { ...structuredClone(guests[700]!), vmid: 900, config };
};

test('a volume that another machine uses is not attached, and the plan says who uses it', async () => {
  const two = machine('two', 800, [existing(DATA)]);
  const planned = await line([machine('web', 700, [disk('data')]), two], 'plan');
  expect(planned.out).toContain(`disk "data" is to be ${DATA}, and guest 700 on pve1 uses it`);
  expect(await brings(machine('web', 700, [disk('data')]), two)).toContain('guest 700 on pve1 uses it');
  expect(cluster.world.guests[800]).toBeUndefined();
});

test('a volume that is kept by another guest, or only has its number, is not attached', async () => {
  expect(await brings(machine('web', 700))).toBe('');
  expect(await brings(machine('web', 700), machine('two', 800, [existing(DATA)]))).toContain(
    'guest 700 on pve1 uses it',
  );
  delete cluster.world.guests[700]!.config['unused0'];
  expect(await brings(machine('web', 700), machine('two', 800, [existing(DATA)]))).toContain(
    'it was made for guest 700 on pve1',
  );
});

test('two machines of one spec that name one volume are refused before anything is sent', () => {
  const parsed = parseDesiredState(
    desiredJson([machine('one', 800, [existing(DATA)]), machine('two', 801, [existing(DATA)])]),
  );
  expect(JSON.stringify(parsed)).toContain('is used by machine \\"one\\" too');
});

test.each([
  ['destroy', () => line([machine('web', 700, [disk('data')])], 'destroy', 'web', '--yes')],
  ['gc', () => line([], 'gc', '--yes')],
])('a %s of a machine whose disk a foreign guest uses is refused with that guest', async (_, run) => {
  shareByHand();
  const { code, out, said } = await run();
  expect(code).toBe(3);
  expect(`${out}${said}`).toContain(`${DATA} by guest 900 on pve1`);
  expect(cluster.world.guests[700]).toBeDefined();
});

test('so is a rebuild, and one of a machine that names a volume of its own', async () => {
  const anew = { image: { template: 'ubuntu-22.04' }, rebuildOn: ['image'] };
  const own = machine('web', 700, [existing(DATA)], anew);
  expect((await line([own], 'plan')).out).toContain(`disk "data" names ${DATA} as existingVolume`);
  shareByHand();
  const planned = await line([machine('web', 700, [disk('data')], anew)], 'plan');
  expect(planned.out).toContain(`${DATA} by guest 900 on pve1`);
  expect(await brings(machine('web', 700, [disk('data')], anew))).toContain(`${DATA} by guest 900`);
  expect(cluster.world.guests[700]).toBeDefined();
});

test('a volume that only a snapshot names is used, also where the configuration tells of no snapshot', async () => {
  // PVE: two snapshots, back to the first, which is deleted then: nothing is the parent any more
  const theirs = cluster.world.guests[100]!;
  const config = { ...theirs.config, scsi3: 'local-lvm:vm-998-disk-0,size=1G' };
  theirs.snapshots['second'] = { config, snaptime: 1, description: '' };
  expect(theirs.config['parent']).toBeUndefined();
  const { out } = await line([machine('two', 800, [existing('local-lvm:vm-998-disk-0')])], 'plan');
  expect(out).toContain('guest 100 on pve3 uses it');
});
