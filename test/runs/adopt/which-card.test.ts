import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const VMID = 10_000;
const MACS = ['BC:24:11:00:00:01', 'BC:24:11:00:00:02'] as const;
const NO_CARDS = 'BC:24:11:00:00:99';
const lan = { name: 'lan', bridge: 'vmbr0' };
const storage = { name: 'storage', bridge: 'vmbr1' };
const made = { id: 'web', image: { blank: true }, power: 'stopped' };
const adopting = (networks: object[]) => ({ id: 'web', adopt: true, vmid: VMID, power: 'stopped', networks });

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
  lab.world.nodes.forEach(node => (node.bridges = ['vmbr0', 'vmbr1']));
  expect(await lab.apply(made)).toMatchObject({ code: 0 });
  const { config } = guest();
  // it is let go, and somebody gives it two cards
  delete config['description'];
  delete config['tags'];
  config['net0'] = `virtio=${MACS[0]},bridge=vmbr0`;
  config['net1'] = `virtio=${MACS[1]},bridge=vmbr1`;
  lab.writes();
});
afterEach(() => lab.close());

const guest = (): Guest => lab.world.guests[VMID]!;
const cards = (): (string | undefined)[] => ['net0', 'net1', 'net2'].map(slot => guest().config[slot]);
const adopt = (networks: object[]) => lab.apply(adopting(networks), { entry: 'e2' });

test('a card that is the only one like it is the one of the spec, whatever the order', async () => {
  const before = cards();
  expect(await adopt([storage, lan])).toMatchObject({ code: 0 });
  expect(cards()).toEqual(before);
  // and it is known from now on
  expect(await adopt([{ ...storage, firewall: true }, lan])).toMatchObject({ code: 0 });
  expect(cards()[1]).toContain('firewall=1');
  expect(cards()[0]).not.toContain('firewall=1');
});

test.each<[why: string, networks: object[], name: string]>([
  ['its bridge is another one', [lan, { ...storage, bridge: 'vmbr7' }], 'storage'],
  ['its VLAN is another one', [lan, { ...storage, vlan: 20 }], 'storage'],
  ['two of the spec are like it', [lan, { ...lan, name: 'other' }], 'other'],
  ['it may be a new one', [lan, storage, { name: 'more', bridge: 'vmbr7' }], 'more'],
  ['no card has its address', [{ ...lan, macAddress: NO_CARDS }], 'lan'],
])('nothing tells which card it is (%s): refused, and nothing is written', async (_, networks, name) => {
  const before = cards();
  const { code, stderr } = await adopt(networks);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining(`network "${name}"`) as string,
  });
  expect(stderr).toContain(`Give networks[${name}] in the spec the macAddress of that card`);
  expect(lab.writes()).toEqual([]);
  expect(cards()).toEqual(before);
});

test('by the remedy: its address moves the card that is meant, and may go again', async () => {
  const moved = { ...storage, bridge: 'vmbr0', vlan: 20 };
  expect(await adopt([{ ...moved, macAddress: MACS[1] }, lan])).toMatchObject({ code: 0 });
  const now = cards();
  expect(now).toEqual([
    expect.stringContaining(MACS[0]),
    expect.stringMatching(new RegExp(`${MACS[1]}.*bridge=vmbr0.*tag=20`)),
    undefined,
  ]);
  expect(await adopt([moved, lan])).toMatchObject({ code: 0 });
  expect(cards()).toEqual(now);
});

test('by the remedy: a new one comes after the adoption', async () => {
  expect(await adopt([storage, lan])).toMatchObject({ code: 0 });
  const before = cards();
  expect(await adopt([{ name: 'more', bridge: 'vmbr1' }, storage, lan])).toMatchObject({ code: 0 });
  expect(cards()).toEqual([before[0], before[1], expect.stringContaining('bridge=vmbr1')]);
});

test('by the remedy: without another network "networks: []" stands, and the new one moves no card', async () => {
  const before = cards();
  const more = { name: 'more', bridge: 'vmbr1', vlan: 20 };
  const refused = await adopt([more]);
  expect(refused.stderr).toContain(
    'leave it out, with "networks: []" where no other is left, apply, then add',
  );
  expect(await adopt([])).toMatchObject({ code: 0 });
  expect(cards()).toEqual(before);
  expect(await adopt([more])).toMatchObject({ code: 0 });
  expect(cards()).toEqual([before[0], before[1], expect.stringContaining('tag=20')]);
});

test('an address that no card has is told, and given to the only card of the only network', async () => {
  const named = { ...lan, macAddress: NO_CARDS };
  expect((await adopt([named])).stderr).toContain(`none has its macAddress ${NO_CARDS}`);
  delete guest().config['net1'];
  expect(await adopt([named])).toMatchObject({ code: 0 });
  expect(cards()).toEqual([expect.stringContaining(NO_CARDS), undefined, undefined]);
});

test('the only card is the only network of the spec, also on another bridge', async () => {
  delete guest().config['net1'];
  expect(await adopt([{ ...lan, bridge: 'vmbr1' }])).toMatchObject({ code: 0 });
  expect(cards()).toEqual([expect.stringMatching(`${MACS[0]}.*bridge=vmbr1`), undefined, undefined]);
});
