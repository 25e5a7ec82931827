import { defaultWorld } from '../../../simulator';
import { fleetMachine, parseMachine } from '../../../spec';
import { administratorOf } from '../../support/cluster/administrator';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

type Json = Record<string, unknown>;
type Machine = Json & { id: string };

let lab: CliLab;
beforeEach(async () => (lab = await lineLab({ world: defaultWorld(3), taskMs: 0 })));
afterEach(() => lab.close());

const together = (key: string): Json => ({ affinity: [{ key, operator: 'In', values: ['db'] }] });

/** A machine of a group that a label, or a tag, keeps together. */
const member = (id: string, key = 'app', fields: Json = {}): Machine => ({
  ...{ id, image: { blank: true }, memory: '1Gi', power: 'stopped', placement: together(key) },
  ...(key === 'tag' ? { tags: ['db'] } : { labels: { app: 'db' } }),
  ...fields,
});

function fleetText(machines: Json[]): string {
  const known = machines.map(json => {
    const parsed = parseMachine(json);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return fleetMachine(parsed.value);
  });
  return JSON.stringify({ machines: known });
}

const tokenOf = (told: Record<string, string>, id: string): string => told[`${id}.token`] ?? '';
const nodeIn = (token: string): unknown =>
  (JSON.parse(Buffer.from(token, 'base64url').toString()) as { node?: string }).node;
const nodesOf = (...ids: string[]): string[] => ids.flatMap(id => lab.guests(id).map(({ node }) => node));

/** Somebody else moves a machine that is off. */
async function moves(id: string, target: string): Promise<void> {
  const [guest] = lab.guests(id);
  const admin = administratorOf(lab);
  expect(await admin('POST', `/nodes/${guest?.node}/qemu/${guest?.vmid}/migrate`, { target })).toBe(true);
}

test('two observers of one fleet, each of a part, come to one node', async () => {
  const [one, two] = [member('one'), member('two')];
  const fleet = fleetText([one, two]);
  const first = await lab.observe({ one }, {}, { fleet });
  const second = await lab.observe({ two }, {}, { fleet });
  const node = nodeIn(tokenOf(first.told, 'one'));
  expect(node).toMatch(/^pve/);
  expect(nodeIn(tokenOf(second.told, 'two'))).toBe(node);
});

test('two runs at once, each with the whole document, leave the group on one node', async () => {
  const machines = ['a', 'b', 'c'].map(id => member(id));
  const ended = await Promise.all([lab.people('reconcile', machines), lab.people('reconcile', machines)]);
  expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '']);
  const nodes = nodesOf('a', 'b', 'c');
  expect([nodes.length, new Set(nodes).size]).toEqual([3, 1]);
});

describe('somebody moves one between its creation and that of the next', () => {
  const [one, two] = [member('one'), member('two')];

  test('a run goes after it', async () => {
    expect((await lab.people('reconcile', [one])).code).toBe(0);
    await moves('one', 'pve3');
    expect((await lab.people('reconcile', [one, two])).code).toBe(0);
    expect(nodesOf('one', 'two')).toEqual(['pve3', 'pve3']);
  });

  test('an apply goes after it where tags are compared, which Proxmox shows', async () => {
    const tagged = { one: member('one', 'tag'), two: member('two', 'tag') };
    const { told } = await lab.observe(tagged);
    expect(nodeIn(tokenOf(told, 'two'))).toBe(nodeIn(tokenOf(told, 'one')));
    expect((await lab.apply(tagged.one, { token: tokenOf(told, 'one') })).code).toBe(0);
    await moves('one', 'pve3');
    expect((await lab.apply(tagged.two, { token: tokenOf(told, 'two') })).code).toBe(0);
    expect(nodesOf('one', 'two')).toEqual(['pve3', 'pve3']);
  });

  test('an apply keeps to its plan where labels are compared, and the next plan tells it', async () => {
    const { told } = await lab.observe({ one, two });
    const node = nodeIn(tokenOf(told, 'two'));
    expect((await lab.apply(one, { token: tokenOf(told, 'one') })).code).toBe(0);
    await moves('one', 'pve3');
    expect((await lab.apply(two, { token: tokenOf(told, 'two') })).code).toBe(0);
    expect(nodesOf('one', 'two')).toEqual(['pve3', node]);
    const { code, stdout } = await lab.people('plan', [one, two], ['--check']);
    expect(code).toBe(0);
    expect(stdout).toContain(`note: it stands on pve3, and 'two' on ${String(node)}, though affinity keeps`);
  });
});

test('a plan tells where a group stands on two nodes, and moves nothing; the way that it names mends it', async () => {
  const [one, two] = [member('one'), member('two')];
  expect((await lab.people('reconcile', [one, two])).code).toBe(0);
  await moves('two', 'pve3');
  const [home] = nodesOf('one');
  const { stdout } = await lab.people('plan', [one, two], ['--json']);
  const plans = (JSON.parse(stdout) as { machines: { actions: Json[]; notes?: string[] }[] }).machines;
  expect(plans.map(({ actions, notes }) => [actions, notes])).toEqual([
    [[], [expect.stringContaining(`it stands on ${home}, and 'two' on pve3, though affinity keeps them`)]],
    [[], [expect.stringContaining(`set its node to "${home}" and pin to true.`)]],
  ]);
  const ran = await lab.people('reconcile', [one, two]);
  expect(ran.code).toBe(0);
  expect(nodesOf('one', 'two')).toEqual([home, 'pve3']);
  const mended = [one, { ...two, node: home, pin: true }];
  expect((await lab.people('reconcile', mended)).code).toBe(0);
  expect(nodesOf('two')).toEqual([home]);
  expect((await lab.people('plan', mended)).stdout).not.toContain('note:');
});

test('a plan tells where machines stand beside each other that are kept apart', async () => {
  const placement = { antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }] };
  const [one, two] = [member('one', 'app', { placement }), member('two', 'app', { placement })];
  expect((await lab.people('reconcile', [one, two])).code).toBe(0);
  expect((await lab.people('plan', [one, two])).stdout).not.toContain('note:');
  const [home] = nodesOf('one');
  await moves('two', home!);
  expect((await lab.people('plan', [one, two])).stdout).toContain(
    `note: it stands on ${home} beside 'two', though antiAffinity keeps them apart.`,
  );
});

test('a node that does not hold the group is refused with the node of the group, and what to do', async () => {
  expect((await lab.people('reconcile', [member('one')])).code).toBe(0);
  const [home] = nodesOf('one');
  const others = ['pve1', 'pve2', 'pve3'].filter(name => name !== home);
  const two = member('two', 'app', { placement: { ...together('app'), nodes: others } });
  const { code, stdout } = await lab.people('plan', [member('one'), two]);
  expect(code).toBe(3);
  expect(stdout).toContain(`${others.join(', ')}: kept together with 'one', on ${home}, by affinity`);
  expect(stdout).toContain(`Make room on ${home}, or set the rule of affinity to mode "soft".`);
});
