import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GuestSystem } from '../../../simulator/world';
import { desiredJson, labWorld, type Json } from '../../support/cluster/lab';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { startCluster } from '../../support/cluster/start-cluster';
import { apps, statesOfApps } from '../../support/constructs/app-states';
import { statesOfManifestFolder } from '../../support/manifests/folder-states';
import { LeastRoleLife } from '../../support/runs/least-role-life';
import { CHANGES } from '../../support/runs/life-steps';

const DISK = qcow2(2 ** 30);
const PASSWORD = { PW: '$6$salt$abcdefgh' };
const SYSTEM: GuestSystem = {
  ...{ kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true },
  cloudInit: { kind: 'runs', ms: 0, errors: [] },
};

let folder: string;
let server: ImageServer;
let states: Record<string, Json[]>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'least role '));
  writeFileSync(join(folder, 'debian.qcow2'), DISK);
  server = await imageServer({ '/debian.qcow2': DISK });
  states = await statesOfApps();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The machines of `examples/terraform-module/main.tf`, as its module hands them over. */
const ofModule = (): Json => {
  const image = { template: 'ubuntu-22.04' };
  const web = { image, cpu: { cores: 1 }, memory: '1Gi', tags: ['web'] };
  const db = { id: 'db', image, memory: '2Gi', disks: [{ name: 'data', size: '4G' }] };
  return desiredJson([{ id: 'web-1', ...web }, { id: 'web-2', ...web }, db]);
};
const one = (machine: Json): Json => desiredJson([{ id: 'web', memory: '1Gi', ...machine }]);
const networks = [{ name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }];
const disks = [{ name: 'root', storage: 'local-lvm', size: '2Gi' }];
const template = { template: 9000 };
const data = { user: 'me', userData: { packages: ['nginx'] }, waitForCompletion: true };
const secret = { user: 'me', passwordFrom: { environment: 'PW' }, passwordVersion: 1 };
const address = () => ({ url: server.url('/debian.qcow2'), checksum: sha256(DISK), storage: 'local' });

/** What no example says: each kind of image, of data and of place. */
const more: Record<string, () => Json> = {
  'data of its own': () => one({ image: template, agent: true, cloudInit: data, networks }),
  'a password, in a pool': () =>
    one({ image: template, vmid: 555, pool: 'prod', cloudInit: secret, networks }),
  'an image by its address, and data': () =>
    one({ image: address(), disks, cloudInit: { userData: data.userData, storage: 'local' } }),
  'an image of a local file': () => {
    const file = join(folder, 'debian.qcow2');
    return one({ vmid: 600, image: { file, checksum: sha256(DISK), storage: 'local' }, disks });
  },
  'a prepared image': () => ({
    ...one({ image: { machine: 'debian' } }),
    images: [{ name: 'debian', ...address(), diskStorage: 'shared' }],
  }),
  'HA, on a node of its own': () => one({ image: template, node: 'pve1', pin: true, ha: {} }),
  'an ISO, and an order of starting': () =>
    one({ image: { iso: 'shared:iso/debian-12.9.0-amd64-netinst.iso' }, disks, startup: { order: 1 } }),
};

async function withLife<T>(state: Json, work: (life: LeastRoleLife) => Promise<T>): Promise<T> {
  const world = labWorld();
  for (const storage of world.storages)
    if (['local', 'shared'].includes(storage.storage)) storage.content += ',import';
  for (const guest of Object.values(world.guests))
    if (guest.config['template'] === '1') guest.system = SYSTEM;
  const simulator = await startCluster({ world, taskMs: 1, timeScale: 50 });
  try {
    return await work(new LeastRoleLife({ state, simulator, secrets: PASSWORD }));
  } finally {
    await simulator.close();
  }
}

/** What each row has done, for whoever reads the log of the tests. */
const table: string[] = [];
afterAll(() => console.info(table.join('\n')));

/** Rows that say the same live one life. */
const lived = new Map<string, string>();

async function lives(name: string, state: Json): Promise<void> {
  const key = JSON.stringify({ ...state, owner: '' });
  const same = lived.get(key);
  if (same !== undefined) return void table.push(`${name}: the same as ${same}`);
  lived.set(key, name);
  await withLife(state, async life => {
    await life.grant();
    const faults = await life.whole();
    table.push(`${name}: ${life.covered.join(' · ')}`);
    expect(faults).toEqual([]);
  });
}

describe('the role that `permissions` prints is enough for a whole life of', () => {
  test.each(apps)('%s', async app => {
    for (const state of states[app] ?? []) await lives(app, state);
    expect(states[app]).not.toEqual([]);
  });

  test('examples/terraform-module', () => lives('examples/terraform-module', ofModule()));

  test.each(['operator', 'provider'])('the documents of the %s', async name => {
    const all = await statesOfManifestFolder(name);
    expect(all.length).toBeGreaterThan(0);
    for (const state of all) await lives(`the documents of the ${name}`, state);
  });

  test.each(Object.keys(more))('%s', name => lives(name, more[name]!()));
});

describe('without one privilege of it', () => {
  /** The change that it stops. */
  const stopped: [row: string, privilege: string, change: string][] = [
    ['data of its own', 'Datastore.Allocate', 'other data'],
    ['data of its own', 'VM.Snapshot', 'a snapshot'],
    ['a password, in a pool', 'VM.Config.HWType', 'another user'],
    ['an image of a local file', 'VM.Config.CPU', CHANGES[0]![0]],
  ];

  test.each(stopped)(
    '%s: %s stops "%s" by its plan, before anything is written',
    async (row, privilege, name) => {
      await withLife(more[row]!(), async life => {
        const lines = await life.grant();
        expect(lines).toContain(privilege);
        expect((await life.tried('made')).faults).toEqual([]);
        await life.take(privilege);
        const change = CHANGES.find(([each]) => each === name)!;
        const [fault] = await life.change(change);
        expect(fault).toContain(`lacks ${privilege}`);
        expect(life.lastWrites).toEqual([]);
        expect(await life.lacking()).toContain(privilege);
      });
    },
  );

  test.each([
    ['data of its own', 'Datastore.Allocate'],
    ['an image by its address, and data', 'Datastore.Allocate'],
  ])('%s: %s stops its destroy, and gc says so', async (row, privilege) => {
    await withLife(more[row]!(), async life => {
      await life.grant();
      expect((await life.tried('made')).faults).toEqual([]);
      await life.take(privilege);
      expect((await life.destroyed()).join('')).toContain(privilege);
      expect(life.lastWrites).toEqual([]);
    });
  });
});
