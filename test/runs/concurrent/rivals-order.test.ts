import { setTimeout as sleep } from 'node:timers/promises';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { marked } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';

const web = (vmid: number): Json => ({
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  power: 'stopped',
  vmid,
});
const LOW = 10_001;
const HIGH = 10_005;
const configOf = (vmid: number): string => `/nodes/*/qemu/${vmid}/config`;

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const isHit = async (index: number): Promise<void> => {
  while (cluster.simulator.faults.list()[index]?.hits === 0) await sleep(2);
};
const slowly = (ms: number, work: 'done' | 'not-done') => ({ kind: 'slow', ms, work }) as const;
const ids = (): number[] => marked(cluster.world, 'web').map(({ vmid }) => vmid);

/** Two runs that have both found nothing: the one for the lower id comes late with its clone. */
async function bothBegin(): Promise<Record<'low' | 'high', Promise<string[]>>> {
  const late = { path: '/nodes/*/qemu/9000/clone', count: 1, effect: slowly(2_100, 'not-done') };
  cluster.simulator.faults.add(late);
  const low = cluster.bring(web(LOW));
  await isHit(0);
  return { low, high: cluster.bring(web(HIGH)) };
}

it('lets the lower id win over a run that has looked before, and is about to finish', async () => {
  const { low, high } = await bothBegin();
  cluster.simulator.faults.add({ path: configOf(HIGH), count: 1, effect: slowly(7_500, 'not-done') });
  expect(await low).toEqual([]);
  await high;
  expect(ids()).toEqual([LOW]);
  expect(cluster.world.guests[HIGH]).toBeUndefined();
});

it('lets a run win that finishes before the word arrives that it lost', async () => {
  const { low, high } = await bothBegin();
  const { faults } = cluster.simulator;
  faults.add({ path: '/cluster/resources', after: 1, count: 1, effect: slowly(4_500, 'done') });
  faults.add({ path: configOf(HIGH), count: 1, effect: slowly(7_500, 'not-done') });
  expect(await high).toEqual([]);
  await low;
  expect(faults.list().map(({ hits }) => hits)).toEqual([1, 1, 1]);
  expect(ids()).toEqual([HIGH]);
  expect(cluster.world.guests[LOW]).toBeUndefined();
});

it('leaves what it made when somebody has touched it since, and says so', async () => {
  const { low, high } = await bothBegin();
  cluster.simulator.faults.add({ path: configOf(HIGH), count: 1, effect: slowly(7_500, 'not-done') });
  expect(await low).toEqual([]);
  cluster.world.guests[HIGH]!.config['onboot'] = '1';
  await high;
  expect(cluster.world.guests[HIGH]).toBeDefined();
  const warnings = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(warnings).toContain(`guest ${HIGH} on pve1 is left over, and stays: somebody has changed it.`);

  cluster.events.length = 0;
  expect(await cluster.bring(web(LOW))).toEqual([]);
  const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(told.join()).toContain(`guest ${HIGH} on pve1 is left over from an unfinished create`);
  expect(told.join()).toContain(`qm destroy ${HIGH} --purge`);
});

/** The first configuration is refused once; until it is tried again somebody adds a guest. */
async function lockedWhileAdded(change: (config: Record<string, string>) => void): Promise<string> {
  const fault = {
    path: configOf(LOW),
    methods: ['PUT'],
    count: 1,
    effect: { kind: 'lock-timeout' } as const,
  };
  cluster.simulator.faults.add(fault);
  const run = cluster.bring(web(LOW));
  await isHit(0);
  const added = { ...structuredClone(cluster.world.guests[LOW]!), vmid: HIGH };
  change(added.config);
  cluster.world.guests[HIGH] = structuredClone(added);
  const errors = await run;
  expect(cluster.world.guests[HIGH]).toEqual(added);
  return errors.join();
}

it('finishes what it made, not the copy that somebody made of it before its first configuration', async () => {
  expect(await lockedWhileAdded(() => undefined)).toBe('');
  expect(cluster.world.guests[LOW]!.config['tags']).toBeDefined();
});

it('keeps what it made when it is refused for a guest that is no rival', async () => {
  const damage = (config: Record<string, string>): void => {
    config['tags'] = ownerTag('team/lab', 'web');
    config['description'] = '<!-- pvr:{ -->';
  };
  expect(await lockedWhileAdded(damage)).toContain('cannot be read');
  expect(cluster.world.guests[LOW]).toBeDefined();
});

it('names an unfinished guest made from nothing beside the machine, which has its tag already', async () => {
  const blank = { id: 'web', image: { blank: true }, memory: '64Mi', power: 'stopped' };
  expect(await cluster.bring({ ...blank, vmid: LOW })).toEqual([]);
  const left = { ...structuredClone(cluster.world.guests[LOW]!), vmid: HIGH };
  const uuid = '99999999-0000-4000-8000-000000000001';
  left.config['smbios1'] = `uuid=${uuid}`;
  left.config['description'] = left.config['description']!.replace(/"u":"[^"]*"/, `"u":"${uuid}","b":1`);
  cluster.world.guests[HIGH] = left;
  cluster.events.length = 0;
  expect(await cluster.bring({ ...blank, vmid: LOW })).toEqual([]);
  const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(told.join()).toContain(`qm destroy ${HIGH} --purge`);
});
