import { PRIVILEGES } from '../../../simulator/schema/formats/privilege-list';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import type { Json } from '../../support/cluster/lab';
import type { NarrowTokenLab, Rule } from '../../support/cluster/narrow-token-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { blankMachine } from '../../support/runs/blank-machine';
import { narrowTokenLab } from '../../support/cluster/narrow-token-lab';

const web: Json = { id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] };
const ROOT = { as: TOKEN };
const OURS = ownerTag('team/lab', 'web');
const all = (path = '/'): Rule => ({ path, privileges: PRIVILEGES });
const without = (...gone: string[]): Rule => ({
  path: '/',
  privileges: PRIVILEGES.filter(privilege => !gone.includes(privilege)),
});

let cluster: NarrowTokenLab;
beforeEach(async () => (cluster = await narrowTokenLab()));
afterEach(() => cluster.close());

/** The refusals of a plan that wrote nothing. */
async function refused(machine: Json): Promise<{ why: string; detail: string; remedy: string }[]> {
  const { refusals } = await cluster.plan(machine);
  expect(cluster.writes()).toEqual([]);
  return refusals;
}

describe('what Proxmox would accept is not refused', () => {
  const leastOnGuests = PRIVILEGES.filter(privilege => privilege.startsWith('VM.'));
  const elsewhere: Rule[] = [
    { path: '/vms/9000', privileges: ['VM.Audit', 'VM.Clone'], propagate: false },
    { path: '/storage/shared', privileges: ['Datastore.AllocateSpace'], propagate: false },
    { path: '/sdn/zones/localnetwork', privileges: ['SDN.Use'] },
  ];
  test.each<[string, Json, Rule[]]>([
    ['given on the guest alone', { ...web, vmid: 555 }, [{ path: '/vms/555', privileges: leastOnGuests }]],
    [
      'given on the pool alone',
      { ...web, pool: 'prod' },
      [{ path: '/pool/prod', privileges: [...leastOnGuests, 'Pool.Audit'] }],
    ],
    [
      'passed on from /pool',
      { ...web, pool: 'prod' },
      [{ path: '/pool', privileges: [...leastOnGuests, 'Pool.Audit'] }],
    ],
    ['passed on from /', web, [{ path: '/', privileges: leastOnGuests }]],
  ])('%s', async (_, machine, rules) => {
    cluster.allow(...rules, ...elsewhere);
    expect(await refused(machine)).toEqual([]);
    expect(await cluster.bring(machine)).toBeUndefined();
    expect((await cluster.plan(machine)).actions).toEqual([]);
  });

  test('a socket that still waits for a restart is taken back by who may set it', async () => {
    cluster.allow(all());
    const running: Json = { ...blankMachine, power: 'running', restart: 'never' };
    expect(await cluster.bring(running)).toBeUndefined();
    expect(await cluster.bring({ ...running, serial: ['socket'] })).toBeUndefined();
    cluster.writes();
    expect(await refused({ ...running, serial: [] })).toEqual([]);
    expect(await cluster.bring({ ...running, serial: [] })).toBeUndefined();
    expect((await cluster.plan({ ...running, serial: [] })).actions).toEqual([]);
  });

  test('a token of root without privilege separation', async () => {
    expect(await cluster.bring({ ...web, startup: { order: 1 } }, ROOT)).toBeUndefined();
  });
});

test('a bridge or a storage that Proxmox hides is told as the privilege that lacks', async () => {
  cluster.allow(without('SDN.Use', 'SDN.Audit', 'Datastore.AllocateSpace', 'Datastore.Audit'));
  const disks = [{ name: 'root', size: '8G', storage: 'local-lvm' }];
  const [only, ...more] = await refused({ ...web, image: { blank: true }, disks });
  expect(more).toEqual([]);
  expect(only!.detail).toContain('SDN.Use on /sdn/zones/localnetwork/vmbr0');
  expect(only!.detail).toContain('Datastore.AllocateSpace on /storage/local-lvm');
});

test('what only root may set is named, with its remedy', async () => {
  cluster.allow(all());
  const [only, ...more] = await refused({ ...web, options: { args: '-no-reboot' } });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ why: 'root-only', detail: expect.stringContaining('args') });
  expect(only!.remedy).toContain('PVE_USERNAME=root@pam');
});

describe('nothing is stopped or destroyed by halves', () => {
  beforeEach(async () => {
    expect(await cluster.bring({ ...web, vmid: 555 }, ROOT)).toBeUndefined();
    cluster.writes();
  });

  test.each(['VM.Allocate', 'VM.PowerMgmt'])('a destroy without %s', async privilege => {
    cluster.allow(without(privilege));
    const said = await cluster.destroy();
    expect(said).toContain(`${privilege} on /vms/555`);
    expect(cluster.writes()).toEqual([]);
    cluster.pveum(said!);
    expect(await cluster.destroy()).toBeUndefined();
  });

  test.each<[string, Rule, Json, string]>([
    ['the right to make it anew', without('VM.Clone'), { template: 'debian-12' }, 'VM.Clone on /vms/9001'],
    ['its template', all(), { template: 'gone' }, "template 'gone' not found"],
  ])('a machine to be made anew without %s', async (_, rule, image, said) => {
    cluster.allow(rule);
    const [first] = await refused({ ...web, vmid: 555, image, rebuildOn: ['image'] });
    expect(first!.detail).toContain(said);
  });

  test('a machine is made anew where all is there', async () => {
    cluster.allow(all());
    const machine = { ...web, vmid: 555, image: { template: 'debian-12' }, rebuildOn: ['image'] };
    expect(await cluster.bring(machine)).toBeUndefined();
    expect(cluster.world.guests[555]?.config['scsi0']).toMatch(/^local-lvm:/);
  });
});

describe('tags that the caller may not set are named at plan, ours among them', () => {
  const rules: [string, Record<string, string>, string[]][] = [
    ['none may be used', { 'user-tag-access': 'user-allow=none' }, [OURS, 'blue']],
    ['only listed ones may', { 'user-tag-access': 'user-allow=list,user-allow-list=blue' }, [OURS]],
    ['only those in use may', { 'user-tag-access': 'user-allow=existing,user-allow-list=blue' }, [OURS]],
    ['one is registered', { 'registered-tags': 'blue' }, ['blue']],
    ['ours is registered', { 'registered-tags': OURS }, [OURS]],
    ['all are free', { 'user-tag-access': 'user-allow=free' }, []],
    ['both are listed', { 'user-tag-access': `user-allow=list,user-allow-list=blue;${OURS}` }, []],
  ];
  const tagged = { ...web, tags: ['blue'] };

  test.each(rules)('when %s', async (_, datacenter, named) => {
    Object.assign(cluster.world.datacenter, datacenter);
    cluster.allow(without('Sys.Modify'));
    const refusals = await refused(tagged);
    const failure = await cluster.bring(tagged, { blindly: true });
    if (named.length === 0) {
      expect([refusals, failure]).toEqual([[], undefined]);
      return;
    }
    expect(failure).toContain('Sys.Modify for modifying tag');
    expect(refusals).toEqual([expect.objectContaining({ why: 'tags' })]);
    const { detail, remedy } = refusals[0]!;
    expect([OURS, 'blue'].filter(tag => detail.includes(`tag '${tag}'`))).toEqual(named);
    cluster.pveum(remedy);
    expect(await cluster.bring(tagged)).toBeUndefined();
  });

  test('without the right to read the rules nothing is said before', async () => {
    Object.assign(cluster.world.datacenter, { 'user-tag-access': 'user-allow=none' });
    cluster.allow(without('Sys.Modify', 'Sys.Audit'));
    expect(await refused(tagged)).toEqual([]);
  });

  test('tags that stay as they are ask for nothing', async () => {
    expect(await cluster.bring(tagged, ROOT)).toBeUndefined();
    cluster.writes();
    Object.assign(cluster.world.datacenter, { 'user-tag-access': 'user-allow=none' });
    cluster.allow(without('Sys.Modify'));
    expect(await refused({ ...tagged, memory: '4Gi' })).toEqual([]);
  });
});

describe('a snapshot', () => {
  const kept: Json = { ...blankMachine, snapshots: [{ name: 'clean' }] };

  test('needs VM.Snapshot, which is told before the machine is made', async () => {
    cluster.allow(without('VM.Snapshot', 'VM.Snapshot.Rollback'));
    const [refusal] = await refused(kept);
    expect(refusal).toMatchObject({ why: 'privileges', detail: expect.stringContaining('VM.Snapshot') });
    cluster.pveum(refusal?.remedy ?? '');
    expect(await refused(kept)).toEqual([]);
  });

  test('is gone back to with VM.Snapshot.Rollback alone, as Proxmox allows', async () => {
    expect(await cluster.bring(kept, ROOT)).toBeUndefined();
    cluster.writes();
    const back: Json = { ...blankMachine, revertTo: 'clean' };
    cluster.allow(without('VM.Snapshot', 'VM.Snapshot.Rollback'));
    const [refusal] = await refused(back);
    expect(refusal?.detail).toContain('VM.Snapshot.Rollback');
    cluster.allow(without('VM.Snapshot'));
    expect(await cluster.bring(back)).toBeUndefined();
  });
});
