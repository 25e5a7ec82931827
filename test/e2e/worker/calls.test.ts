import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { numbersBelow } from '../../support/in-parallel';
import type { TerraformVerbs } from '../../support/processes/terraform-processes';
import { TerraformProcesses, type Mode } from '../../support/processes/terraform-processes';

const MACHINES = 10;
/** What a plan, or the first of the runs that share a worker, asks once. */
const ONCE = 8;
const ids = numbersBelow(MACHINES).map(index => `m${index}`);
const clone = (more: Json) =>
  ids.map(id => ({
    ...{ id, image: { template: 'ubuntu-22.04' }, memory: '1Gi', networks: [{ name: 'lan' }] },
    ...{ cpu: { cores: 2 }, disks: [{ name: 'root', size: '40G' }], ...more },
  }));

/**
 * What Terraform does, and how many requests each machine may cost in it, without polls: of a create without the plan,
 * else with it, but for what a plan asks once. A process that works alone looks at each neighbour that is being made, for it may be a rival.
 */
const STEPS: [name: string, wants: Json[] | undefined, most: Record<Mode, number>][] = [
  ['create', clone({}), { shared: 8, alone: 9 + MACHINES }],
  ['tags', clone({ tags: ['x'] }), { shared: 3, alone: 3 }],
  ['memory', clone({ tags: ['x'], memory: '2Gi' }), { shared: 4, alone: 4 }],
  ['destroy', undefined, { shared: 4.5, alone: 10 }],
];

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 100 });
});
afterEach(() => cluster.close());

async function step(terraform: TerraformVerbs, name: string, wants: Json[] | undefined): Promise<void> {
  if (!wants) return void expect((await Promise.all(ids.map(terraform.destroy))).flat()).toEqual([]);
  const tokens = await terraform.plan(wants);
  if (name === 'create') cluster.simulator.ledger.reset();
  const applies = wants.map(each => terraform.apply(each, tokens[String(each['id'])] ?? ''));
  expect((await Promise.all(applies)).flat()).toEqual([]);
}

/** What was asked since the last call, without polls: runs that share a worker follow the tasks of a node by its list. */
function asked(mode: Mode): string[] {
  const polls = mode === 'shared' ? /^GET .*\/tasks(\/.*\/status)?$/ : /^GET .*\/tasks\/.*\/status$/;
  const entries = cluster.simulator.ledger.entries();
  cluster.simulator.ledger.reset();
  return entries.map(({ method, path }) => `${method} ${path}`).filter(line => !polls.test(line));
}

test.each<Mode>(['shared', 'alone'])('what each of ten machines costs: %s', async mode => {
  const processes = new TerraformProcesses(mode);
  const terraform = processes.on(cluster.simulator);
  for (const [name, wants, most] of STEPS) {
    await step(terraform, name, wants);
    const calls = asked(mode);
    const tooMany = calls.length > most[mode] * MACHINES + ONCE ? routes(calls) : {};
    expect({ name, calls: calls.length / MACHINES, tooMany }).toEqual({
      ...{ name, calls: expect.any(Number), tooMany: {} },
    });
  }
  expect(cluster.world.guests).not.toHaveProperty('10000');
  processes.end();
});

/** How often each request was sent, whichever machine it is about. */
function routes(calls: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls) {
    const route = call.replace(/pve\d/, 'NODE').replace(/100\d\d/, 'ID');
    counts[route] = (counts[route] ?? 0) + 1;
  }
  return counts;
}
