import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { marked } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
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
const AT = '/nodes/pve1/qemu';
const CLONE = `POST ${AT}/9000/clone`;
const CONFIGURE = `PUT ${AT}/${HIGH}/config`;

let held: HeldRequests;
let cluster: Lab;
beforeEach(async () => {
  held = new HeldRequests();
  cluster = await lab({ before: held.before });
});
afterEach(() => cluster.close());

const ids = (): number[] => marked(cluster.world, 'web').map(({ vmid }) => vmid);
const told = (kind: 'progress' | 'warning'): string[] =>
  cluster.events.flatMap(event => (event.kind === kind ? [event.text] : []));

/**
 * Two runs that have both found nothing: the one for the lower id clones when the other one has looked for rivals, and
 * is about to write its first configuration. That write waits.
 */
async function bothBegin() {
  const clone = held.next(CLONE);
  const low = cluster.bring(web(LOW));
  await clone.met;
  const finish = held.next(CONFIGURE);
  const high = cluster.bring(web(HIGH));
  await finish.met;
  const overrule = held.next(CONFIGURE);
  clone.release();
  return { low, high, finish, overrule };
}

it('lets the lower id win over a run that has looked before, and is about to finish', async () => {
  const { low, high, finish, overrule } = await bothBegin();
  overrule.release();
  expect(await low).toEqual([]);
  finish.release();
  await high;
  expect(ids()).toEqual([LOW]);
  expect(cluster.world.guests[HIGH]).toBeUndefined();
});

it('lets a run win that finishes before the word arrives that it lost', async () => {
  const { low, high, finish, overrule } = await bothBegin();
  await overrule.met;
  finish.release();
  expect(await high).toEqual([]);
  overrule.release();
  await low;
  expect(ids()).toEqual([HIGH]);
  expect(cluster.world.guests[LOW]).toBeUndefined();
});

it('removes what it made where the word that it lost came before it was read once', async () => {
  expect(await cluster.bring(web(HIGH))).toEqual([]);
  const rival = cluster.world.guests[HIGH]!;
  const volumes = cluster.world.volumes.filter(({ vmid }) => vmid === HIGH);
  delete cluster.world.guests[HIGH];
  cluster.world.volumes = cluster.world.volumes.filter(({ vmid }) => vmid !== HIGH);

  const firstRead = held.next(`GET ${AT}/10000/pending`);
  const { vmid: _, ...anywhere } = web(HIGH);
  const run = cluster.bring(anywhere);
  await firstRead.met;
  cluster.world.guests[HIGH] = rival;
  cluster.world.volumes.push(...volumes);
  const { config } = cluster.world.guests[10_000]!;
  config['description'] = config['description']!.replace('{"v":1', `{"v":1,"y":${HIGH}`);
  firstRead.release();

  expect(await run).toEqual([]);
  expect(ids()).toEqual([HIGH]);
  expect(cluster.world.guests[10_000]).toBeUndefined();
  expect(cluster.world.volumes.filter(({ vmid }) => vmid === 10_000)).toEqual([]);
  expect(told('progress')).toContain(
    'removed guest 10000 on pve1, which it had made: another run of this machine was first',
  );
});

it('leaves what it made when somebody has touched it since, and says so', async () => {
  const { low, high, finish, overrule } = await bothBegin();
  overrule.release();
  expect(await low).toEqual([]);
  cluster.world.guests[HIGH]!.config['onboot'] = '1';
  finish.release();
  await high;
  expect(cluster.world.guests[HIGH]).toBeDefined();
  expect(told('warning')).toContain(
    `guest ${HIGH} on pve1 is left over, and stays: somebody has changed it.`,
  );

  cluster.events.length = 0;
  expect(await cluster.bring(web(LOW))).toEqual([]);
  expect(told('warning').join()).toContain(`guest ${HIGH} on pve1 is left over from an unfinished create`);
  expect(told('warning').join()).toContain(`qm destroy ${HIGH} --purge`);
});

/** The first configuration is refused once; before it is tried again somebody adds a guest. */
async function lockedWhileAdded(change: (config: Record<string, string>) => void): Promise<string> {
  const path = `${AT}/${LOW}/config`;
  const effect = { kind: 'lock-timeout' } as const;
  cluster.simulator.faults.add({ path, methods: ['PUT'], count: 1, effect });
  const first = held.next(`PUT ${path}`);
  const run = cluster.bring(web(LOW));
  await first.met;
  const added = { ...structuredClone(cluster.world.guests[LOW]!), vmid: HIGH };
  change(added.config);
  cluster.world.guests[HIGH] = structuredClone(added);
  first.release();
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
  expect(told('warning').join()).toContain(`qm destroy ${HIGH} --purge`);
});
