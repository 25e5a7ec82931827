import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';
import { suspendToDisk } from '../../support/runs/suspended';

const web: Json = {
  id: 'web',
  image: { blank: true },
  hotplug: [],
  shutdownTimeout: '1s',
  restart: 'whenNeeded',
};

let cluster: Lab;
const guest = () => cluster.world.guests[10_000]!;

beforeEach(async () => {
  cluster = await lab({ taskMs: 5 });
  expect(await cluster.bring(web)).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  await suspendToDisk(cluster);
  cluster.events.length = 0;
});
afterEach(() => cluster.close());

const plans = () => cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));

// its lock lets no write through: waiting for that would be waiting for the start that follows
describe('a guest that was suspended to disk and is to run', () => {
  it('wakes before its tags are written, and is not restarted', async () => {
    const before = guest().config['vmgenid'];
    expect(await cluster.bring({ ...web, tags: ['a'] })).toEqual([]);
    expect(plans()[0]?.actions.map(({ kind }) => kind)).toEqual(['power', 'configure']);
    expect(plans()[0]?.changes).toMatchObject([
      { field: 'power', from: 'stopped', to: 'running', effect: 'live' },
      { field: 'tags', effect: 'live' },
    ]);
    expect(plans().some(({ restart }) => restart !== undefined)).toBe(false);
    expect(guest()).toMatchObject({ running: { qmp: 'running' }, config: { vmgenid: before } });
    expect(guest().config['tags']).toContain('a');
  });

  it('is told what its memory costs one that runs', async () => {
    expect(await cluster.bring({ ...web, memory: '4Gi' })).toEqual([]);
    expect(plans()[0]).toMatchObject({ restart: 'now' });
    expect(plans()[0]?.changes).toContainEqual(
      expect.objectContaining({ field: 'memory', effect: 'restart' }),
    );
    expect(guest()).toMatchObject({ running: { qmp: 'running' }, config: { memory: '4096' }, pending: {} });
  });

  it.each([
    ['nothing else', {}],
    ['a change', { tags: ['a'] }],
    ['a change that needs a restart', { memory: '4Gi' }],
  ])('is woken by an apply of Terraform, with %s', async (_, more) => {
    const terraform = terraformOn(cluster);
    expect(await terraform.apply({ ...web, ...more }, await terraform.plan({ ...web, ...more }))).toEqual([]);
    expect(guest()).toMatchObject({ running: { qmp: 'running' }, pending: {} });
  });

  it('is left asleep where its power is unmanaged, and the apply says how it wakes', async () => {
    const wants = { ...web, power: 'unmanaged', tags: ['a'], timeouts: { apply: '1s' } };
    expect((await cluster.bring(wants)).join()).toContain('a start in Proxmox resumes it');
    expect(guest()).toMatchObject({ running: null, config: { lock: 'suspended' } });
  });
});
