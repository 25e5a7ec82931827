import type { MachinePlan } from '../../../reconciler/action';
import { observedGuest } from '../../../reconciler/observe/guest';
import { pendingChanges } from '../../../reconciler/outputs/pending';
import { readConfig } from '../../../reconciler/pve';
import { ActsOnce } from '../../support/cluster/acts-once';
import { administratorOf } from '../../support/cluster/administrator';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';
import { writes } from '../../support/cluster/end-state';
import { until } from '../../support/processes/shared-lab';

const at = (address: string): Json => ({ address: `${address}/24`, gateway: '192.0.2.1' });
const plain = { id: 'web', node: 'pve1', image: { template: 9000 }, agent: true };
const wanted = (address: string, more: Json = {}): Json => ({
  ...plain,
  networks: [{ name: 'lan', ipv4: at(address) }],
  ...more,
});

const key = (name: string): string =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM ${name}@host`;
const NET = (address: string): Json => ({
  version: 2,
  ethernets: { eth0: { match: { name: 'e*' }, addresses: [`${address}/24`] } },
});

let cluster: Lab;
let somebody: ActsOnce;
beforeEach(async () => {
  somebody = new ActsOnce();
  cluster = await lab({ before: somebody.asked, isOneConnection: true });
  cluster.world.guests[9000]!.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const since = (): number | undefined => guest().running?.since;
const plans = (): MachinePlan[] =>
  cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
const warnings = (): string[] =>
  cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
/** Brings it there, and tells what the first plan said that it changes, and the last that it leaves waiting. */
const bring = async (want: Json) => {
  cluster.events.length = 0;
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(want)).toEqual([]);
  const [first] = plans();
  return {
    changes: (first?.changes ?? []).map(({ field, effect }) => `${field}: ${effect}`),
    restart: first?.restart,
    waiting: (plans().at(-1)?.waiting ?? []).map(
      ({ field, from, to }) => `${field}: ${String(from)} > ${String(to)}`,
    ),
    writes: writes(cluster.simulator).map(line => line.replace(/pvr-[^/]*$/, 'it')),
  };
};
/** Somebody restarts, stops or starts it in Proxmox. */
const byHand = async (verb: string): Promise<void> => {
  expect(await administratorOf(cluster)('POST', `/nodes/pve1/qemu/10000/status/${verb}`)).toBe(true);
  // the task of a reboot ends while the guest is off; the node starts it by a task of its own
  if (verb === 'reboot') await until(() => guest().running !== null);
};

const FIELD = 'networks[lan].ipv4';

describe('an address of a machine that runs', () => {
  test('waits for a restart, and goes on waiting in later runs', async () => {
    await bring(wanted('192.0.2.10'));
    const began = since();
    const changed = await bring(wanted('192.0.2.11'));
    expect(changed).toMatchObject({
      changes: [`${FIELD}: restart`],
      restart: 'later',
      waiting: [`${FIELD}: 192.0.2.10/24 > 192.0.2.11/24`],
    });
    expect(warnings()).toEqual([
      expect.stringContaining('cloud-init takes the guest for a new one'),
      expect.stringMatching(`^waits for a restart: .*ipv4. Restart it`),
    ]);
    const again = await bring(wanted('192.0.2.11'));
    expect(again).toEqual({ ...changed, changes: [], writes: [] });
    expect(since()).toBe(began);
  });

  test('is in effect after one restart, where that is allowed', async () => {
    await bring(wanted('192.0.2.10'));
    const began = since();
    const changed = await bring(wanted('192.0.2.11', { restart: 'whenNeeded' }));
    expect(changed).toMatchObject({ changes: [`${FIELD}: restart`], restart: 'now', waiting: [] });
    expect(changed.writes).toEqual([
      'PUT /nodes/pve1/qemu/10000/config',
      'POST /nodes/pve1/qemu/10000/status/shutdown',
      'POST /nodes/pve1/qemu/10000/status/start',
    ]);
    expect(since()).not.toBe(began);
    expect(await bring(wanted('192.0.2.11'))).toMatchObject({ changes: [], waiting: [], writes: [] });
  });

  test('leaves at once with its card: no boot has to read that it is gone', async () => {
    const second = { name: 'second', bridge: 'vmbr0', ipv4: at('192.0.2.20') };
    await bring({ ...wanted('192.0.2.10'), networks: [{ name: 'lan', ipv4: at('192.0.2.10') }, second] });
    const changed = await bring(wanted('192.0.2.10'));
    expect(changed).toMatchObject({ changes: ['networks[second]: live'], restart: undefined, waiting: [] });
    expect(guest().config).not.toHaveProperty('ipconfig1');
    // but the drive says one card less then
    expect(warnings()).toEqual([expect.stringContaining('cloud-init takes the guest for a new one')]);
  });

  test('is live where the machine is off, and nothing waits once it starts', async () => {
    await bring(wanted('192.0.2.10', { power: 'stopped' }));
    const changed = await bring(wanted('192.0.2.11', { power: 'stopped' }));
    expect(changed).toMatchObject({ changes: [`${FIELD}: live`], waiting: [] });
    expect(changed.writes).toEqual(['PUT /nodes/pve1/qemu/10000/config']);
    expect(await bring(wanted('192.0.2.11'))).toMatchObject({ waiting: [] });
  });

  test('that is changed together with a start, or in a new machine, waits for nothing', async () => {
    await bring(wanted('192.0.2.10', { power: 'stopped' }));
    expect(await bring(wanted('192.0.2.12'))).toMatchObject({ waiting: [] });
    expect(guest().pending).toEqual({});
  });

  test('that is changed back before the restart waits no more', async () => {
    await bring(wanted('192.0.2.10'));
    await bring(wanted('192.0.2.11'));
    const back = await bring(wanted('192.0.2.10', { restart: 'whenNeeded' }));
    expect(back).toMatchObject({ changes: [`${FIELD}: live`], waiting: [] });
    expect(guest().pending).toEqual({});
  });

  test('that is changed twice waits since the first one', async () => {
    await bring(wanted('192.0.2.10'));
    await bring(wanted('192.0.2.11'));
    expect((await bring(wanted('192.0.2.12'))).waiting).toEqual([`${FIELD}: 192.0.2.10/24 > 192.0.2.12/24`]);
  });

  test.each(['reboot', 'stop'])('is in effect where somebody does it by hand: %s', async verb => {
    await bring(wanted('192.0.2.10'));
    await bring(wanted('192.0.2.11'));
    await byHand(verb);
    if (verb === 'stop') await byHand('start');
    const after = await bring(wanted('192.0.2.11'));
    expect(after).toMatchObject({ changes: [], waiting: [], writes: [] });
    expect((await bring(wanted('192.0.2.12'))).waiting).toEqual([`${FIELD}: 192.0.2.11/24 > 192.0.2.12/24`]);
  });

  test('goes on waiting where the machine moves while it runs, to another process', async () => {
    await bring(wanted('192.0.2.10'));
    const { waiting } = await bring(wanted('192.0.2.11'));
    const online = { target: 'pve2', online: '1', 'with-local-disks': '1' };
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/migrate', online)).toBe(true);
    const moved = await bring(wanted('192.0.2.11', { node: 'pve2' }));
    expect(moved).toMatchObject({ changes: [], waiting, writes: [] });
  });

  test('waits too in a machine that is taken over', async () => {
    await bring(wanted('192.0.2.10'));
    delete guest().config['description'];
    delete guest().config['tags'];
    const adopted = { vmid: 10_000, adopt: true };
    const { waiting } = await bring(wanted('192.0.2.11', adopted));
    expect(waiting).toEqual([`${FIELD}: 192.0.2.10/24 > 192.0.2.11/24`]);
    expect(await bring(wanted('192.0.2.11', adopted))).toMatchObject({ changes: [], waiting, writes: [] });
  });

  test('is told by who knows no spec, without the sign of it', async () => {
    await bring(wanted('192.0.2.10'));
    await bring(wanted('192.0.2.11'));
    const seen = await cluster.withRun(async ({ pve }) => {
      const config = await readConfig(pve, { node: 'pve1', vmid: 10_000 });
      const place = { vmid: 10_000, node: 'pve1', pool: undefined, haManaged: false } as const;
      return pendingChanges(observedGuest({ ...place, power: 'running' }, config));
    });
    expect(seen).toEqual([
      {
        field: 'networks[lan]',
        from: 'gw=192.0.2.1,ip=192.0.2.10/24',
        to: 'gw=192.0.2.1,ip=192.0.2.11/24',
        effect: 'restart',
      },
    ]);
  });

  test('is not in effect after a reset', async () => {
    await bring(wanted('192.0.2.10'));
    await bring(wanted('192.0.2.11'));
    await byHand('reset');
    expect((await bring(wanted('192.0.2.11'))).waiting).toHaveLength(1);
  });

  test.each(['stop', 'reboot'])('that somebody puts into effect directly after the write: %s', async verb => {
    await bring(wanted('192.0.2.10'));
    const began = since();
    somebody.before(/^GET .*pending$/, () => {
      somebody.before(/^PUT .*config$/, async () => {
        somebody.before(/^GET .*pending$/, () => byHand(verb));
        await Promise.resolve();
      });
      return Promise.resolve();
    });
    const changed = await bring(wanted('192.0.2.11', { restart: 'whenNeeded' }));
    expect(somebody.hasActed()).toBe(true);
    expect(changed).toMatchObject({ changes: [`${FIELD}: restart`], waiting: [] });
    expect(changed.writes).not.toContainEqual(expect.stringContaining('shutdown'));
    expect(since()).not.toBe(began);
    expect(guest().pending).toEqual({});
  });
});

test.each<[string, Json, Json, string]>([
  [
    'name servers',
    { dns: { servers: ['192.0.2.53'] } },
    { dns: { servers: ['192.0.2.54'] } },
    'cloudInit.dns.servers',
  ],
  [
    'a search domain',
    { dns: { search: ['a.test'] } },
    { dns: { search: ['b.test'] } },
    'cloudInit.dns.search',
  ],
  ['the user', { user: 'me' }, { user: 'you' }, 'cloudInit.user'],
  ['keys', { sshKeys: [key('a')] }, { sshKeys: [key('b'), key('c')] }, 'cloudInit.sshKeys'],
  ['packages', { user: 'me' }, { user: 'me', upgradePackages: false }, 'cloudInit.upgradePackages'],
  ['user data', { userData: { packages: ['a'] } }, { userData: { packages: ['b'] } }, 'cloudInit'],
  ['network data', { networkData: NET('10.0.0.1') }, { networkData: NET('10.0.0.2') }, 'cloudInit'],
])('%s of a machine that runs wait for a restart', async (_, before, after, field) => {
  await bring({ ...plain, cloudInit: before });
  expect((await bring({ ...plain, cloudInit: before })).waiting).toEqual([]);
  const changed = await bring({ ...plain, cloudInit: after });
  expect(changed).toMatchObject({ changes: [`${field}: restart`], restart: 'later' });
  expect(changed.waiting.map(text => text.split(': ')[0])).toEqual([field]);
  const again = await bring({ ...plain, cloudInit: after });
  expect(again).toMatchObject({ changes: [], waiting: changed.waiting, writes: [] });
  const began = since();
  expect(await bring({ ...plain, cloudInit: after, restart: 'whenNeeded' })).toMatchObject({ waiting: [] });
  expect(since()).not.toBe(began);
  expect(await bring({ ...plain, cloudInit: after })).toMatchObject({ changes: [], waiting: [], writes: [] });
});
