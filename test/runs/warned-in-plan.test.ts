import { runLine } from '../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../support/cluster/lab';
import { programAccess } from '../support/cluster/program-access';
import { blankMachine } from '../support/runs/blank-machine';

const TEMPLATE = { template: 'ubuntu-22.04' };

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const run = (line: string[], machine: Json, more: Record<string, string> = {}) =>
  runLine(
    [...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms', ...more },
    JSON.stringify(desiredJson([machine])),
  );
const stranger = () => Object.values(cluster.world.guests)[0]!;

it('a new machine with the name of a guest that is not ours', async () => {
  const { vmid, node, config } = stranger();
  const named = { ...blankMachine, name: config['name'] };
  const clash = `two guests with one name: VM ${vmid} on ${node} is called ${config['name']} too`;
  expect((await run(['plan'], named)).out).toContain(`  WARNING: ${clash}`);
  const { machines } = JSON.parse((await run(['plan', '--json'], named)).out) as {
    machines: { warnings: string[] }[];
  };
  expect(machines[0]?.warnings).toEqual([expect.stringContaining(clash)]);
  const made = await run(['reconcile'], named);
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining(`WARNING: ${clash}`) });
  expect((await run(['plan'], named)).out).toBe('web: in sync\n0 to change, 1 in sync, 0 refused.\n');
});

it.each([
  ['of a machine that is there', blankMachine, true],
  ['of a clone', { ...blankMachine, image: TEMPLATE }, false],
])('a disk that is larger than what its storage has free: %s', async (_, machine, isThere) => {
  if (isThere) expect(await cluster.bring(machine)).toEqual([]);
  const disks = [{ name: 'root', size: '900Ti', storage: 'local-lvm' }];
  expect((await run(['plan'], { ...machine, disks })).out).toMatch(
    /WARNING: its disks may take 9\d\dT?i?.* more of storage local-lvm, which has \S+ free on pve1/,
  );
});

it('a node that is not there, of a machine that stays where it is', async () => {
  expect(await cluster.bring(blankMachine)).toEqual([]);
  const elsewhere = { ...blankMachine, node: 'pve9' };
  const { code, out } = await run(['plan'], { ...elsewhere, memory: '256Mi' });
  expect(code).toBe(0);
  expect(out).toMatch(
    /WARNING: node pve9 is not in the cluster, which has pve1.*: the machine stays on pve1/,
  );
  expect((await run(['plan'], elsewhere)).out).toContain('WARNING: node pve9 is not in the cluster');
  expect((await run(['plan'], { ...elsewhere, node: 'pve2' })).out).not.toContain('WARNING');
  expect((await run(['plan'], { ...elsewhere, id: 'new' })).out).toContain('refused');
});

it('the number of a guest that is no template: it is copied as it is then', async () => {
  const { vmid, node, config } = stranger();
  cluster.world.guests[vmid]!.running = null;
  const copy = { id: 'web', power: 'stopped', image: { template: vmid } };
  const text = `guest ${vmid} (${config['name']}) on ${node} is no template: its disks are copied in full, as they are then`;
  expect((await run(['plan'], copy)).out).toContain(`  WARNING: ${text}.`);
  const { said } = await run(['reconcile'], copy);
  expect(said.split(text)).toHaveLength(2);
  const byName = { ...copy, image: { template: 'ubuntu-22.04' } };
  expect((await run(['plan'], { ...byName, id: 'db' })).out).not.toContain('no template');
});

describe('a disk that leaves, and comes back', () => {
  const [root, data] = ['root', 'data'].map(name => ({ name, size: '1Gi', storage: 'local-lvm' }));
  const volume = () =>
    Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!.config['scsi1']!;
  const machine = (more: Json[]) => ({ ...blankMachine, disks: [root!, ...more] });

  it('its volume stays, and is not used again without a word', async () => {
    expect(await cluster.bring(machine([data!]))).toEqual([]);
    const file = volume().split(',')[0]!;
    const left = `disk data is detached and its volume ${file} stays, unused`;
    expect((await run(['plan'], machine([]))).out).toContain(`  WARNING: ${left}`);
    expect((await run(['reconcile'], machine([]))).said.split(left)).toHaveLength(2);
    expect((await run(['plan'], machine([]))).out).not.toContain('WARNING');
    const back = await run(['plan'], machine([data!]));
    expect(back.out).toContain(
      `  WARNING: disk data gets a new volume. The unused disks of this guest (${file}) are left alone.`,
    );
    const named = machine([{ name: 'data', existingVolume: file }]);
    expect((await run(['plan'], named)).out).not.toContain('WARNING');
    expect(await cluster.bring(named)).toEqual([]);
    expect(volume()).toContain(file);
  });

  it('nothing is told of a volume that goes with it', async () => {
    expect(await cluster.bring(machine([{ ...data, onRemove: 'delete' }]))).toEqual([]);
    const { out, said } = await run(['reconcile'], machine([]));
    expect(out + said).not.toContain('WARNING');
  });
});

describe('a card of a machine that runs', () => {
  const card = (more: Json = {}) => [
    { name: 'lan', bridge: 'vmbr0', macAddress: 'BC:24:11:00:00:01', ...more },
  ];
  const machine = (power: string, more?: Json) => ({ ...blankMachine, power, networks: card(more) });
  const warning = 'WARNING: card lan is unplugged and plugged in again while the guest runs';

  it.each([
    ['another MAC', 'running', { macAddress: 'BC:24:11:00:00:02' }, true],
    ['another model', 'running', { model: 'e1000' }, true],
    ['another bridge', 'running', { bridge: 'vmbr1' }, false],
    ['another MAC of one that is off', 'stopped', { macAddress: 'BC:24:11:00:00:02' }, false],
  ])('%s', async (_, power, more, isFelt) => {
    expect(await cluster.bring(machine(power))).toEqual([]);
    const { out } = await run(['plan'], machine(power, more));
    expect(out).toContain('networks[lan]');
    expect(out.includes(warning)).toBe(isFelt);
  });
});

it('a run tells it once, though it plans again after the clone', async () => {
  const disks = [{ name: 'root', size: '900Ti', storage: 'local-lvm' }];
  const clone = { ...blankMachine, image: TEMPLATE, disks };
  const { code, said } = await run(['reconcile'], clone);
  expect([code, said.match(/WARNING/g)]).toEqual([0, ['WARNING']]);
});

it('its log in JSON holds it as a sentence', async () => {
  const disks = [{ name: 'root', size: '900Ti', storage: 'local-lvm' }];
  const clone = { ...blankMachine, image: TEMPLATE, disks };
  const { said } = await run(['reconcile', '--json'], clone, { LOG_LEVEL: 'debug' });
  const lines = said.split('\n').filter(Boolean);
  const events = lines.map(line => JSON.parse(line) as { plan?: { warnings?: string[] } });
  const told = events.flatMap(({ plan }) => plan?.warnings ?? []);
  expect(told).toContainEqual(expect.stringContaining('its disks may take'));
});

it('tells the snapshots of a new machine after its start, as they are taken', async () => {
  const snapshots = [{ name: 'clean' }];
  const power = 'running';
  const blank = await run(['plan'], { ...blankMachine, power, snapshots });
  expect(blank.out).toMatch(/would create VM .*, then start, then take snapshot clean\n/);
  const clone = { id: 'web', image: TEMPLATE, memory: '3Gi', snapshots };
  expect((await run(['plan'], clone)).out).toMatch(
    /would clone VM .*, then write .*memory.*, then start, then take snapshot clean\n/,
  );
});

it('a clone in the place of a guest that was to be adopted writes nothing of that', async () => {
  const clone = { id: 'web', vmid: 777, adopt: true, image: TEMPLATE };
  const { out } = await run(['plan'], clone);
  expect(out).toContain('adopt: (none) -> nothing: there is no guest 777');
  expect(out).not.toContain('write adopt');
});
