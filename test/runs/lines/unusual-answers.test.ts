import type { Told } from '../../support/cluster/altered-cluster';
import { alteredCluster, withData } from '../../support/cluster/altered-cluster';
import type { CliLab } from '../../support/processes/cli';
import { blankMachine } from '../../support/runs/blank-machine';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', image: { template: 'debian-12' }, cpu: { cores: 2 } };

type Rows = Record<string, unknown>[];
type Alter = Parameters<typeof alteredCluster>[1];

/** Works on a simulated cluster through a server that tells it otherwise. */
async function through(alter: Alter, work: (lab: CliLab, env: Record<string, string>) => Promise<void>) {
  const lab = await lineLab();
  const server = await alteredCluster(lab.simulator, alter);
  try {
    await work(lab, server.access);
  } finally {
    await server.close();
    await lab.close();
  }
}

const NOT_THERE: Told = {
  status: 501,
  reason: 'Not implemented',
  text: '{"data":null,"message":"Method not implemented\\n"}',
};

const NO_PAGE: Told = { status: 404, reason: 'Not Found', text: '<html>404</html>' };
const FORBIDDEN: Told = { status: 403, reason: 'Forbidden', text: '{"data":null}' };

/** Spells each value of an answer in another way that means the same; rows say more than anybody reads. */
const otherwise = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rowOtherwise);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SWITCHES.has(key) ? inner === 1 : otherwise(inner)]),
  );
};
const rowOtherwise = (row: unknown): unknown =>
  typeof row === 'object' ? { ...(otherwise(row) as object), more: [{}], nothing: null } : otherwise(row);
const SWITCHES = new Set(['template', 'shared', 'active', 'enabled', 'quorate', 'online', 'local']);

describe('a server that means well', () => {
  test.each<[string, Alter]>([
    [
      'has no optional requests',
      ({ method, path }, told) =>
        method === 'GET' &&
        /^\/(version|cluster\/(options|status)|access\/permissions)$|\/(network|storage)$/.test(path)
          ? NOT_THERE
          : told,
    ],
    [
      'has no such pages, and forbids what it has',
      ({ path }, told) => {
        if (/^\/(version|access\/permissions)$|\/pending$/.test(path)) return NO_PAGE;
        return /^\/cluster\/(options|status)$|\/(network|storage)$/.test(path) ? FORBIDDEN : told;
      },
    ],
    [
      'tells nothing where nothing is decided',
      ({ path }, told) => (/^\/(version|cluster\/options)$/.test(path) ? withData(told, () => null) : told),
    ],
    ['spells numbers as texts and switches as words', (_, told) => withData(told, otherwise)],
    [
      'lists tasks that have ended among the active ones',
      ({ path }, told) =>
        /\/tasks$/.test(path)
          ? withData(told, rows => [
              ...(rows as Rows),
              {
                upid: 'UPID:pve1:00000001:00000001:60000000:qmclone:9001:root@pam:',
                type: 'qmclone',
                id: '9001',
                status: 'OK',
                endtime: 1_600_000_000,
              },
            ])
          : told,
    ],
  ])('%s: a machine is made, and then in sync', (_, alter) =>
    through(alter, async (lab, env) => {
      const made = await lab.people('reconcile', [web], [], env);
      expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('1 machine is as wanted')]);
      expect(lab.guests('web')).toHaveLength(1);
      expect(await lab.people('plan', [web], ['--check'], env)).toMatchObject({ code: 0, stderr: '' });
      expect((await lab.people('status', [web], [], env)).code).toBe(0);
    }),
  );
});

describe('a server that keeps the rights of the caller to itself, and lists no guest', () => {
  test.each<[string, Told]>([
    ['403', FORBIDDEN],
    ['404', NO_PAGE],
  ])('%s: no machine is made, none is taken for gone, and no file goes', (_, answer) => {
    let isSilent = false;
    const hidden: Alter = ({ path }, told) => {
      if (path === '/access/permissions') return answer;
      if (path === '/cluster/resources')
        return withData(told, rows => (rows as Rows).filter(({ vmid }) => vmid === undefined));
      return /\/qemu$/.test(path) ? withData(told, () => []) : told;
    };
    return through(
      (request, told) => (isSilent && request.method === 'GET' ? hidden(request, told) : told),
      async (lab, env) => {
        expect((await lab.people('reconcile', [blankMachine], [], env)).code).toBe(0);
        lab.writes();
        isSilent = true;
        const runs = [
          await lab.people('reconcile', [blankMachine], [], env),
          await lab.destroy('web', { entry: '', env }),
          await lab.people('gc', [], ['--yes'], env),
        ];
        for (const { code, stderr } of runs)
          expect([code, stderr]).toEqual([3, expect.stringContaining('Grant VM.Audit on /vms')]);
        expect(lab.writes()).toEqual([]);
        const { code, stdout } = await lab.people('doctor', [blankMachine], [], env);
        expect([code, stdout]).toEqual([1, expect.stringContaining('the user is not told what he may do')]);
      },
    );
  });
});

test.each<[string, object]>([
  ['that Perl writes with an exponent', { cpu: '5.2e-05' }],
  [
    'that is none',
    { cpu: 'NaN', maxcpu: [], maxmem: 'NaN', memhost: 'x', mem: {}, maxdisk: '-', disk: 'inf' },
  ],
])('a measured number %s stops no machine', (_, odd) =>
  through(
    ({ path }, told) => {
      if (path === '/cluster/resources')
        return withData(told, rows => (rows as Rows).map(row => ({ ...row, ...odd })));
      return path.endsWith('/storage')
        ? withData(told, rows => (rows as Rows).map(row => ({ ...row, total: 'NaN', avail: 'NaN' })))
        : told;
    },
    async (lab, env) => {
      expect((await lab.people('reconcile', [blankMachine], [], env)).code).toBe(0);
      for (const verb of ['plan', 'status'])
        expect((await lab.people(verb, [blankMachine], [], env)).code).toBe(0);
    },
  ),
);

test('a node that does not tell how much memory it uses is judged neither full nor empty', () =>
  through(
    ({ path }, told) =>
      path === '/cluster/resources'
        ? withData(told, rows =>
            (rows as Rows).map(row => ({ ...row, ...(row['type'] === 'node' && { mem: 'NaN', maxmem: 1 }) })),
          )
        : told,
    async (lab, env) => {
      expect((await lab.people('plan', [blankMachine], [], env)).code).toBe(0);
    },
  ));

const withoutDigest: Alter = ({ path }, told) =>
  path.endsWith('/pending')
    ? withData(told, rows => (rows as Rows).filter(({ key }) => key !== 'digest'))
    : told;

describe('an answer that decides a write and is not whole', () => {
  test.each<[string, Alter]>([
    ['a configuration without its digest', withoutDigest],
    [
      'an empty configuration',
      ({ path }, told) => (path.endsWith('/pending') ? withData(told, () => []) : told),
    ],
    [
      'a cluster that does not tell its quorum',
      ({ path }, told) =>
        path === '/cluster/status'
          ? withData(told, rows => (rows as Rows).map(row => ({ ...row, quorate: undefined })))
          : told,
    ],
  ])('%s: nothing is sent, and what was expected is said', (_, alter) => {
    let isWhole = true;
    return through(
      (request, told) => (isWhole ? told : alter(request, told)),
      async (lab, env) => {
        expect((await lab.people('reconcile', [web], [], env)).code).toBe(0);
        lab.writes();
        isWhole = false;
        const changed = { ...web, cpu: { cores: 4 } };
        const runs = await Promise.all([
          lab.people('reconcile', [changed], [], env),
          lab.apply(changed, { env }),
          lab.destroy('web', { entry: '', env }),
        ]);
        for (const { code, stderr } of runs) {
          expect(code).toBe(1);
          expect(stderr).toMatch(/GET \/.*unexpected answer \(data.*expected/);
          expect(stderr).not.toMatch(/\n\s+at /);
        }
        expect(lab.writes()).toEqual([]);
      },
    );
  });

  test('where a template has no digest, no clone is begun that could not be finished', () =>
    through(withoutDigest, async (lab, env) => {
      const ran = await lab.people('reconcile', [web], [], env);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('expected a digest')]);
      expect(lab.writes()).toEqual([]);
    }));

  test('a clone that answers without a task is not done: the run says so, and sends nothing more', () =>
    through(
      ({ method, path }, told) =>
        method === 'POST' && path.endsWith('/clone') ? withData(told, () => null) : told,
      async (lab, env) => {
        const ran = await lab.people('reconcile', [web], [], env);
        expect(ran.code).toBe(1);
        expect(ran.stderr).toContain('may have done it');
        expect(lab.writes()).toEqual([expect.stringMatching(/^POST .*\/clone$/)]);
        expect((await lab.people('reconcile', [web])).code).toBe(0);
        expect(lab.guests('web')).toHaveLength(1);
      },
    ));
});
