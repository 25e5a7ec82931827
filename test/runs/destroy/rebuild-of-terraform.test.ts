import { runLine } from '../../reconciler/walk/live';
import { ActsOnce } from '../../support/cluster/acts-once';
import { desired, desiredJson, errorsOf, lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { lineLab } from '../../support/runs/line-lab';
import { daemonLab, until } from '../../support/daemon/daemon-lab';

const web = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  vmid: 20_001,
  shutdownTimeout: '1s',
  rebuildOn: ['vmid'],
};
const anew = { ...web, vmid: 20_002 };
const WHERE = /a Terraform state holds it\. Rebuild it there: .*cdktf deploy/;

const entryIn = (description = '', entry = '"e":"e1",'): string =>
  description.replace('{"v":1,', `{"v":1,${entry}`);

describe('a rebuild of a machine that a Terraform state holds, without its entry', () => {
  const actor = new ActsOnce();
  let cluster: Lab;
  beforeEach(async () => {
    cluster = await lab({ before: actor.asked });
    expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
  });
  afterEach(() => cluster.close());

  const taken = (): void => {
    const { config } = cluster.world.guests[20_001]!;
    config['description'] = entryIn(config['description']);
  };
  const line = (...words: string[]) =>
    runLine([...words, '--spec', '-'], programAccess(cluster.simulator), JSON.stringify(desiredJson([anew])));

  it('is refused by plan and reconcile, which say where to rebuild it, and told by status', async () => {
    taken();
    const { smbios1 } = cluster.world.guests[20_001]!.config;
    const planned = await line('plan');
    expect(planned).toMatchObject({ code: 3 });
    expect(planned.out).toMatch(WHERE);
    expect((await line('status')).said).toMatch(WHERE);
    expect(await line('reconcile')).toMatchObject({ code: 3, said: expect.stringMatching(WHERE) as string });
    expect(cluster.world.guests[20_001]).toMatchObject({ config: { smbios1 } });
    expect(cluster.world.guests[20_001]?.running).not.toBeNull();
  });

  it('is refused where the entry came after the plan, directly before the DELETE', async () => {
    actor.before(/^POST .*\/status\/(shutdown|stop)/, async () => taken());
    expect(errorsOf(await cluster.run(desired([anew]))).join()).toMatch(WHERE);
    expect(actor.hasActed()).toBe(true);
    expect(cluster.world.guests[20_001]?.config['description']).toContain('"e":"e1"');
    // it was stopped for its DELETE, and is started again
    expect(cluster.world.guests[20_001]?.running).not.toBeNull();
    expect(cluster.world.guests[20_002]).toBeUndefined();
  });

  it('keeps the entry where it only changes the machine', async () => {
    taken();
    const changed = { ...web, description: 'of the day', tags: ['new'] };
    expect(errorsOf(await cluster.run(desired([changed])))).toEqual([]);
    expect(cluster.world.guests[20_001]?.config['description']).toMatch(/of the day[^]*"e":"e1"/);
  });
});

test('the daemon refuses the rebuild too, and says where', async () => {
  const there = await daemonLab([web]);
  try {
    const daemon = there.start();
    const [guest] = await until(
      () => there.guests('web'),
      found => found.some(({ running }) => running !== null),
    );
    guest!.config['description'] = entryIn(guest!.config['description']);
    there.want([anew]);
    const [told] = await until(
      () => daemon.said('Refused'),
      lines => lines.length > 0,
    );
    expect(told).toMatchObject({ machine: 'web', error: expect.stringMatching(WHERE) as string });
    expect(there.guests('web')).toMatchObject([{ vmid: 20_001 }]);
  } finally {
    await there.close();
  }
});

test("Terraform's own plan, to which no entry is told, names the rebuild; its apply does it", async () => {
  const there = await lineLab();
  try {
    expect((await there.apply(web)).code).toBe(0);
    const { told } = await there.observe({ web: anew });
    expect(told).toMatchObject({ 'web.effect': 'rebuild', 'web.refusal': '' });
    expect(await there.apply(anew, { token: told['web.token'] ?? '' })).toMatchObject({ code: 0 });
    expect(there.guests('web')).toMatchObject([{ vmid: 20_002 }]);
  } finally {
    await there.close();
  }
});
