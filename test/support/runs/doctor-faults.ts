import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../../../simulator';
import { applyEvent } from '../../../simulator/events/apply';
import { newIdentity } from '../../../simulator/wire/certificate';
import { alteredCluster, withData } from '../cluster/altered-cluster';
import type { Json, Lab } from '../cluster/lab';
import { NARROW } from '../cluster/narrow-token-lab';

/** What a fault is planted in: a cluster with the machines `web` and `db`, and what the program is given. */
export interface Ground {
  cluster: Lab;
  env: Record<string, string>;
  /** The desired state: its machines and its cluster. */
  machines: Json[];
  want: Json;
  /** Called when it is over. */
  after: (() => unknown)[];
}

/** What is wrong, how it is planted, and the check, the words and the remedy that name it. */
type Row = [what: string, plant: (ground: Ground) => unknown, check: string, says: RegExp, remedy: RegExp];

const config = ({ cluster }: Ground, name: string): Record<string, string> =>
  Object.values(cluster.world.guests).find(guest => guest.config['name'] === name)?.config ?? {};

const mark = (ground: Ground, name: string, alter: (text: string) => string): void => {
  const of = config(ground, name);
  of['description'] = alter(of['description'] ?? '');
};

const world = (change: (world: World) => unknown) => (ground: Ground) => change(ground.cluster.world);
const env = (change: Record<string, string>) => (ground: Ground) => Object.assign(ground.env, change);

/** Answers of one path are other ones. */
const answers =
  (path_: string, change: (data: never) => unknown) =>
  async ({ cluster, env: given, after }: Ground): Promise<void> => {
    const altered = await alteredCluster(cluster.simulator, ({ path: asked }, told) =>
      asked === path_ ? withData(told, data => change(data as never)) : told,
    );
    Object.assign(given, altered.access);
    after.push(altered.close);
  };

/** The caller is a token with these privileges everywhere. */
const narrow =
  (...privileges: string[]) =>
  ({ cluster, env: given }: Ground): void => {
    const { access } = cluster.world;
    const tokens = { tf: { value: NARROW.secret, privsep: false } };
    access.users['ops@pve'] = { enable: true, tokens };
    access.roles['some'] = privileges;
    access.acl.push({ path: '/', type: 'user', ugid: 'ops@pve', roleid: 'some', propagate: true });
    Object.assign(given, { PVE_TOKEN_ID: NARROW.id, PVE_TOKEN_SECRET: NARROW.secret });
  };
const SEEING = ['VM.Audit', 'Datastore.Audit', 'Sys.Audit'];

export const DOCTOR_FAULTS: Row[] = [
  ['no endpoint', env({ PVE_ENDPOINT: '' }), 'configuration', /endpoint is required/, /mend it/],
  [
    'an endpoint that is no address',
    env({ PVE_ENDPOINT: 'https://:8006' }),
    'configuration',
    /URL/i,
    /mend it/,
  ],
  [
    'a token without its secret',
    env({ PVE_TOKEN_SECRET: '' }),
    'configuration',
    /PVE_TOKEN_SECRET/,
    /mend it/,
  ],
  [
    'nobody at the endpoint',
    env({ PVE_ENDPOINT: 'https://127.0.0.1:1' }),
    'endpoint',
    /refused/i,
    /port 8006/,
  ],
  [
    'a second endpoint that is dead',
    ({ env: given }) => (given['PVE_ENDPOINT'] += ',https://127.0.0.1:1'),
    'endpoint',
    /127\.0\.0\.1:1\b/,
    /the node is up/,
  ],
  ['another authority', env({ PVE_CA_BUNDLE: newIdentity([]).ca }), 'tls', /not trusted/, /PVE_CA_BUNDLE/],
  [
    'another fingerprint',
    env({ PVE_FINGERPRINT: Array(32).fill('AA').join(':') }),
    'tls',
    /not trusted/,
    /PVE_FINGERPRINT/,
  ],
  [
    'a certificate that nobody checks',
    env({ PVE_CA_BUNDLE: '', PVE_INSECURE_SKIP_VERIFY: 'true' }),
    'tls',
    /not checked/,
    /PVE_FINGERPRINT/,
  ],
  [
    'a wrong secret',
    env({ PVE_TOKEN_SECRET: '22222222-1111-4111-8111-111111111111' }),
    'credentials',
    /401/,
    /PVE_TOKEN_ID/,
  ],
  [
    'a user who is disabled',
    world(({ access }) => Object.assign(access.users['root@pam'] ?? {}, { enable: false })),
    'credentials',
    /401/,
    /user is enabled/,
  ],
  [
    'an old version',
    answers('/version', data => Object.assign(data, { version: '7.4' })),
    'version',
    /7\.4/,
    /Upgrade/,
  ],
  [
    'a clock that is wrong',
    answers('/nodes/pve2/time', (data: { time: number }) => ({ ...data, time: data.time + 600 })),
    'clock',
    /node pve2 is (9 minutes and 5\d seconds|10 minutes.*) ahead/,
    /chronyc/,
  ],
  [
    'a clock that is wrong by a day',
    answers('/nodes/pve2/time', (data: { time: number }) => ({ ...data, time: data.time - 90_120 })),
    'clock',
    /node pve2 is 1 day and 1 hour behind/,
    /chronyc/,
  ],
  [
    'no quorum',
    ({ cluster }) => applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate: false }),
    'quorum',
    /no quorum/,
    /pvecm status/,
  ],
  [
    'a node that is down',
    ({ cluster }) => applyEvent(cluster.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' }),
    'nodes',
    /node pve3 is down/,
    /Start it/,
  ],
  [
    'a caller who sees no storages',
    narrow('VM.Audit', 'Sys.Audit'),
    'permissions',
    /sees no storages/,
    /pveum role add/,
  ],
  [
    'a caller who may not change guests',
    narrow(...SEEING),
    'permissions',
    /lacks on \/vms: .*VM\.Allocate/,
    /pveum acl modify/,
  ],
  [
    'tags that are not free',
    ground => {
      narrow(...SEEING)(ground);
      ground.cluster.world.datacenter['user-tag-access'] = 'user-allow=none';
    },
    'tag rules',
    /user-tag-access/,
    /pveum/,
  ],
  [
    'no free number',
    ({ want }) => (want['vmidRange'] = { from: 10_000, to: 10_001 }),
    'numbers',
    /are taken/,
    /vmidRange/,
  ],
  [
    'a full storage',
    world(({ storages, volumes }) => {
      const used = volumes.filter(each => each.storage === 'local-lvm');
      const sums = used.map(({ node }) =>
        used.reduce((sum, each) => (each.node === node ? sum + each.size : sum), 0),
      );
      const total = Math.max(...sums);
      storages.forEach(storage => storage.storage === 'local-lvm' && (storage.total = total));
    }),
    'storages',
    /local-lvm on node pve\d is (?:9\d|100) % full/,
    /grow it/,
  ],
  [
    'no storage for disks',
    world(({ storages }) => storages.forEach(storage => (storage.content = 'iso'))),
    'storages',
    /no storage takes disks/,
    /pvesm set/,
  ],
  [
    'a storage that nobody has',
    ({ want }) => (want['storages'] = ['local-lvm', 'fast']),
    'storages',
    /names fast/,
    /It has: /,
  ],
  [
    'a node without bridges',
    world(({ nodes }) => (nodes[1]!.bridges = [])),
    'bridges',
    /node pve2 has no bridge/,
    /SDN\.Use/,
  ],
  [
    'a bridge that nobody has',
    ({ want }) => (want['networks'] = ['vmbr99']),
    'bridges',
    /names vmbr99/,
    /It has: vmbr0/,
  ],
  [
    'a node that is not there',
    ({ want }) => (want['nodes'] = ['pve9', 'pve1']),
    'nodes',
    /names pve9/,
    /It has: pve1/,
  ],
  [
    'a guest that nobody can read',
    answers('/nodes/pve1/qemu/9001/pending', () => 'nonsense'),
    'marks',
    /1 guest could not be read, .*: guest 9001 \(debian-12\) on pve1\. To the first: GET .*9001\/pending: 200/,
    /Check that what answers at the endpoint is Proxmox/,
  ],
  [
    'no template and no images',
    world(({ guests, storages }) => {
      for (const { vmid, config: of } of Object.values(guests)) if (of['template']) delete guests[vmid];
      for (const storage of storages) storage.content = storage.content.replace(/,?import/, '');
    }),
    'templates',
    /no template/,
    /import/,
  ],
  [
    'a template that a machine names and nobody has',
    ({ machines }) => machines.push({ id: 'new', image: { template: 'no-such' } }),
    'machines',
    /new: .*no-such/,
    /./,
  ],
  [
    'a mark that cannot be read',
    ground => mark(ground, 'web', text => text.replace('{"v":1', '{"v":')),
    'marks',
    /cannot be read/,
    /writes the mark again\. Else restore that line/,
  ],
  [
    'a copy of ours',
    ground => (config(ground, 'web')['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111'),
    'marks',
    /was cloned from machine web/,
    /remove its tag/,
  ],
  [
    'a tag without a mark',
    ground => (config(ground, 'web')['description'] = 'mine'),
    'marks',
    /no mark/,
    /adopt/,
  ],
  ['a lost tag', ground => delete config(ground, 'web')['tags'], 'marks', /lost its tag/, /sets it again/],
  [
    'two guests that are one machine',
    ground => {
      const { description = '', smbios1 = '', tags = '' } = config(ground, 'web');
      Object.assign(config(ground, 'db'), { description, smbios1, tags });
    },
    'marks',
    /both are machine web/,
    /Decide which/,
  ],
  [
    'a create that was cut short',
    ground => mark(ground, 'web', text => text.replace('{"v":1', '{"v":1,"b":1')),
    'marks',
    /not finished/,
    /finishes it/,
  ],
  [
    'a guest that gave way to one that is another machine now',
    ground => mark(ground, 'web', text => text.replace('{"v":1', '{"v":1,"b":1,"y":10001')),
    'marks',
    /gave way to guest 10001, which is not proven to be the machine/,
    /^Do not remove it\..* finishes this guest/,
  ],
  [
    'a guest that gave way to one that is the machine',
    ground => {
      const { description = '', smbios1 = '', tags = '' } = config(ground, 'web');
      Object.assign(config(ground, 'db'), { description, smbios1, tags });
      mark(ground, 'web', text => text.replace('{"v":1', '{"v":1,"b":1,"y":10001'));
    },
    'marks',
    /is left over: guest 10001 is the machine/,
    /qm destroy 10000 --purge/,
  ],
  [
    'a machine that a run left off',
    ground => mark(ground, 'web', text => text.replace('{"v":1', '{"v":1,"s":1')),
    'marks',
    /not started it again/,
    /starts it/,
  ],
  [
    'a lock that was left',
    ground => (config(ground, 'web')['lock'] = 'backup'),
    'locks',
    /lock 'backup'/,
    /qm unlock 10000/,
  ],
  [
    'a machine that left the desired state',
    ({ machines }) => machines.pop(),
    'orphans',
    /10001/,
    /pve-reconciler destroy db/,
  ],
  [
    'a folder of workers that others may enter',
    ({ env: given }) => {
      const folder = path.join(given['TMPDIR'] ?? '', `pve-run-${process.geteuid?.() ?? ''}`);
      mkdirSync(folder);
      chmodSync(folder, 0o755);
    },
    'worker',
    /not a folder of this user alone/,
    /chmod 700/,
  ],
];
