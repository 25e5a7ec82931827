import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { PRIVILEGES } from '../../../simulator/schema/formats/privilege-list';
import { administratorOf, type Administrator } from '../../support/cluster/administrator';
import { desiredJson, lab, labWorld, type Json, type Lab } from '../../support/cluster/lab';
import { narrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { programAccess } from '../../support/cluster/program-access';
import { planOf } from '../../support/review/plan-document';
import { blankMachine } from '../../support/runs/blank-machine';
import { lineLab } from '../../support/runs/line-lab';
import { runLine } from '../../reconciler/walk/live';

const web = { ...blankMachine, vmid: 700, rebuildOn: ['disks'] };
const anew = { ...web, disks: [{ name: 'root', size: '2G', storage: 'local-lvm' }] };
const ELSEWHERE = /cluster\/(backup|replication|ha\/rules)|access\/acl|\/firewall\//;

/** What others gave it, each with its words. */
const ENTRIES = [
  'backup job nightly (its list of guests)',
  'backup job alone as a whole (it lists no other guest)',
  'exclusion from backup job most',
  'replication job 700-0 to pve2 (its copies of the disks stay there)',
  '2 firewall rules',
  '1 firewall alias',
  '1 firewall IP set',
  'firewall options (enable, policy_in)',
  'rights of ops@pve (PVEVMUser) on /vms/700',
  'HA rule apart as a whole (it names no other)',
];

const job = (by: Administrator, id: string, guests: Record<string, string>): Promise<boolean> =>
  by('POST', '/cluster/backup', { id, schedule: '21:00', ...guests });

async function given({ world, simulator }: Pick<Lab, 'world' | 'simulator'>): Promise<void> {
  const by = administratorOf({ simulator });
  const firewall = '/nodes/pve1/qemu/700/firewall';
  world.replicationJobs = { '700-0': { target: 'pve2' }, '100-0': { target: 'pve1' } };
  const rule = { rule: 'apart', type: 'node-affinity', nodes: 'pve1', resources: 'vm:700' };
  const done = [
    await job(by, 'nightly', { vmid: '100,700' }),
    await job(by, 'others', { vmid: '100,7000' }),
    await job(by, 'alone', { vmid: '700' }),
    await job(by, 'most', { exclude: '700' }),
    await job(by, 'all', { all: '1' }),
    await by('POST', `${firewall}/rules`, { type: 'in', action: 'ACCEPT' }),
    await by('POST', `${firewall}/rules`, { type: 'out', action: 'DROP' }),
    await by('PUT', `${firewall}/options`, { enable: '1', policy_in: 'DROP' }),
    await by('POST', `${firewall}/aliases`, { name: 'office', cidr: '192.0.2.0/24' }),
    await by('POST', `${firewall}/ipset`, { name: 'friends' }),
    await by('POST', '/access/users', { userid: 'ops@pve' }),
    await by('PUT', '/access/acl', { path: '/vms/700', users: 'ops@pve', roles: 'PVEVMUser' }),
    await by('POST', '/cluster/ha/rules', rule),
  ];
  expect(done).toEqual(done.map(() => true));
}

const line = (
  { simulator }: Lab,
  wanted: Json,
  words: string[],
  answer: (question: string) => string = () => 'n',
) =>
  runLine([...words, '--spec', '-'], programAccess(simulator), JSON.stringify(desiredJson([wanted])), {
    answer,
  });

describe('what others gave a machine', () => {
  let cluster: Lab;
  beforeAll(async () => {
    cluster = await lab();
    expect(await cluster.bring({ ...web, ha: {} })).toEqual([]);
    await given(cluster);
  });
  afterAll(() => cluster.close());

  const asked = (): string[] =>
    cluster.simulator.ledger
      .entries()
      .map(({ method, path }) => `${method} ${path}`)
      .filter(request => ELSEWHERE.test(request));
  const calls = async (work: Promise<unknown>): Promise<number> => {
    cluster.simulator.ledger.reset();
    await work;
    return asked().length;
  };

  it('is named by the plan of a rebuild', async () => {
    const { out } = await line(cluster, { ...anew, ha: {} }, ['plan']);
    expect(out).toContain(`and its entries elsewhere (${ENTRIES.join(', ')})`);
  });

  it('is asked for by no plan but that of a rebuild, which takes eight requests', async () => {
    const changed = { ...web, ha: {}, memory: '2Gi', description: 'of the day' };
    expect(await calls(line(cluster, changed, ['plan']))).toBe(0);
    expect(await calls(line(cluster, { ...web, ha: {} }, ['status']))).toBe(0);
    expect(await calls(line(cluster, { ...anew, ha: {} }, ['plan']))).toBe(8);
    expect(await calls(cluster.bring({ ...web, ha: {}, description: 'of the day' }))).toBe(0);
    expect(await calls(cluster.bring({ ...web, id: 'other', vmid: 701 }))).toBe(0);
  });

  it('is named by the question of a destroy by hand', async () => {
    const questions: string[] = [];
    const answer = (question: string): string => (questions.push(question), 'n');
    await line(cluster, { ...web, ha: {} }, ['destroy', 'web'], answer);
    expect(questions.join()).toContain(`and its entries elsewhere (${ENTRIES.join(', ')}).`);
    expect(cluster.world.guests[700]).toBeDefined();
  });

  it('goes with it', async () => {
    expect(await cluster.bring({ ...anew, ha: {} })).toEqual([]);
    const { backupJobs, replicationJobs, firewall, access, ha } = cluster.world;
    expect(Object.keys(backupJobs ?? {})).toEqual(['nightly', 'others', 'most', 'all']);
    expect(backupJobs).toMatchObject({ nightly: { vmid: '100' } });
    expect(Object.keys(replicationJobs ?? {})).toEqual(['100-0']);
    expect([firewall['700'], ha.rules]).toEqual([undefined, {}]);
    expect(access.acl.filter(({ path }) => path === '/vms/700')).toEqual([]);
  });
});

test('without Sys.Audit on / the plan of a rebuild says what could not be read, and is no refusal', async () => {
  const narrow = await narrowTokenLab();
  try {
    const most = PRIVILEGES.filter(privilege => privilege !== 'Sys.Audit');
    narrow.allow({ path: '/', privileges: most });
    expect(await narrow.bring(web)).toBeUndefined();
    expect(await job(administratorOf(narrow), 'nightly', { vmid: '100,700' })).toBe(true);
    const { refusals, losses, warnings } = await narrow.plan(anew);
    expect([refusals, losses?.entries]).toEqual([[], undefined]);
    expect(warnings?.map(({ text }) => text)).toEqual([
      'what else names its number could not be read, and goes with it where it is there: ' +
        'backup jobs: GET /cluster/backup: 403 Permission check failed (/, Sys.Audit). ' +
        'Look there yourself, or let a user plan it that may read it.',
    ]);
    expect((await narrow.plan({ ...web, memory: '2Gi' })).warnings).toBeUndefined();
  } finally {
    await narrow.close();
  }
});

test('on Proxmox 8 the group of HA is named, which a spec with ha does not say', async () => {
  const world = labWorld();
  world.version = { release: '8.4', version: '8.4.21' };
  const cluster = await lab({ world });
  try {
    expect(await cluster.bring({ ...web, ha: {} })).toEqual([]);
    const by = administratorOf(cluster);
    expect(await by('POST', '/cluster/ha/groups', { group: 'left', nodes: 'pve1' })).toBe(true);
    expect(await by('PUT', '/cluster/ha/resources/vm:700', { group: 'left' })).toBe(true);
    const { out } = await line(cluster, { ...anew, ha: {} }, ['plan']);
    expect(out).toContain('and its entries elsewhere (place in HA group left)');
    expect(out).not.toContain('could not be read');
    expect((await line(cluster, { ...anew, ha: { group: 'left' } }, ['plan'])).out).not.toContain(
      'elsewhere',
    );
  } finally {
    await cluster.close();
  }
});

describe("Terraform's plan of a rebuild", () => {
  const withPlan = async (
    work: (there: Awaited<ReturnType<typeof lineLab>>, told: Told) => Promise<void>,
  ) => {
    const there = await lineLab();
    try {
      expect((await there.apply(web)).code).toBe(0);
      expect(await job(administratorOf(there), 'nightly', { vmid: '100,700' })).toBe(true);
      await work(there, (await there.observe({ web: anew })).told);
    } finally {
      await there.close();
    }
  };

  it('names it, also in the review, and its apply does what was named', () =>
    withPlan(async (there, told) => {
      const own = Object.entries(told).flatMap(([key, value]) =>
        key.startsWith('web.') ? [[key.slice('web.'.length), value] as const] : [],
      );
      const text = reviewText(reviewPlan(planOf({ web: Object.fromEntries(own) }), 'plan.json'));
      expect(text).toContain('backup job nightly (its list of guests)');
      expect(await there.apply(anew, { token: told['web.token'] ?? '' })).toMatchObject({ code: 0 });
      expect(there.world.backupJobs).toMatchObject({ nightly: { vmid: '100' } });
    }));

  it('is not carried out where somebody put it into another job since', () =>
    withPlan(async (there, told) => {
      expect(await job(administratorOf(there), 'late', { vmid: '100,700' })).toBe(true);
      expect(await there.apply(anew, { token: told['web.token'] ?? '' })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('would also take backup job late (its list of guests)') as string,
      });
      expect(there.world.backupJobs).toMatchObject({
        late: { vmid: '100,700' },
        nightly: { vmid: '100,700' },
      });
    }));
});

type Told = Record<string, string>;
