import type { Json, Lab } from '../support/cluster/lab';
import { lab } from '../support/cluster/lab';
import { administratorOf } from '../support/cluster/administrator';
import { marked, writes } from '../support/cluster/end-state';
import { NARROW, narrowTokenLab } from '../support/cluster/narrow-token-lab';
import { terraformOn } from '../support/runs/as-planned';
import { scenarios } from '../support/runs/scenarios';

const blank: Json = scenarios['create blank']!.want!;
const tagged: Json = { ...blank, tags: ['x'] };

/** What becomes of an apply when something happens after its plan. */
async function applied(
  cluster: Pick<Lab, 'simulator'>,
  want: Json,
  between: () => Promise<unknown>,
  as = {},
) {
  const terraform = terraformOn(cluster, ...(Object.keys(as).length > 0 ? [NARROW] : []));
  const token = await terraform.plan(want);
  await between();
  cluster.simulator.ledger.reset();
  return terraform.apply(want, token);
}

describe('a machine that is there', () => {
  let cluster: Lab;
  beforeEach(async () => {
    cluster = await lab({ taskMs: 5 });
    expect(await cluster.bring(blank)).toEqual([]);
  });
  afterEach(() => cluster.close());
  const at = '/nodes/pve1/qemu/10000';

  it('and was stopped after the plan gets the change; the next plan starts it', async () => {
    const admin = administratorOf(cluster);
    expect(await applied(cluster, tagged, () => admin('POST', `${at}/status/stop`))).toEqual([]);
    expect(marked(cluster.world, 'web')).toMatchObject([{ running: null }]);
    expect(await applied(cluster, tagged, () => Promise.resolve())).toEqual([]);
    expect(marked(cluster.world, 'web')).not.toMatchObject([{ running: null }]);
  });

  it('and was renamed after the plan gets its name back', async () => {
    const admin = administratorOf(cluster);
    const rename = (): Promise<boolean> => admin('PUT', `${at}/config`, { name: 'other', delete: 'tags' });
    expect(await applied(cluster, tagged, rename)).toEqual([]);
    expect(marked(cluster.world, 'web')).toMatchObject([{ config: { name: 'web' } }]);
  });

  it('and costs more than the plan showed is refused, and nothing is written', async () => {
    const admin = administratorOf(cluster);
    const shrink = (): Promise<boolean> => admin('PUT', `${at}/resize`, { disk: 'scsi0', size: '90G' });
    const [said] = await applied(cluster, tagged, shrink);
    expect(said).toContain('RefusedError');
    expect(writes(cluster.simulator)).toEqual([]);
  });
});

it('a machine that Terraform made is not restarted for what a plan never showed', async () => {
  const cluster = await lab({ taskMs: 5 });
  try {
    const running = { ...blank, power: 'running' };
    expect(await applied(cluster, running, () => Promise.resolve())).toEqual([]);
    const admin = administratorOf(cluster);
    const memory = async (): Promise<void> => {
      await admin('POST', '/nodes/pve1/qemu/10000/status/stop');
      await admin('PUT', '/nodes/pve1/qemu/10000/config', { memory: '4096' });
      await admin('POST', '/nodes/pve1/qemu/10000/status/start');
    };
    const [said] = await applied(cluster, { ...running, restart: 'whenNeeded' }, memory);
    expect(said).toContain('it showed "create" at worst, and now it would be "restart"');
    expect(writes(cluster.simulator)).toEqual([]);
  } finally {
    await cluster.close();
  }
});

describe('a machine that is off', () => {
  const off: Json = { ...blank, power: 'stopped' };
  const grown: Json = { ...off, memory: '4Gi' };
  let cluster: Lab;
  beforeEach(async () => {
    cluster = await lab({ taskMs: 5 });
    expect(await cluster.bring(off)).toEqual([]);
  });
  afterEach(() => cluster.close());
  const at = '/nodes/pve1/qemu/10000';
  const requests = (): string[] =>
    cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path.replace(at, '')}`);
  const start = async (): Promise<void> => {
    await administratorOf(cluster)('POST', `${at}/status/start`);
  };
  const nothing = (): Promise<void> => Promise.resolve();

  it('is asked whether it still is, where that decides what a change costs', async () => {
    expect(await applied(cluster, grown, nothing)).toEqual([]);
    expect(requests()).toEqual(['GET /pending', 'GET /status/current', 'PUT /config']);
  });

  it('and was started since is not changed as one that is off', async () => {
    const [said] = await applied(cluster, grown, start);
    expect(said).toContain('changed since the plan');
    expect(writes(cluster.simulator)).toEqual([]);
  });

  it('gets a change that costs a running one the same without that question', async () => {
    expect(await applied(cluster, { ...off, tags: ['x'] }, start)).toEqual([]);
    expect(requests()).toEqual(['GET /pending', 'PUT /config']);
  });
});

it('a token that lost a privilege after the plan is told the lines that give it back', async () => {
  const cluster = await narrowTokenLab();
  const everything = { path: '/', privileges: ALL };
  cluster.allow(everything);
  expect(await cluster.bring(blank)).toBeUndefined();
  const take = (): Promise<void> => {
    const privileges = ALL.filter(name => name !== 'VM.Config.Options');
    cluster.allow({ path: '/', privileges });
    return Promise.resolve();
  };
  const [said] = await applied(cluster, tagged, take, NARROW);
  expect(said).toMatch(/RefusedError: [^]*pveum/);
  await cluster.close();
});

const ALL = [
  ...['Sys.Audit', 'VM.Audit', 'VM.Allocate', 'VM.PowerMgmt', 'Datastore.AllocateSpace', 'SDN.Use'],
  ...['VM.Config.Options', 'VM.Config.Disk', 'VM.Config.Memory', 'VM.Config.CPU', 'VM.Config.Network'],
  ...['VM.Config.HWType', 'VM.Config.CDROM', 'VM.Config.Cloudinit', 'Datastore.Audit'],
];
