import type { Event } from '../../../reconciler/event';
import { administratorOf } from '../../support/cluster/administrator';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { NARROW, narrowTokenLab, type NarrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { programAccess } from '../../support/cluster/program-access';
import { runLine } from '../../reconciler/walk/live';

const CONFIG = ['CDROM', 'CPU', 'Cloudinit', 'Disk', 'HWType', 'Memory', 'Network', 'Options'];
const ON_GUEST = ['VM.Allocate', 'VM.Audit', 'VM.PowerMgmt', ...CONFIG.map(area => `VM.Config.${area}`)];
const STORAGE = ['Allocate', 'AllocateSpace', 'AllocateTemplate', 'Audit'].map(each => `Datastore.${each}`);
const RULES = [
  { path: '/vms/555', privileges: ON_GUEST },
  { path: '/storage', privileges: STORAGE },
  { path: '/nodes', privileges: ['Sys.Audit'] },
  { path: '/sdn', privileges: ['SDN.Use'] },
  { path: '/', privileges: ['Sys.Audit'], propagate: false },
];
const web = (packages: string[]): Json => ({
  ...{ id: 'web', vmid: 555, node: 'pve1', image: { blank: true }, memory: '1Gi', power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  cloudInit: { userData: { packages } },
});
const isosOf = ({ world }: Pick<Lab, 'world'>): string[] =>
  world.volumes.flatMap(({ volid }) => (volid.includes(':iso/pvr-') ? [volid] : []));
const ofOther = (volid: string): string => `${volid.slice(0, -24)}${'1'.repeat(20)}.iso`;

describe('a caller that does not see all guests', () => {
  let cluster: NarrowTokenLab;
  beforeEach(async () => {
    cluster = await narrowTokenLab();
    cluster.allow(...RULES);
  });
  afterEach(() => cluster.close());
  const line = (machine: Json, ...words: string[]) =>
    runLine(
      [...words, '--spec', '-'],
      {
        ...programAccess(cluster.simulator),
        ...{ PVE_TOKEN_ID: NARROW.id, PVE_TOKEN_SECRET: NARROW.secret, PVE_TASK_POLL_INTERVAL: '5ms' },
      },
      JSON.stringify(desiredJson([machine])),
    );
  const clonedByHand = async (): Promise<void> => {
    const form = { newid: '600', full: '1' };
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/555/clone', form)).toBe(true);
  };

  test('leaves the old ISO, which a clone by hand uses, and says so once', async () => {
    expect((await line(web(['nginx']), 'reconcile')).code).toBe(0);
    const [old] = isosOf(cluster);
    await clonedByHand();
    const { code, said, out } = await line(web(['caddy']), 'reconcile');
    expect(code).toBe(0);
    expect(isosOf(cluster)).toHaveLength(2);
    const told = `${old} stays, and may hold secrets: who else uses it cannot be seen without VM.Audit on /vms`;
    expect(`${out}${said}`.split(told)).toHaveLength(2);
    const again = await line(web(['caddy']), 'reconcile');
    expect(`${again.out}${again.said}`).not.toContain(old);
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/600/status/start')).toBe(true);
  });

  test('leaves it at a destroy too, and the right that it names is enough', async () => {
    expect((await line(web(['nginx']), 'reconcile')).code).toBe(0);
    await clonedByHand();
    const { out, said } = await line(web(['nginx']), 'destroy', 'web', '--yes');
    expect(cluster.world.guests[555]).toBeUndefined();
    expect(`${out}${said}`).toContain('cannot be seen without VM.Audit on /vms');
    expect(`${out}${said}`).toContain('gc by a user who has it finds it, or remove it by hand');
    expect(`${out}${said}`).not.toContain('Grant it');
    expect(isosOf(cluster)).toHaveLength(1);
    delete cluster.world.guests[600];
    cluster.allow(...RULES, { path: '/vms', privileges: ['VM.Audit'] });
    expect((await line(web(['caddy']), 'reconcile')).code).toBe(0);
    const [, now] = isosOf(cluster);
    expect((await line(web(['nano']), 'reconcile')).code).toBe(0);
    expect(isosOf(cluster)).not.toContain(now);
  });
});

describe('a storage that another cluster has too', () => {
  let cluster: Lab;
  beforeEach(async () => (cluster = await lab()));
  afterEach(() => cluster.close());
  const addTheirs = (): string => {
    const first = cluster.world.volumes.find(({ volid }) => volid.includes(':iso/pvr-'))!;
    const theirs = ofOther(first.volid);
    cluster.world.volumes.push({ ...first, volid: theirs });
    return theirs;
  };

  test.each([
    ['an apply', () => cluster.bring(web(['caddy']))],
    ['a destroy', () => cluster.bring(undefined)],
  ])('%s leaves the ISO of a namesake there, and removes its own', async (_, act) => {
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    const [own] = isosOf(cluster);
    const theirs = addTheirs();
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    expect(isosOf(cluster)).toEqual([own, theirs]);
    expect(await act()).toEqual([]);
    expect(isosOf(cluster)).toContain(theirs);
    expect(isosOf(cluster)).not.toContain(own);
  });

  const warnings = (of: Lab = cluster): string[] =>
    of.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));

  test('an ISO that neither drive nor mark knows is named once in a run, with what it may hold', async () => {
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    expect(warnings()).toEqual([]);
    const theirs = addTheirs();
    expect(await cluster.bring(web(['caddy']))).toEqual([]);
    const [told, ...more] = warnings().filter(text => !text.includes('for a new one'));
    expect(told).toContain(`${theirs} stays: neither the drive nor the mark of the machine knows it`);
    expect(told).toContain('It may hold secrets.');
    expect(told).toContain(`pvesm free ${theirs} on pve1`);
    expect(more).toEqual([]);
  });

  test('so is one whose upload was the last thing that a run did, where the data changes then', async () => {
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    const cut = new AbortController();
    const told = (event: Event): void => {
      if (event.kind === 'finished' && event.action.kind === 'upload-iso') cut.abort();
    };
    const dying = await lab({ world: cluster.world, signal: cut.signal, told });
    await dying.bring(web(['caddy']));
    await dying.close();
    await cluster.close();
    cluster = await lab({ world: dying.world });
    const [, left] = isosOf(cluster);
    expect(left).toBeDefined();
    expect(await cluster.bring(web(['nano']))).toEqual([]);
    expect(isosOf(cluster)).toContain(left);
    expect(warnings().filter(text => text.startsWith(`${left} stays: `))).toHaveLength(1);
  });

  test('one is remembered while its storage cannot be listed, and goes later', async () => {
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    const [own] = isosOf(cluster);
    const guest = cluster.world.guests[555]!;
    guest.snapshots['mine'] = { config: { ...guest.config }, snaptime: 1, description: '' };
    expect(await cluster.bring(web(['caddy']))).toEqual([]);
    const local = (packages: string[]): Json => ({
      ...web(packages),
      cloudInit: { userData: { packages }, storage: 'local' },
    });
    const shared = cluster.world.storages.find(({ storage }) => own?.startsWith(`${storage}:`))!;
    shared.enabled = false;
    expect(await cluster.bring(local(['nano']))).toEqual([]);
    shared.enabled = true;
    delete guest.snapshots['mine'];
    expect(await cluster.bring(local(['nano']))).toEqual([]);
    expect(isosOf(cluster)).not.toContain(own);
  });

  test('its own old one goes with a later run too, as its mark names it', async () => {
    expect(await cluster.bring(web(['nginx']))).toEqual([]);
    const [own] = isosOf(cluster);
    const guest = cluster.world.guests[555]!;
    guest.snapshots['mine'] = { config: { ...guest.config }, snaptime: 1, description: '' };
    expect(await cluster.bring(web(['caddy']))).toEqual([]);
    expect(isosOf(cluster)).toContain(own);
    delete guest.snapshots['mine'];
    expect(await cluster.bring(web(['caddy']))).toEqual([]);
    expect(isosOf(cluster)).not.toContain(own);
    expect(isosOf(cluster)).toHaveLength(1);
  });

  test('on storage of its node all that are its own go, as before', async () => {
    const local = (packages: string[]): Json => ({
      ...web(packages),
      cloudInit: { userData: { packages }, storage: 'local' },
    });
    expect(await cluster.bring(local(['nginx']))).toEqual([]);
    const theirs = addTheirs();
    expect(await cluster.bring(local(['nginx']))).toEqual([]);
    expect(isosOf(cluster)).not.toContain(theirs);
  });
});
