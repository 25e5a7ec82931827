import { permissions } from '../../../reconciler/commands/permissions';
import { Reporter } from '../../../reconciler/report/reporter';
import type { GuestSystem } from '../../../simulator/world';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { labWorld, type Json } from '../../support/cluster/lab';
import { narrowTokenLab, type NarrowTokenLab, type Rule } from '../../support/cluster/narrow-token-lab';

const DISK = qcow2(2 ** 30);
const SYSTEM: GuestSystem = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
const RELEASES = {
  9: { release: '9.2', version: '9.2.11' },
  8: { release: '8.4', version: '8.4.1' },
} as const;

let server: ImageServer;
beforeAll(async () => (server = await imageServer({ '/debian.qcow2': DISK })));
afterAll(() => server.close());

/** What is done to a machine in its life, one after the other: each step by a run of its own. */
const clone: Json = {
  id: 'web',
  vmid: 555,
  node: 'pve1',
  image: { template: 9000 },
  agent: true,
  memory: '1Gi',
  networks: [{ name: 'lan' }],
  cloudInit: { userData: { packages: ['nginx'] }, waitForCompletion: true },
  waitFor: 'agent',
  timeouts: { agent: '1s', cloudInit: '1s' },
};
const changed: Json = {
  ...clone,
  cpu: { cores: 3 },
  memory: '2Gi',
  description: 'changed',
  tags: ['red'],
  restart: 'whenNeeded',
  cdrom: 'none',
  startup: { order: 1 },
  disks: [
    { name: 'root', size: '20G' },
    { name: 'data', size: '1G', storage: 'local-lvm' },
  ],
  networks: [{ name: 'lan', vlan: 20 }],
};
const blank: Json = {
  id: 'web',
  vmid: 556,
  image: { iso: 'shared:iso/debian-12.9.0-amd64-netinst.iso' },
  disks: [{ name: 'root', size: '2G', storage: 'local-lvm' }],
  networks: [{ name: 'dmz' }],
  cloudInit: { user: 'me' },
  pool: 'prod',
};
const moved: Json = {
  ...blank,
  disks: undefined,
  cdrom: 'none',
  pool: 'lab',
  node: 'pve2',
  pin: true,
};
const imported = (): Json => ({
  id: 'web',
  vmid: 557,
  power: 'stopped',
  image: { url: server.url('/debian.qcow2'), checksum: sha256(DISK) },
  disks: [{ name: 'root', storage: 'local-lvm', size: '2Gi' }],
});
const kept: Json = { ...changed, snapshots: [{ name: 'clean' }] };
const GONE = 'is destroyed';
const GONE_THERE = 'is destroyed while it runs, where it was moved to';
const CLONED = 'is cloned, with cloud-init data and questions to its agent';
/** Each step by a run of its own; undefined: the machine is destroyed. */
const steps = (): [string, Json | undefined][] => [
  [CLONED, clone],
  ['is changed', changed],
  ['gets a snapshot', kept],
  ['goes back to it', { ...kept, revertTo: 'clean' }],
  ['joins high availability', { ...kept, ha: {} }],
  ['leaves it', { ...kept, clear: ['ha'] }],
  ['loses its snapshot', changed],
  [GONE, undefined],
  ['is made from an ISO, in a pool', blank],
  ['gets another user', { ...blank, cloudInit: { user: 'you' } }],
  ['changes its pool', { ...blank, pool: 'lab' }],
  ['is moved', moved],
  [GONE_THERE, undefined],
  ['is imported from an address', imported()],
  [GONE, undefined],
  ['is adopted', { id: 'web', name: 'old', vmid: 700, adopt: true, power: 'stopped', description: 'ours' }],
  [GONE, undefined],
];

/** The documented role of a release, as rules: what `permissions` prints without a spec. */
async function documented(release: 8 | 9): Promise<Rule[]> {
  let out = '';
  const around = {
    environment: {},
    readInput: () => Promise.resolve(''),
    out: (text: string) => void (out += text),
    reporter: new Reporter({ write: () => undefined, level: 'info', json: false }),
    signal: new AbortController().signal,
  };
  await permissions(around, {});
  const [, eight = '', nine = ''] = out.split(/^# Proxmox VE /m);
  const lines = release === 8 ? eight : nine;
  const roles = new Map(
    [...lines.matchAll(/pveum role add (\S+) --privs (\S+)/g)].map(([, role = '', all = '']) => [
      role,
      all.split(','),
    ]),
  );
  const grants = [...lines.matchAll(/pveum acl modify (\S+) --roles (\S+)/g)];
  return grants.map(([, path = '', role = '']) => ({ path, privileges: roles.get(role) ?? [] }));
}

async function openLab(release: 8 | 9): Promise<NarrowTokenLab> {
  const world = labWorld();
  world.version = { ...RELEASES[release] };
  const template = world.guests[9000]!;
  template.system = { ...SYSTEM, cloudInit: { kind: 'runs', ms: 0, errors: [] } };
  world.guests[700] = {
    ...structuredClone(world.guests[100]!),
    vmid: 700,
    running: null,
    config: { name: 'old', memory: '512', smbios1: 'uuid=00000000-0000-4000-8000-000000000700' },
  };
  return narrowTokenLab(world);
}

/** The step that each privilege of the role stops, when it alone is taken away. */
const STOPS: Record<string, string> = {
  'Sys.Audit': 'joins high availability',
  'Sys.Console': 'joins high availability',
  'Sys.Modify': 'is changed',
  'Sys.AccessNetwork': 'is imported from an address',
  'Pool.Allocate': 'changes its pool',
  'Pool.Audit': 'is made from an ISO, in a pool',
  'SDN.Use': CLONED,
  'Datastore.Allocate': GONE,
  'Datastore.AllocateSpace': CLONED,
  'Datastore.AllocateTemplate': CLONED,
  'Datastore.Audit': 'is made from an ISO, in a pool',
  'VM.Allocate': CLONED,
  'VM.Audit': CLONED,
  'VM.Clone': CLONED,
  'VM.Config.CDROM': CLONED,
  'VM.Config.CPU': 'is changed',
  'VM.Config.Cloudinit': 'gets another user',
  'VM.Config.Disk': 'is changed',
  'VM.Config.HWType': CLONED,
  'VM.Config.Memory': CLONED,
  'VM.Config.Network': 'is changed',
  'VM.Config.Options': CLONED,
  'VM.GuestAgent.Audit': CLONED,
  'VM.GuestAgent.FileRead': CLONED,
  'VM.Migrate': 'is moved',
  'VM.Monitor': CLONED,
  'VM.PowerMgmt': GONE_THERE,
  'VM.Snapshot': 'gets a snapshot',
};

/** What stands in for a privilege, by Proxmox's own rules: both are taken away together. */
const STANDS_IN: Record<string, string> = {
  'Sys.AccessNetwork': 'Sys.Modify',
  'Datastore.Audit': 'Datastore.AllocateSpace',
};

const without = (rules: Rule[], ...gone: (string | undefined)[]): Rule[] =>
  rules.map(rule => ({ ...rule, privileges: rule.privileges.filter(each => !gone.includes(each)) }));

/** Why a step is refused before anything is written; undefined: it is not. */
async function refusal(cluster: NarrowTokenLab, want: Json | undefined): Promise<string | undefined> {
  if (want === undefined) return cluster.destroy();
  const [first] = (await cluster.plan(want)).refusals;
  return first && `${first.detail} ${first.remedy}`;
}

describe.each([9, 8] as const)('under the documented role of Proxmox VE %i', release => {
  test('a machine lives its whole life, and each privilege that is taken away stops a named step before its first write', async () => {
    const [lived, cluster] = await Promise.all([openLab(release), openLab(release)]);
    try {
      const rules = await documented(release);
      const before = new Map<string, { want: Json | undefined; world: string }>();
      for (const [name, want] of steps()) {
        // the first destroy is that of the machine with data of its own
        if (!before.has(name)) before.set(name, { want, world: JSON.stringify(lived.world) });
        lived.allow(...rules);
        const failure = want ? await lived.bring(want) : await lived.destroy();
        expect([name, failure]).toEqual([name, undefined]);
      }
      const held = [...new Set(rules.flatMap(({ privileges }) => privileges))];
      // a cluster of its own: what the life above left under way, such as a shutdown, does not reach it
      for (const privilege of held) {
        const step = before.get(STOPS[privilege] ?? '');
        if (step === undefined) throw new Error(`no step needs ${privilege}`);
        cluster.simulator.reset(JSON.parse(step.world) as typeof cluster.world);
        cluster.allow(...without(rules, privilege, STANDS_IN[privilege]));
        cluster.writes();
        const said = await refusal(cluster, step.want);
        expect([privilege, said]).toEqual([
          privilege,
          expect.stringContaining(
            STANDS_IN[privilege] === 'Datastore.AllocateSpace' ? 'Datastore.' : privilege,
          ),
        ]);
        expect([privilege, cluster.writes()]).toEqual([privilege, []]);
      }
      const agent = release === 9 ? ['VM.GuestAgent.Audit', 'VM.GuestAgent.FileRead'] : ['VM.Monitor'];
      expect(held.filter(each => /Agent|Monitor/.test(each))).toEqual(agent);
      expect(held.length).toBe(release === 9 ? 27 : 26);
    } finally {
      await lived.close();
      await cluster.close();
    }
  });
});
