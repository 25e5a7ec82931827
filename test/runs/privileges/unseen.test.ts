import { administratorOf } from '../../support/cluster/administrator';
import { labWorld, type Json } from '../../support/cluster/lab';
import { NARROW, narrowTokenLab, type NarrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { daemonLab, until } from '../../support/daemon/daemon-lab';
import { terraformOn } from '../../support/runs/as-planned';

const CONFIG = ['CDROM', 'CPU', 'Cloudinit', 'Disk', 'HWType', 'Memory', 'Network', 'Options'];
const ON_GUESTS = [
  ...['VM.Allocate', 'VM.Audit', 'VM.PowerMgmt', 'Pool.Audit', 'Pool.Allocate'],
  ...CONFIG.map(area => `VM.Config.${area}`),
];
/** A user whose rights on guests are those on a pool. */
const RULES = [
  { path: '/storage', privileges: ['Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit'] },
  { path: '/nodes', privileges: ['Sys.Audit'] },
  { path: '/', privileges: ['Sys.Audit'], propagate: false },
  { path: '/pool/prod', privileges: ON_GUESTS },
];

const disks = [{ name: 'root', size: '1G', storage: 'local-lvm' }];
const web: Json = { id: 'web', pool: 'prod', image: { blank: true }, memory: '1Gi', power: 'running', disks };
const db: Json = { ...web, id: 'db' };

type Cluster = Pick<NarrowTokenLab, 'simulator'>;

const called = ({ simulator }: Cluster, name: string) =>
  Object.values(simulator.world.guests).filter(({ config }) => config['name'] === name);

/** Somebody takes a machine out of the pool: the user does not see it any more. */
async function hide(cluster: Cluster, vmid: number): Promise<void> {
  const admin = administratorOf(cluster as Parameters<typeof administratorOf>[0]);
  expect(await admin('PUT', '/pools', { poolid: 'prod', vms: String(vmid), delete: '1' })).toBe(true);
}

describe('a daemon', () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  async function poolDaemon(machines: Json[]) {
    const world = labWorld();
    const { access } = world;
    access.users['ops@pve'] = { enable: true, tokens: { tf: { value: NARROW.secret, privsep: false } } };
    RULES.forEach(({ path, privileges, propagate = true }, index) => {
      access.roles[`pool-${index}`] = [...privileges];
      access.acl.push({ path, type: 'user', ugid: 'ops@pve', roleid: `pool-${index}`, propagate });
    });
    const lab = await daemonLab(machines, { world });
    ({ close } = lab);
    const daemon = lab.start({}, { PVE_TOKEN_ID: NARROW.id, PVE_TOKEN_SECRET: NARROW.secret });
    const isUp = async (id: string): Promise<boolean> =>
      (await daemon.machine(id))['powerState'] === 'running';
    for (const { id } of machines as { id: string }[]) await until(() => isUp(id), Boolean);
    return { lab, daemon };
  }

  it('makes no second machine where it does not see the first one any more', async () => {
    const { lab, daemon } = await poolDaemon([web, db]);
    const { vmid } = lab.guests('web')[0]!;
    await hide(lab, vmid);
    const errorOfWeb = async (): Promise<string> => String((await daemon.machine('web'))['error']);
    const error = await until(errorOfWeb, text => text.includes(`it was VM ${vmid} when it was last seen`));
    expect(error).toMatch('Grant VM.Audit on /vms');
    // a change of its spec is tried at once, and makes none either
    const looks = (): number =>
      lab.simulator.ledger.entries().filter(({ path }) => path.startsWith('/cluster/nextid')).length;
    const before = looks();
    lab.want([{ ...web, memory: '2Gi' }, db]);
    await until(looks, count => count > before);
    expect(lab.guests('web').map(guest => guest.vmid)).toEqual([vmid]);
  });

  it('makes a machine again that is gone', async () => {
    const { lab } = await poolDaemon([web, db]);
    // at once: the daemon starts what somebody only stops
    delete lab.simulator.world.guests[lab.guests('web')[0]!.vmid];
    await until(
      () => lab.guests('web').length,
      count => count === 1,
    );
  });
});

describe('by hand and of Terraform', () => {
  let cluster: NarrowTokenLab;
  beforeEach(async () => {
    cluster = await narrowTokenLab();
    cluster.allow(...RULES);
    expect(await cluster.bring(db)).toBe(undefined);
  });
  afterEach(() => cluster.close());

  it('a plan that makes a machine warns where guests may be hidden', async () => {
    const { warnings } = await cluster.plan(web);
    expect(warnings?.map(({ text }) => text).join()).toMatch('this user does not see all guests');
    cluster.allow(...RULES, { path: '/vms', privileges: ['VM.Audit', ...ON_GUESTS] });
    expect((await cluster.plan(web)).warnings).toBe(undefined);
  });

  it('an apply makes no second one of a machine that its plan found', async () => {
    expect(await cluster.bring(web)).toBe(undefined);
    const terraform = terraformOn(cluster, NARROW);
    const changed = { ...web, description: 'changed' };
    const token = await terraform.plan(changed);
    const { vmid } = called(cluster, 'web')[0]!;
    await hide(cluster, vmid);
    const [said] = await terraform.apply(changed, token);
    expect(said).toMatch(`it was VM ${vmid} when it was last seen`);
    expect(called(cluster, 'web')).toHaveLength(1);
  });

  it('a guest that others hide takes its number and nothing else', async () => {
    const { vmid } = called(cluster, 'db')[0]!;
    await hide(cluster, vmid);
    expect(await cluster.bring(web)).toBe(undefined);
    expect(called(cluster, 'web')).toHaveLength(1);
  });
});
