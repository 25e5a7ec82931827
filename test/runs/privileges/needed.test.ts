import { PRIVILEGES as ALL } from '../../../simulator/schema/formats/privilege-list';
import type { Json } from '../../support/cluster/lab';
import type { NarrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { bootAll } from '../../support/cluster/boot-all';
import { TOKEN } from '../../support/cluster/start-cluster';
import { narrowTokenLab } from '../../support/cluster/narrow-token-lab';

const template: Json = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  memory: '4Gi',
  disks: [{ name: 'root', size: '20G' }],
  networks: [{ name: 'lan' }],
  cloudInit: { user: 'me' },
};
const blank: Json = {
  id: 'web',
  image: { blank: true },
  cpu: { cores: 2 },
  memory: '2Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'dmz', vlan: 20 }],
  startup: { order: 3 },
};
const iso: Json = {
  ...blank,
  image: { iso: 'shared:iso/debian-12.9.0-amd64-netinst.iso' },
  pool: 'prod',
};
const changed: Json = {
  ...blank,
  disks: [
    { name: 'root', size: '9G', storage: 'shared' },
    { name: 'data', size: '1G', storage: 'local-lvm' },
  ],
  memory: '3Gi',
  pool: 'prod',
  tags: ['blue'],
  restart: 'whenNeeded',
};
const movable: Json = { ...blank, networks: [{ name: 'lan' }] };
const scenarios: [string, Json | undefined, Json][] = [
  ['a clone', undefined, template],
  ['a clone that only has to be started', undefined, { id: 'web', image: { template: 'debian-12' } }],
  [
    'a clone of what is there already',
    undefined,
    {
      ...template,
      cpu: { cores: 2 },
      memory: '2Gi',
      disks: [{ name: 'root', size: '10G' }],
      cloudInit: {},
      networks: [],
    },
  ],
  [
    'a full clone to another storage',
    undefined,
    {
      ...template,
      image: { template: 'ubuntu-22.04', clone: 'full' },
      disks: [{ name: 'root', storage: 'local-lvm' }],
    },
  ],
  ['a machine made from nothing', undefined, blank],
  ['a machine made from an ISO in a pool', undefined, iso],
  ['a change of everything', blank, changed],
  [
    'devices taken away',
    changed,
    { ...blank, disks: [{ name: 'root', size: '9G', storage: 'shared' }], networks: [] },
  ],
  ['a move to another node', { ...movable, node: 'pve1' }, { ...movable, node: 'pve2', pin: true }],
  [
    'a clone that moves before its first start',
    undefined,
    { id: 'web', image: { template: 'debian-12' }, node: 'pve2' },
  ],
];

/** Nobody's accounts and no host's updates are touched by a plan: those privileges are always there. */
const PRIVILEGES = ALL.filter(privilege =>
  /^(?:VM|Datastore|SDN|Pool|Mapping|Permissions|Sys\.(?:Audit|Modify|Console))\b/.test(privilege),
);

/** What another privilege may stand in for, so that it alone is never missed. */
const EITHER = ['VM.Config.Cloudinit', 'Permissions.Modify'];

/** What Proxmox does not ask for: without it a machine's pool is not seen, and would be set by every run. */
const TO_SEE = 'Pool.Audit';

let cluster: NarrowTokenLab;
beforeEach(async () => (cluster = await narrowTokenLab()));
afterEach(() => cluster.close());

async function prepared(have: Json | undefined): Promise<void> {
  if (have) expect(await cluster.bring(have, { as: TOKEN })).toBeUndefined();
  bootAll(cluster);
  cluster.writes();
}

describe.each(scenarios)('%s', (_, have, want) => {
  test('is refused for each privilege that it needs, and for no other', async () => {
    await prepared(have);
    const before = structuredClone(cluster.world);
    const needed: string[] = ['VM.Audit', ...EITHER];
    // without VM.Audit no guest is seen at all, which is refused in other words
    for (const privilege of PRIVILEGES.filter(each => each !== 'VM.Audit')) {
      cluster.allow({ path: '/', privileges: PRIVILEGES.filter(each => each !== privilege) });
      const { refusals, actions } = await cluster.plan(want);
      if (refusals.length === 0) continue;
      expect({ actions, refusals }).toEqual({
        actions: [],
        refusals: [
          expect.objectContaining({ why: 'privileges', detail: expect.stringContaining(privilege) }),
        ],
      });
      needed.push(privilege);
    }
    expect(cluster.writes()).toEqual([]);
    // Proxmox would have refused each of them
    for (const privilege of needed.slice(1 + EITHER.length).filter(each => each !== TO_SEE)) {
      cluster.simulator.reset(structuredClone(before));
      cluster.allow({ path: '/', privileges: PRIVILEGES.filter(each => each !== privilege) });
      const failure = await cluster.bring(want, { blindly: true });
      expect([privilege, failure]).toEqual([
        privilege,
        expect.stringMatching(`${privilege}|403 Permission check failed\\.`),
      ]);
    }
    // and together they are enough
    cluster.simulator.reset(structuredClone(before));
    cluster.allow({ path: '/', privileges: needed });
    expect(await cluster.bring(want)).toBeUndefined();
  }, 120_000);

  test('is done with the least role, which the refusal tells line by line', async () => {
    await prepared(have);
    cluster.allow(
      { path: '/vms', privileges: ['VM.Audit'] },
      { path: '/', privileges: ['Sys.Audit'], propagate: false },
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { refusals } = await cluster.plan(want);
      if (refusals.length === 0) break;
      expect(refusals).toEqual([expect.objectContaining({ why: 'privileges' })]);
      cluster.pveum(refusals[0]!.remedy);
    }
    expect(cluster.writes()).toEqual([]);
    expect(await cluster.bring(want)).toBeUndefined();
  });
});
