import { defaultWorld } from '../../../simulator';
import { applyEvent } from '../../../simulator/events/apply';
import { parseMachine, fleetMachine } from '../../../spec';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

type Json = Record<string, unknown>;

const GiB = 2 ** 30;
let lab: CliLab;
afterEach(() => lab.close());

/** A lab whose nodes have this much memory left, in GiB. */
async function withFree(...free: number[]): Promise<void> {
  const world = defaultWorld(free.length);
  world.nodes.forEach((node, index) => {
    // an eighth of a node's memory is always used
    node.memory = Math.ceil(((free[index] ?? 0) * GiB * 8) / 7);
  });
  lab = await lineLab({ world });
}

const blank = (id: string, fields: Json = {}) => ({ id, image: { blank: true }, memory: '4Gi', ...fields });

function fleetText(machines: Json[], nodes?: Json[]): string {
  const placed = machines.map(json => {
    const parsed = parseMachine(json);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return fleetMachine(parsed.value);
  });
  return JSON.stringify({ machines: placed, ...(nodes ? { nodes } : {}) });
}

const nodeOf = (told: Record<string, string>, id: string): unknown =>
  (JSON.parse(Buffer.from(told[`${id}.token`] ?? '', 'base64url').toString()) as { node?: string }).node;

describe('two observers of one fleet', () => {
  const one = blank('one');
  const two = blank('two');
  const fleet = fleetText([one, two]);

  it('do not give the last place away twice', async () => {
    await withFree(6, 1, 1);
    const first = await lab.observe({ one }, {}, { fleet });
    const second = await lab.observe({ two }, {}, { fleet });
    expect(first.told).toMatchObject({ 'one.status': 'absent' });
    expect(nodeOf(first.told, 'one')).toBe('pve1');
    expect(second.told).toMatchObject({ 'two.status': 'refused' });
    expect(second.told['two.refusal']).toContain('pve1: insufficient resources on node (memory: 2Gi to give');
  });

  it('come to the places that one for all comes to', async () => {
    await withFree(40, 40, 40);
    const all = await lab.observe({ two, one }, {}, { fleet });
    const apart = [await lab.observe({ two }, {}, { fleet }), await lab.observe({ one }, {}, { fleet })];
    const places = { one: nodeOf(all.told, 'one'), two: nodeOf(all.told, 'two') };
    expect(places.one).not.toBe(places.two);
    expect({ one: nodeOf(apart[1]!.told, 'one'), two: nodeOf(apart[0]!.told, 'two') }).toEqual(places);
  });

  it('give a machine of which only a part is known a place that keeps it apart', async () => {
    await withFree(40, 40, 40);
    const antiAffinity = [{ key: 'app', operator: 'In', values: ['db'] }];
    const apart = {
      memory: '1Gi',
      labels: { app: 'db' },
      placement: { antiAffinity, nodes: ['pve1', 'pve2'] },
    };
    const part = { ...blank('part', apart), description: { $unknown: 'other.text' } };
    const { told } = await lab.observe({ part, whole: blank('whole', apart) });
    expect(told).toMatchObject({ 'part.status': 'unknown', 'whole.status': 'absent' });
    expect([nodeOf(told, 'part'), nodeOf(told, 'whole')]).toEqual(['pve1', 'pve2']);
  });

  it('count what is said about nodes', async () => {
    await withFree(40, 40, 40);
    const nodes = [
      { nodeName: 'pve1', schedulable: false },
      { nodeName: 'pve2', maxVMs: 1 },
    ];
    const told = await lab.observe({ one, two }, {}, { fleet: fleetText([one, two], nodes) });
    expect([nodeOf(told.told, 'one'), nodeOf(told.told, 'two')].sort()).toEqual(['pve2', 'pve3']);
  });
});

describe('an apply', () => {
  const one = blank('one', { disks: [{ name: 'root', storage: 'shared', size: '1Gi' }] });
  const token = (node: string) =>
    Buffer.from(JSON.stringify({ n: 'x', node, worst: 'create' })).toString('base64url');

  it('keeps to the node of its plan', async () => {
    await withFree(40, 40, 40);
    const env = { PROXMOX_FLEET: fleetText([one, blank('two')]) };
    expect((await lab.apply(one, { token: token('pve3'), env })).code).toBe(0);
    expect(lab.guests('one')).toMatchObject([{ node: 'pve3' }]);
  });
  it('takes another when that one went away', async () => {
    await withFree(40, 40, 40);
    applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' });
    expect((await lab.apply(one, { token: token('pve3') })).code).toBe(0);
    expect(lab.guests('one')).toMatchObject([{ node: 'pve1' }]);
  });
  it('takes none where labels that it does not know keep machines apart', async () => {
    await withFree(40, 40, 40);
    const antiAffinity = [{ key: 'app', operator: 'In', values: ['db'] }];
    applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' });
    const apart = Object.assign({ placement: { antiAffinity } }, one);
    const ended = await lab.apply(apart, { token: token('pve3') });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('node pve3, which the plan chose for it, cannot take it any more');
    expect(lab.writes()).toEqual([]);
  });
  it('stays off the place of another new machine when it must choose anew', async () => {
    await withFree(6, 7, 1);
    const zero = blank('a', { node: 'pve2' });
    const env = { PROXMOX_FLEET: fleetText([zero, one]) };
    expect((await lab.apply(one, { token: token('pve3'), env })).code).toBe(0);
    expect(lab.guests('one')).toMatchObject([{ node: 'pve1' }]);
  });
});

it('tells what is wrong with a fleet, and sends nothing', async () => {
  await withFree(40);
  const one = blank('one');
  const unknown = await lab.observe({ one }, {}, { fleet: '{"machines":[{"id":"one","memmory":1}]}' });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('"memory"');
  const twice = { PROXMOX_FLEET: '{"machines":[{"id":"a"},{"id":"a"}]}' };
  expect(await lab.apply(one, { env: twice })).toMatchObject({ code: 2 });
  expect(lab.simulator.ledger.entries()).toEqual([]);
});

it('tells that an image goes to another node by a full clone that moves', async () => {
  await withFree(40, 40, 40);
  const machine = { id: 'web', image: { template: 'debian-12' }, node: 'pve2' };
  const { stdout } = await lab.people('plan', [machine], ['--json']);
  const [plan] = (JSON.parse(stdout) as { machines: { actions: Json[] }[] }).machines;
  expect(plan?.actions).toMatchObject([
    { kind: 'clone', node: 'pve1', params: { full: true } },
    { kind: 'migrate', to: 'pve2' },
  ]);
  const { told } = await lab.observe({ web: machine });
  expect(nodeOf(told, 'web')).toBe('pve2');
});

describe('plan --explain', () => {
  const machines = [
    blank('kept', { power: 'stopped' }),
    blank('new', { placement: { nodes: ['pve1', 'pve3'] } }),
    { id: 'beside', image: { template: 'debian-12' } },
  ];

  it('says of each node why it is taken for a machine or not', async () => {
    await withFree(40, 40, 40);
    expect((await lab.people('reconcile', [machines[0]])).code).toBe(0);
    const { stdout } = await lab.people('plan', machines, ['--explain']);
    const said = (id: string): string[] => {
      const [, after = ''] = stdout.split(`${id}: `);
      return [...after.split(/^(?! )/m)[0]!.matchAll(/^ {2}node (.*)$/gm)].map(([, text = '']) => text);
    };
    expect(said('\nnew')).toEqual([
      'pve1: taken: the best of those that can take it',
      expect.stringMatching(
        /^pve3: not taken: strategy spread: .* of its memory are promised to no guest, on pve1 /,
      ),
      'pve2: not taken: not among placement.nodes',
    ]);
    expect(said('\nbeside')).toEqual([
      'pve1: taken: the best of those that can take it',
      'pve2: not taken: the clone would have to move there; on pve1 it need not',
      'pve3: not taken: the clone would have to move there; on pve1 it need not',
    ]);
    expect(stdout).toMatch(/^kept: in sync\n {2}node pve1: taken: the machine is there, and stays$/m);
  });

  it('is a list of each machine in JSON, and absent unless it is asked for', async () => {
    await withFree(40, 1, 1);
    const { stdout } = await lab.people('plan', [blank('one')], ['--explain', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      machines: [
        {
          nodes: [
            { node: 'pve1', taken: true, reason: 'no other node can take it' },
            {
              node: 'pve2',
              taken: false,
              reason: expect.stringContaining('insufficient resources') as string,
            },
            { node: 'pve3', taken: false },
          ],
        },
      ],
    });
    expect((await lab.people('plan', [blank('one')], ['--json'])).stdout).not.toContain('"nodes"');
  });
});

it('refuses a linked clone that would have to leave its node', async () => {
  await withFree(40, 40, 40);
  const image = { template: 'debian-12', clone: 'linked' };
  const { code, stdout } = await lab.people('plan', [{ id: 'web', image, node: 'pve2', pin: true }]);
  expect(code).toBe(3);
  expect(stdout).toContain('a linked clone cannot leave it');
  expect(lab.writes()).toEqual([]);
});

it('plans a clone of another machine that is new too, and makes it after that one', async () => {
  await withFree(40, 40, 40);
  const disks = [{ name: 'root', storage: 'shared', size: '1Gi' }];
  const first = blank('first', { disks, power: 'stopped' });
  const copy = { id: 'copy', image: { machine: 'first' } };
  const { code, stdout } = await lab.people('plan', [first, copy]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/copy: would clone VM 10000 to VM 10001 on pve\d, in full/);
  expect(stdout).toContain("waits for machine 'first', which it is cloned from");
  const { told } = await lab.observe({ first, copy }, {});
  expect(told).toMatchObject({ 'copy.status': 'absent', 'copy.refusal': '' });
  expect((await lab.people('reconcile', [first, copy])).code).toBe(0);
  expect(lab.guests('copy')).toHaveLength(1);
});

describe('numbers', () => {
  const two = [blank('one', { power: 'stopped' }), blank('two', { power: 'stopped' })];
  const withRange = async (vmidRange: object, nextId?: string) => {
    await withFree(40, 40, 40);
    if (nextId !== undefined) lab.world.datacenter['next-id'] = nextId;
    const cluster = JSON.stringify({ name: 'lab', vmidRange });
    return lab.observe({ one: two[0], two: two[1] }, {}, { cluster });
  };

  it('come from the range of the cluster, inside that of the datacenter', async () => {
    await withFree(40, 40, 40);
    lab.world.datacenter['next-id'] = 'lower=10500,upper=20000';
    expect((await lab.people('reconcile', two)).code).toBe(0);
    const ids = ['one', 'two'].flatMap(name => lab.guests(name).map(({ vmid }) => vmid));
    expect(ids.sort()).toEqual([10_500, 10_501]);
  });
  it('that another machine is given by hand are left to it', async () => {
    await withFree(40, 40, 40);
    expect((await lab.people('reconcile', [two[0], { ...two[1], vmid: 10_000 }])).code).toBe(0);
    expect(lab.guests('two')).toMatchObject([{ vmid: 10_000 }]);
  });
  it('are refused when none is left', async () => {
    const { told } = await withRange({ from: 10_000, to: 10_000 });
    const refusals = [told['one.refusal'], told['two.refusal']].filter(text => text !== '');
    expect(refusals).toEqual([expect.stringContaining('no number is free from 10000 to 10000')]);
  });
  it('are refused when the two ranges do not meet', async () => {
    const { told } = await withRange({ from: 10_000, to: 20_000 }, 'lower=100,upper=1000');
    expect(told['one.refusal']).toContain("lies outside the datacenter's own range (100 to 999)");
  });
});
