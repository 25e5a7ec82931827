import type { Told } from '../../support/cluster/altered-cluster';
import { alteredCluster, withData } from '../../support/cluster/altered-cluster';
import type { CliLab } from '../../support/processes/cli';
import { blankMachine } from '../../support/runs/blank-machine';
import { lineLab, runHere } from '../../support/runs/line-lab';

/** What fakes of Proxmox did that other people wrote (docs/simulator-clients.md), told of a simulated cluster. */
type Rows = Record<string, unknown>[];
type Alter = Parameters<typeof alteredCluster>[1];

async function through(
  alter: Alter,
  work: (lab: CliLab, env: Record<string, string>) => Promise<void>,
  understood?: (asked: string) => string,
) {
  const lab = await lineLab();
  const server = await alteredCluster(lab.simulator, alter, understood);
  try {
    await work(lab, server.access);
  } finally {
    await server.close();
    await lab.close();
  }
}

const disk = { name: 'root', size: '4Gi', storage: 'local-lvm' };
const web = { ...blankMachine, disks: [disk] };

test('guests that answer in an unknown form: doctor says what was answered, and asks for no privilege', () =>
  through(
    ({ path }, told) => (path.endsWith('/pending') ? withData(told, () => []) : told),
    async (lab, env) => {
      expect((await lab.people('reconcile', [web])).code).toBe(0);
      const { stdout } = await lab.people('doctor', [web], [], env);
      expect(stdout).toMatch(
        /could not be read, so nothing is said of their marks: .*guest \d+ \(web\).*\. To the first: GET \/nodes\/\S+\/pending: 200 unexpected answer \(data: expected a digest/,
      );
      expect(stdout).not.toContain('Grant VM.Audit');
    },
  ));

test('guests that are hidden: doctor asks for the privilege', () =>
  through(
    ({ path }, told) =>
      /\/qemu\/9001\/(pending|config)$/.test(path)
        ? { status: 403, reason: 'Permission check failed (/vms/9001, VM.Audit)', text: '{"data":null}' }
        : told,
    async (lab, env) => {
      const { stdout } = await lab.people('doctor', [web], [], env);
      expect(stdout).toMatch(
        /1 guest could not be read, .*: guest 9001 \(debian-12\) on pve1\.\n +Grant VM\.Audit on \/vms/,
      );
    },
  ));

test('a disk whose line names no size: the plan says that nobody can tell whether it is large enough', () =>
  through(
    ({ path }, told) =>
      path.endsWith('/pending')
        ? withData(told, rows =>
            (rows as Rows).map(row => ({
              ...row,
              value: String(row['value'] ?? '').replace(/,size=\w+/, ''),
            })),
          )
        : told,
    async (lab, env) => {
      expect((await lab.people('reconcile', [web])).code).toBe(0);
      lab.writes();
      const grown = { ...web, disks: [{ ...disk, size: '6Gi' }] };
      const { code, stderr } = await lab.people('reconcile', [grown], [], env);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/disk root: Proxmox names no size of it.*6Gi.*qm disk rescan --vmid \d+/),
      ]);
      expect(lab.writes()).toEqual([]);
    },
  ));

test('a snapshot that cannot be taken: the failure names the machine', () =>
  through(
    ({ path }, told) =>
      path.endsWith('/feature') ? withData(told, () => ({ hasFeature: { snapshot: 1 } })) : told,
    async (lab, env) => {
      expect((await lab.people('reconcile', [web])).code).toBe(0);
      lab.writes();
      const { code, stderr } = await lab.people('snapshot', [web], ['create', 'web', 'clean'], env);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^web: ERROR: GET .*\/feature: 200 unexpected/m),
      ]);
      expect(stderr.match(/\/feature/g)).toHaveLength(1);
      expect(lab.writes()).toEqual([]);
    },
  ));

test('a guest that was made and lost its mark: the run says that it is there, and makes no second one', () =>
  through(
    (_, told) => told,
    async (lab, env) => {
      const { code, stderr } = await lab.people('reconcile', [web], [], env);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /web: ERROR: VM (\d+) was made on \w+, and VM \1 is there without our mark.*before you run again: the next run makes a new one/,
        ),
      ]);
      expect(lab.writes().filter(line => /^POST .*\/qemu$/.test(line))).toHaveLength(1);
    },
    asked => asked.replace(/(^|&)(description|tags|smbios1)=[^&]*/g, ''),
  ));

test('rights that are hidden where no guest is listed: the refusal names the request', () => {
  const NO_PAGE: Told = { status: 404, reason: 'Not Found', text: '404 page not found' };
  return through(
    ({ path }, told) => {
      if (path === '/access/permissions') return NO_PAGE;
      if (path !== '/cluster/resources') return told;
      return withData(told, rows => (rows as Rows).filter(({ vmid }) => vmid === undefined));
    },
    async (lab, env) => {
      const { code, stderr } = await lab.people('reconcile', [web], [], env);
      expect([code, stderr]).toEqual([3, expect.stringContaining('GET /access/permissions')]);
      expect(lab.writes()).toEqual([]);
    },
  );
});

test('answers without their envelope: it says that the data is missing', () =>
  through(
    ({ path }, told) => (path === '/cluster/resources' ? { ...told, text: '{"version":"9.0"}' } : told),
    async (lab, env) => {
      const { code, stderr } = await lab.people('plan', [web], [], env);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('GET /cluster/resources: 200 unexpected answer (it holds no data)'),
      ]);
    },
  ));

test('a list of the cluster that never shows what was made: the run says what it waits for, until its time is up', () =>
  through(
    ({ path }, told) =>
      path === '/cluster/resources'
        ? withData(told, rows =>
            (rows as Rows).filter(({ vmid }) => vmid === undefined || Number(vmid) < 10_000),
          )
        : told,
    async (lab, env) => {
      const { code, stderr } = await lab.people(
        'reconcile',
        [{ ...web, timeouts: { create: '5s' } }],
        [],
        env,
      );
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /web: waits for the list of the cluster to show VM 10000 \(GET \/cluster\/resources\): \ds so far, at most 5s\.[^]*its time is up/,
        ),
      ]);
      expect(lab.writes().filter(line => /^POST .*\/qemu$/.test(line))).toHaveLength(1);
    },
  ));

test('a rollback that ends well and shows in no vmgenid: it is not done twice, and the run says what to look at', () =>
  through(
    ({ path }, told) =>
      path.endsWith('/pending')
        ? withData(told, rows =>
            (rows as Rows).map(row =>
              row['key'] === 'vmgenid' ? { ...row, value: '11111111-2222-4333-8444-555555555555' } : row,
            ),
          )
        : told,
    async (lab, env) => {
      expect((await lab.people('reconcile', [web])).code).toBe(0);
      expect((await lab.people('snapshot', [web], ['create', 'web', 'clean'])).code).toBe(0);
      lab.writes();
      const ran = await lab.people('snapshot', [web], ['revert', 'web', 'clean', '--yes'], env);
      expect([ran.code, ran.stderr]).toEqual([
        3,
        expect.stringMatching(
          /web: REFUSED: Proxmox ended the rollback of VM (\d+) to 'clean' well.* not rolled back twice\. Look at /,
        ),
      ]);
      expect(lab.writes().filter(line => line.includes('/rollback'))).toHaveLength(1);
    },
  ));

test('a server that tells neither the quorum nor the rights: doctor calls neither of them well', () =>
  through(
    ({ path }, told) =>
      /^\/(cluster\/status|access\/permissions)$/.test(path)
        ? { status: 501, reason: 'Not implemented', text: '{"data":null}' }
        : told,
    async (lab, env) => {
      const { code, stdout } = await lab.people('doctor', [web], [], env);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          /warning +quorum\n.*\(GET \/cluster\/status\)[^]*warning +permissions\n.*\(GET \/access\/permissions\)/,
        ),
      ]);
    },
  ));

test('a guest whose configuration is not understood: adopt says what was answered, and not that a node is down', () =>
  through(
    ({ path }, told) =>
      path.endsWith('/pending')
        ? withData(told, rows => (rows as Rows).filter(({ key }) => key !== 'digest'))
        : told,
    async (lab, env) => {
      const line = ['adopt', '100', '--owner', 'team/lab', '--cluster', 'lab', '--yes'];
      const { code, stderr } = await runHere(line, { ...lab.access, ...env });
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(
          /not adopted: it cannot be read: GET \/nodes\/\w+\/qemu\/\d+\/pending: 200 unexpected answer \(data: expected a digest/,
        ),
      ]);
      expect(stderr).not.toContain('when its node is up');
      expect(lab.writes()).toEqual([]);
    },
  ));
