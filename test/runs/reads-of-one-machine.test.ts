import { defaultWorld } from '../../simulator';
import type { Json, Lab } from '../support/cluster/lab';
import { lab } from '../support/cluster/lab';
import { terraformOn } from '../support/runs/as-planned';
import { preparedWorld, scenarios } from '../support/runs/scenarios';

const clone = scenarios['create by clone']!.want!;
const blank = scenarios['create blank']!.want!;
const pending = 'GET /nodes/pve1/qemu/10000/pending';
const listing = 'GET /cluster/resources';
const at = (method: string, rest: string) => `${method} /nodes/pve1/qemu/10000/${rest}`;

/** What an apply asks that follows a plan, but for polls. */
async function asked(cluster: Lab, want: Json, between = (): void => undefined): Promise<string[]> {
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(want);
  between();
  cluster.simulator.ledger.reset();
  expect(await terraform.apply(want, token)).toEqual([]);
  return requestsOf(cluster);
}

function requestsOf({ simulator }: Lab): string[] {
  const lines = simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);
  return lines.filter(line => !/^GET .*\/tasks\/.*\/status$/.test(line));
}

describe.each([3, 32])('on %i nodes', nodes => {
  let cluster: Lab;
  const open = async (have?: Json): Promise<void> => {
    const world = defaultWorld(nodes, 50);
    const { guests, volumes } = await preparedWorld({ have, want: undefined });
    const ours = Object.values(guests).filter(({ vmid }) => vmid === 10_000);
    for (const guest of ours) world.guests[guest.vmid] = guest;
    world.volumes.push(...volumes.filter(({ vmid }) => vmid === 10_000));
    world.pools = { prod: { vms: [], storages: [] } };
    cluster = await lab({ world, taskMs: 5 });
  };
  afterEach(() => cluster.close());

  it('an apply makes a clone with two listings and what is sent to it', async () => {
    await open();
    const want = { ...clone, vmid: 10_000, disks: [{ name: 'root', size: '40G' }] };
    expect(await asked(cluster, want)).toEqual([
      listing,
      'POST /nodes/pve1/qemu/9000/clone',
      pending,
      listing,
      at('PUT', 'config'),
      pending,
      at('PUT', 'resize'),
      pending,
      at('POST', 'status/start'),
    ]);
  });

  it('an apply makes a machine from nothing with two listings and what is sent to it', async () => {
    await open();
    expect(await asked(cluster, { ...blank, vmid: 10_000 })).toEqual([
      listing,
      'POST /nodes/pve1/qemu',
      pending,
      listing,
      at('PUT', 'config'),
      pending,
      at('POST', 'status/start'),
    ]);
  });

  it('an apply gives a machine other tags in 2', async () => {
    await open(blank);
    expect(await asked(cluster, { ...blank, tags: ['x'] })).toEqual([pending, at('PUT', 'config')]);
  });

  it('an apply gives a machine that runs other memory in 3', async () => {
    await open(blank);
    const calls = [pending, at('POST', 'config'), pending];
    expect(await asked(cluster, { ...blank, memory: '8Gi' })).toEqual(calls);
  });

  it('an apply gives a machine a larger disk in 3 more than its token, whose write proves the quorum', async () => {
    await open(blank);
    const disks = [{ ...(blank['disks'] as Json[])[0], size: '50G' }];
    expect(await asked(cluster, { ...blank, disks })).toEqual([
      ...[pending, at('PUT', 'config')],
      ...[pending, at('PUT', 'resize'), pending],
    ]);
  });

  it('an apply without anything to do asks for the machine alone', async () => {
    await open(blank);
    const want = { ...blank, tags: ['x'] };
    const terraform = terraformOn(cluster);
    const token = await terraform.plan(want);
    expect(await terraform.apply(want, token)).toEqual([]);
    cluster.simulator.ledger.reset();
    expect(await terraform.apply(want, token)).toEqual([]);
    expect(requestsOf(cluster)).toEqual([pending]);
  });

  it('a destroy reads the listing, the quorum, what it may do, and once the tasks of all nodes', async () => {
    await open(blank);
    expect(await terraformOn(cluster).destroy()).toEqual([]);
    const calls = requestsOf(cluster);
    expect(calls.slice(0, 3).sort()).toEqual(['GET /access/permissions', listing, 'GET /cluster/status']);
    expect(calls.slice(3)).toEqual([
      'GET /cluster/tasks',
      pending,
      at('POST', 'status/stop'),
      'GET /cluster/status',
      pending,
      'DELETE /nodes/pve1/qemu/10000',
    ]);
  });
});
