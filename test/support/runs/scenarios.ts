import type { World } from '../../../simulator';
import { marked } from '../cluster/end-state';
import { desired, errorsOf, lab, labWorld } from '../cluster/lab';
import type { Json, LabOptions } from '../cluster/lab';

/** A machine on its way: what there is, and what is wanted next. */
export interface Scenario {
  have: Json | undefined;
  /** Undefined: destroyed. */
  want: Json | undefined;
}

const clone = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  memory: '4Gi',
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24' } }],
  cloudInit: { user: 'me' },
};
const blank = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
// a download that the simulator's world has
const UBUNTU = 'https://cloud-images.ubuntu.com/jammy/current/jammy-server-cloudimg-amd64.img';
const full = {
  id: 'web',
  node: 'pve2',
  image: { blank: true },
  restart: 'whenNeeded',
  description: 'before',
  tags: ['a'],
  pool: 'prod',
  cpu: { cores: 1 },
  memory: '1Gi',
  onBoot: true,
  agent: true,
  disks: [
    { name: 'root', size: '8G', storage: 'local-lvm' },
    { name: 'data', size: '4G', storage: 'shared' },
    { name: 'old', size: '1G', storage: 'local-lvm', onRemove: 'delete' },
  ],
  networks: [{ name: 'lan' }, { name: 'spare', bridge: 'vmbr2' }],
};
const everything = {
  ...full,
  name: 'web.example.com',
  description: 'after\ntwo lines',
  tags: ['b', 'c'],
  pool: 'lab',
  cpu: { cores: 2, sockets: 2, type: 'host', units: 200 },
  memory: '2Gi',
  balloon: '512Mi',
  onBoot: false,
  agent: { type: 'isa' },
  osType: 'linux',
  tablet: false,
  startup: { order: 3 },
  hotplug: ['network', 'disk'],
  bootOrder: ['root', 'lan'],
  disks: [
    { name: 'extra', size: '2G', storage: 'shared' },
    { name: 'root', size: '10G', storage: 'local-lvm', cache: 'writeback', ssd: true },
    { name: 'data', size: '6G', storage: 'local-lvm', backup: false },
  ],
  networks: [
    { name: 'dmz', model: 'e1000' },
    { name: 'lan', bridge: 'vmbr1', vlan: 7, firewall: true },
  ],
};

/** What must survive whatever happens on the way. */
export const scenarios: Record<string, Scenario> = {
  'create by clone': { have: undefined, want: clone },
  // its template is on the first node's own storage
  'create by clone for another node': {
    have: undefined,
    want: { ...clone, image: { template: 'debian-12' }, node: 'pve2' },
  },
  'create blank': { have: undefined, want: blank },
  'create by address': {
    have: undefined,
    want: { ...blank, image: { url: UBUNTU, checksum: `sha256:${'a'.repeat(64)}` } },
  },
  'create of a template': { have: undefined, want: { ...blank, asTemplate: true } },
  'change of everything': { have: full, want: everything },
  'disk move': {
    have: { ...blank, node: 'pve2' },
    want: { ...blank, node: 'pve2', disks: [{ name: 'root', size: '8G', storage: 'shared' }] },
  },
  destroy: { have: full, want: undefined },
};

const addressed = { ...blank, networks: [{ name: 'lan', ipv4: 'dhcp' }], cloudInit: { user: 'me' } };

/** What must be finished by the next run, though the guest itself does not tell that it was begun. */
export const cutShort: Record<string, Scenario> = {
  'cloud-init of a machine that runs': {
    have: addressed,
    want: {
      ...addressed,
      networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24' } }],
      cloudInit: { user: 'you' },
    },
  },
  'restart of a machine whose power nobody manages': {
    have: blank,
    want: { ...blank, power: 'unmanaged', restart: 'whenNeeded', cpu: { cores: 2 } },
  },
  // its mark is written while the guest is off
  'restart that takes a card away': {
    have: { ...blank, hotplug: [], networks: [{ name: 'lan' }, { name: 'dmz' }] },
    want: { ...blank, hotplug: [], restart: 'whenNeeded' },
  },
};

/** A machine that runs goes to another node; the move leaves traces in its drives that other ways there do not. */
export const pinnedMove: Record<string, Scenario> = {
  'move to the node where it is pinned': {
    have: { ...blank, node: 'pve2' },
    want: { ...blank, node: 'pve3', pin: true, memory: '2Gi' },
  },
};

const kept = { name: 'clean', description: 'before the launch', includeMemory: true };

/** A machine of which snapshots are wanted. */
export const snapshots: Record<string, Scenario> = {
  'create with snapshots': { have: undefined, want: { ...blank, snapshots: [kept, { name: 'second' }] } },
  'snapshots of a machine that is there': {
    have: { ...blank, snapshots: [{ name: 'clean' }] },
    want: { ...blank, memory: '2Gi', restart: 'whenNeeded', snapshots: [kept, { name: 'second' }] },
  },
  'a snapshot before a change': {
    have: { ...blank, snapshotBeforeChange: true },
    want: { ...blank, memory: '2Gi', restart: 'whenNeeded', snapshotBeforeChange: true },
  },
};

/** A machine that goes back to a snapshot that was taken before. */
export const reverts: Record<string, Scenario> = {
  'going back to a snapshot': {
    have: { ...blank, snapshots: [{ name: 'clean' }] },
    want: { ...blank, revertTo: 'clean', tags: ['back'], memory: '2Gi', restart: 'whenNeeded' },
  },
  'going back to a snapshot, where nobody manages the power': {
    have: { ...blank, snapshots: [{ name: 'clean' }] },
    want: { ...blank, revertTo: 'clean', power: 'unmanaged' },
  },
};

const withData = { ...addressed, cloudInit: { user: 'me', userData: { packages: ['nginx'] } } };

/** A machine whose cloud-init data is on an ISO of ours. */
export const dataIsos: Record<string, Scenario> = {
  'create with data': { have: undefined, want: withData },
  'create by clone with data': {
    have: undefined,
    want: { ...withData, image: clone.image, disks: undefined },
  },
  'changed data of a machine that runs': {
    have: withData,
    want: { ...withData, cloudInit: { user: 'me', userData: { packages: ['caddy'] } } },
  },
  'data in place of plain fields': { have: addressed, want: withData },
  'data that is removed': {
    have: { ...withData, cloudInit: { userData: { packages: ['nginx'] } } },
    want: { ...blank, clear: ['cloudInit.userData'] },
  },
  'destroy with data': { have: withData, want: undefined },
};

/** A lab in which the scenario's machine is there, or all that it stands for; each call gives a cluster of its own. */
export async function preparing(
  scenario: Scenario,
  all: (have: Json) => Json[] = have => [have],
): Promise<(options?: LabOptions) => ReturnType<typeof lab>> {
  const world = await preparedWorld(scenario, all);
  return options => lab({ ...options, world: structuredClone(world) });
}

/** A world in which the scenario's machine is there, or all that it stands for. */
export async function preparedWorld(
  { have }: Scenario,
  all: (have: Json) => Json[] = have => [have],
): Promise<World> {
  if (have === undefined) return labWorld();
  const first = await lab({ taskMs: 0 });
  const errors = errorsOf(await first.run(desired(all(have))));
  const { world } = first;
  await first.close();
  if (errors.length > 0) throw new Error(errors.join('\n'));
  // without a system, or while it boots, a guest neither gives devices back nor shuts down
  for (const guest of all(have).flatMap(({ id }) => marked(world, String(id)))) {
    guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  }
  return world;
}
