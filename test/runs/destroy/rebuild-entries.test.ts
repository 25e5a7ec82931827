import { administratorOf } from '../../support/cluster/administrator';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { lineLab } from '../../support/runs/line-lab';
import { blankMachine } from '../../support/runs/blank-machine';
import { runLine } from '../../reconciler/walk/live';

const web = { ...blankMachine, vmid: 700, rebuildOn: ['disks'] };
const anew = { ...web, disks: [{ name: 'root', size: '2G', storage: 'local-lvm' }] };
const ENTRIES = 'and its entries elsewhere (pool prod, HA with its rules)';

describe('what others gave a machine that is to be made anew', () => {
  let cluster: Lab;
  beforeEach(async () => {
    cluster = await lab();
    expect(await cluster.bring(web)).toEqual([]);
    await given(administratorOf(cluster));
  });
  afterEach(() => cluster.close());

  const plan = async (wanted: Json, ...words: string[]) =>
    (
      await runLine(
        ['plan', '--spec', '-', ...words],
        programAccess(cluster.simulator),
        JSON.stringify(desiredJson([wanted])),
      )
    ).out;

  it('is named by the plan, with its disks', async () => {
    expect(await plan(anew)).toContain(ENTRIES);
    expect(await plan(anew, '--json')).toContain('"entries":["pool prod","HA with its rules"]');
  });

  it('is not named where the spec says it', async () => {
    expect(await plan({ ...anew, pool: 'prod', ha: {} })).not.toContain('elsewhere');
  });
});

async function given(admin: ReturnType<typeof administratorOf>): Promise<void> {
  expect(await admin('PUT', '/pools', { poolid: 'prod', vms: '700' })).toBe(true);
  expect(await admin('POST', '/cluster/ha/resources', { sid: 'vm:700', state: 'ignored' })).toBe(true);
  expect(await admin('PUT', '/cluster/ha/resources/vm:700', { state: 'stopped' })).toBe(true);
}

test('a pool that somebody put it in after the plan of Terraform stops the rebuild', async () => {
  const there = await lineLab();
  try {
    there.world.pools = { prod: { vms: [], storages: [] } };
    expect((await there.apply(web)).code).toBe(0);
    const { told } = await there.observe({ web: anew });
    expect(told).toMatchObject({ 'web.effect': 'rebuild' });
    there.world.pools['prod']!.vms.push(700);
    const { code, stderr } = await there.apply(anew, { token: told['web.token'] ?? '' });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('would also take pool prod') as string,
    });
    expect(there.guests('web')).toHaveLength(1);
  } finally {
    await there.close();
  }
});
