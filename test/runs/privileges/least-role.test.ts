import { permissions } from '../../../reconciler/commands/permissions';
import { Reporter } from '../../../reconciler/report/reporter';
import { desiredJson, type Json } from '../../support/cluster/lab';
import { NARROW, narrowTokenLab, type NarrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { programAccess } from '../../support/cluster/program-access';

const blank: Json = {
  id: 'web',
  vmid: 555,
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'dmz', vlan: 20 }],
  tags: ['blue'],
};
const clone: Json = {
  id: 'web',
  vmid: 555,
  image: { template: 'ubuntu-22.04' },
  memory: '4Gi',
  cpu: { cores: 4 },
  disks: [{ name: 'root', size: '20G' }],
  networks: [{ name: 'lan' }],
  cloudInit: { user: 'me' },
};

let cluster: NarrowTokenLab;
beforeEach(async () => (cluster = await narrowTokenLab()));
afterEach(() => cluster.close());

async function asked(machine: Json | undefined, more: object = {}, as: Record<string, string> = {}) {
  const said: string[] = [];
  let out = '';
  const around = {
    environment: { ...programAccess(cluster.simulator), ...as },
    readInput: () => Promise.resolve(JSON.stringify(desiredJson(machine ? [machine] : []))),
    out: (text: string) => void (out += text),
    reporter: new Reporter({ write: line => said.push(line), level: 'info', json: false }),
    signal: new AbortController().signal,
  };
  const code = await permissions(around, { ...(machine ? { spec: ['-'] } : {}), ...more });
  return { code, out, said };
}

const asNarrow = { PVE_TOKEN_ID: NARROW.id, PVE_TOKEN_SECRET: NARROW.secret };

/** What the lines give, given to the narrow token instead; without one privilege where that is said. */
function give(lines: string, without?: string): void {
  const roles = new Map(
    [...lines.matchAll(/pveum role add (\S+) --privs (\S+)/g)].map(([, role = '', all = '']) => [
      role,
      all.split(','),
    ]),
  );
  const grants = [...lines.matchAll(/pveum acl modify (\S+) --roles (\S+)/g)];
  cluster.allow(
    ...grants.map(([, path = '', role = '']) => ({
      path,
      privileges: (roles.get(role) ?? []).filter(each => each !== without),
    })),
  );
}

const privilegesIn = (lines: string): string[] => [
  ...new Set([...lines.matchAll(/--privs (\S+)/g)].flatMap(([, all = '']) => all.split(','))),
];

describe.each([
  ['from nothing', blank],
  ['by a clone', clone],
])('a machine that is made %s', (_, machine) => {
  test('lives and dies under exactly the role that is printed, and --check agrees', async () => {
    const { code, out, said } = await asked(machine);
    expect({ code, said }).toEqual({ code: 0, said: [] });
    give(out);
    expect(await asked(machine, { check: true }, asNarrow)).toMatchObject({
      code: 0,
      out: `# ${NARROW.id} may do all that is needed.\n`,
    });
    expect(await cluster.bring(machine)).toBeUndefined();
    const changed = {
      ...machine,
      description: 'changed',
      tags: ['red'],
      memory: '2Gi',
      restart: 'whenNeeded',
    };
    expect(await cluster.bring(changed)).toBeUndefined();
    expect(await cluster.destroy()).toBeUndefined();
    expect(cluster.world.guests[555]).toBeUndefined();
  });

  test('without any one privilege of it --check names that, and nothing was written', async () => {
    const { out } = await asked(machine);
    // without VM.Audit no guest is seen at all, and without the others nothing hides
    for (const privilege of privilegesIn(out).filter(each => each !== 'VM.Audit')) {
      give(out, privilege);
      cluster.writes();
      const told = await asked(machine, { check: true }, asNarrow);
      const names = told.out.includes(privilege) || told.said.join('').includes(privilege);
      expect([privilege, told.code, names]).toEqual([privilege, 3, true]);
      expect(told.out + told.said.join('')).toMatch(
        /^# pveum acl modify \S+ --roles pvr-\S+ --users 'ops@pve'$|what is needed is not known/im,
      );
      expect(cluster.writes()).toEqual([]);
    }
  });
});

test('without a spec the least roles of both versions are told', async () => {
  const { code, out } = await asked(undefined);
  expect(code).toBe(0);
  const [, eight = '', nine = ''] = out.split(/^# Proxmox VE /m);
  expect([eight.includes('VM.Monitor'), nine.includes('VM.Monitor')]).toEqual([true, false]);
  expect(nine).toContain('VM.GuestAgent.Audit');
  give(nine);
  expect(await cluster.bring(blank)).toBeUndefined();
  expect(await cluster.destroy()).toBeUndefined();
});

test('--check never says yes where a machine could not be judged', async () => {
  cluster.world.access.acl = [];
  const { code, out, said } = await asked(clone, { check: true }, asNarrow);
  expect(code).toBe(3);
  expect(said.join('')).not.toBe('');
  expect(out).not.toContain('may do all that is needed');
});
