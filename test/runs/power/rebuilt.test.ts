import type { Effect } from '../../../simulator/faults/fault';
import { planTexts } from '../../../reconciler/report/action-text';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';

const made: Json = { id: 'web', image: { blank: true }, node: 'pve1', vmid: 20_001, shutdownTimeout: '1s' };
const blank: Json = { ...made, rebuildOn: ['vmid'] };
const cloned: Json = { ...blank, image: { template: 'ubuntu-22.04' } };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 0 });
});
afterEach(() => cluster.close());

const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
const bring = async (machine: Json) => errorsOf(await cluster.run(desired([machine])));
const DESTROYING = expect.stringMatching(/^destroying it with its disks/) as string;
const texts = () =>
  cluster.events.flatMap(event => (event.kind === 'planned' ? [planTexts(event.plan.actions)] : []));

describe.each([
  ['from nothing', blank],
  ['by clone', cloned],
])('a rebuild of a machine whose power nobody manages, %s', (_, before) => {
  const power = 'unmanaged';
  const wanted = { ...before, vmid: 20_002 };

  it('runs again where it ran, as its plan says', async () => {
    expect(await bring({ ...before, power: 'running' })).toEqual([]);
    const old = guest().config['smbios1'];
    cluster.events.length = 0;
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect(guest().config['smbios1']).not.toBe(old);
    expect(texts()[0]).toEqual([DESTROYING, 'creating it again', 'starting it']);
    expect(guest().running).not.toBeNull();
    cluster.events.length = 0;
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect(texts()).toEqual([[]]);
  });

  it('stays off where it was off', async () => {
    expect(await bring({ ...before, power: 'stopped' })).toEqual([]);
    cluster.events.length = 0;
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect(texts()[0]).toEqual([DESTROYING, 'creating it again']);
    expect(guest().running).toBeNull();
  });

  it('runs again also where the run was cut between creating it and starting it', async () => {
    expect(await bring({ ...before, power: 'running' })).toEqual([]);
    cluster.simulator.faults.add({
      path: '/nodes/*/qemu/*/status/start',
      methods: ['POST'],
      count: 1,
      effect: { kind: 'answer', status: 403, text: 'Permission check failed (/vms/10000, VM.PowerMgmt)' },
    });
    expect(await bring({ ...wanted, power })).toEqual([expect.stringContaining('VM.PowerMgmt')]);
    expect(guest().running).toBeNull();
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect(guest().running).not.toBeNull();
  });

  const atDelete = (effect: Effect, more: { after?: number; count?: number } = {}) =>
    cluster.simulator.faults.add({
      path: '/nodes/*/qemu/20001',
      methods: ['DELETE'],
      count: 1,
      ...more,
      effect,
    });

  it('runs again where the answer to the destroy was lost', async () => {
    expect(await bring({ ...before, power: 'running' })).toEqual([]);
    atDelete({ kind: 'reset', work: 'done' });
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect({ vmid: guest().vmid, off: guest().running === null }).toEqual({ vmid: 20_002, off: false });
  });

  it('runs again where it was locked just when it had been stopped', async () => {
    expect(await bring({ ...before, power: 'running' })).toEqual([]);
    atDelete({
      kind: 'answer',
      status: 500,
      text: "can't lock file '/var/lock/qemu-server/lock-20001.conf' - got timeout",
    });
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect({ vmid: guest().vmid, off: guest().running === null }).toEqual({ vmid: 20_002, off: false });
    const told = cluster.events.filter(event => event.kind === 'started' && event.action.kind === 'destroy');
    expect(told).toHaveLength(1);
  });

  it('runs again where an earlier restart of ours had left it off', async () => {
    expect(await bring({ ...before, power: 'running' })).toEqual([]);
    const { description } = guest().config;
    guest().config['description'] = String(description).replace('{"v":1', '{"v":1,"s":1');
    guest().running = null;
    expect(await bring({ ...wanted, power })).toEqual([]);
    expect({ vmid: guest().vmid, off: guest().running === null }).toEqual({ vmid: 20_002, off: false });
  });
});
