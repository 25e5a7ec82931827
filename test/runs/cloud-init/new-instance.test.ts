import type { MachinePlan } from '../../../reconciler/action';
import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';

const TOLD = 'cloud-init takes the guest for a new one';
const MAY = 'unless its cloud-init data is again what it was at the last start';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
  cluster.world.guests[9000]!.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
});
afterEach(() => cluster.close());

const plans = (): MachinePlan[] =>
  cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
/** Brings it there, and gives what the first plan warns of as a new instance, and what it says to lose. */
const bring = async (want: Json) => {
  cluster.events.length = 0;
  expect(await cluster.bring(want)).toEqual([]);
  const [plan] = plans();
  const warnings = (plan?.warnings ?? []).filter(({ text }) => text.includes('for a new one'));
  return { told: warnings.map(({ text }) => text), data: plan?.losses?.data };
};
const QUIET = { told: [], data: undefined };

const card = { name: 'lan', macAddress: 'BC:24:11:00:00:01', ipv4: 'dhcp' };
const plain = { id: 'web', node: 'pve1', image: { template: 9000 }, networks: [card] };
const key = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM me@host`;

describe("Proxmox's own drive", () => {
  const user = { ...plain, cloudInit: { user: 'ops' } };

  test.each<[string, Json]>([
    ['the user', { cloudInit: { user: 'other' } }],
    ['keys', { cloudInit: { user: 'ops', sshKeys: [key] } }],
    ['name servers', { cloudInit: { user: 'ops', dns: { servers: ['192.0.2.53'] } } }],
    ['an address', { networks: [{ ...card, ipv4: { address: '192.0.2.9/24' } }] }],
    ['a MAC address', { networks: [{ ...card, macAddress: 'BC:24:11:00:00:02' }] }],
  ])('a change of %s is told', async (_, change) => {
    expect(await bring(user)).toEqual(QUIET);
    expect(await bring(user)).toEqual(QUIET);
    const { told, data } = await bring({ ...user, ...change });
    expect({ told, data }).toEqual({ told: [expect.stringContaining(TOLD)], data: undefined });
  });

  test('as long as it waits for a restart, and no longer', async () => {
    await bring(user);
    const other = { ...user, cloudInit: { user: 'other' } };
    await bring(other);
    expect(await bring(other)).toMatchObject({
      told: [expect.stringContaining('has changed since it was started')],
    });
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/status/stop')).toBe(true);
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/status/start')).toBe(true);
    expect(await bring(other)).toEqual(QUIET);
  });

  test.each<[string, Json]>([
    ['memory', { memory: '4Gi' }],
    ['a firewall on its card', { networks: [{ ...card, firewall: true }] }],
  ])('%s is none of its business', async (_, change) => {
    await bring(user);
    expect(await bring({ ...user, ...change })).toEqual(QUIET);
  });

  test('nothing is told of what is changed back before the restart', async () => {
    await bring(user);
    await bring({ ...user, cloudInit: { user: 'other' } });
    expect(await bring(user)).toEqual(QUIET);
  });
});

describe('data of its own', () => {
  const say = (text: string, more: Json = {}): Json => ({
    ...plain,
    ...more,
    cloudInit: { userData: `#cloud-config\n${text}` },
  });
  const runs = 'runcmd: [[touch, /x]]\n';
  const formats =
    'fs_setup:\n  - device: /dev/sdb1\n    partition: 1\n    overwrite: true\nusers: [default]\n';

  test('a change is told, with what runs again; also while it waits', async () => {
    expect(await bring(say(runs))).toEqual(QUIET);
    expect(await bring(say(runs))).toEqual(QUIET);
    const changed = say(`${runs}packages: [curl]\n`);
    const { told, data } = await bring(changed);
    expect({ told, data }).toEqual({ told: [expect.stringContaining(TOLD)], data: undefined });
    expect(told[0]).toContain('runs again what it runs once (here runcmd)');
    expect(told[0]).not.toContain('is lost');
    expect((await bring(changed)).told).toEqual([expect.stringContaining(MAY)]);
  });

  test('a new name or MAC address keeps the instance: nothing is told, also while it waits', async () => {
    expect(await bring(say(runs))).toEqual(QUIET);
    const renamed = { ...say(runs), id: 'front', formerIds: ['web'] };
    expect(await bring(renamed)).toEqual(QUIET);
    expect(await bring(renamed)).toEqual(QUIET);
    const other = { ...renamed, networks: [{ ...card, macAddress: 'BC:24:11:00:00:02' }] };
    expect(await bring(other)).toEqual(QUIET);
    expect(await bring(other)).toEqual(QUIET);
    // what is new beside it is told, and stays told
    const changed = { ...other, ...say(`${runs}packages: [curl]\n`), id: 'front' };
    expect((await bring(changed)).told).toEqual([expect.stringContaining(TOLD)]);
    expect((await bring({ ...changed, name: 'again' })).told).toEqual([expect.stringContaining(MAY)]);
    expect((await bring({ ...changed, name: 'again' })).told).toEqual([expect.stringContaining(MAY)]);
  });

  test('an instance-id of the user is told of by nobody, also while it waits', async () => {
    const mine = (text: string): Json => ({
      ...plain,
      cloudInit: { userData: text, metaData: { 'instance-id': 'mine' } },
    });
    expect(await bring(mine('#cloud-config\n'))).toEqual(QUIET);
    expect(await bring(mine(`#cloud-config\n${runs}`))).toEqual(QUIET);
    expect(await bring(mine(`#cloud-config\n${runs}`))).toEqual(QUIET);
  });

  test('what formats a disk is a loss: of the write, and of the restart that comes to it', async () => {
    const lost = ['what fs_setup of its cloud-init data may write over'];
    expect(await bring(say(formats))).toEqual(QUIET);
    const changed = say(`${formats}packages: [curl]\n`);
    const { told, data } = await bring(changed);
    expect({ told, data }).toEqual({ told: [expect.stringContaining('Take fs_setup out')], data: lost });
    // it only waits: this run does not come to it
    expect(await bring(changed)).toMatchObject({ data: undefined });
    expect(await bring({ ...changed, restart: 'whenNeeded' })).toMatchObject({ data: lost });
    expect(await bring(changed)).toEqual(QUIET);
  });

  test.each<[string, (label: string) => Json]>([
    [
      'a label of a numbered partition',
      label => ({
        userData: { fs_setup: [{ device: '/dev/sdb', partition: 1, filesystem: 'ext4', label }] },
      }),
    ],
    [
      "the JSON of Terraform's jsonencode",
      label => ({
        userData: `#cloud-config\n${JSON.stringify({ bootcmd: ['true'], fs_setup: [{ label, overwrite: true }] })}`,
      }),
    ],
  ])('%s counts among what may be lost', async (_, data) => {
    const lost = ['what fs_setup of its cloud-init data may write over'];
    expect(await bring({ ...plain, cloudInit: data('a') })).toEqual(QUIET);
    expect(await bring({ ...plain, cloudInit: data('b') })).toMatchObject({ data: lost });
  });

  test('data that are not here may format too: that they cannot be read is the loss', async () => {
    const from = (url: string): Json => ({ ...plain, cloudInit: { userData: `#include\n${url}\n` } });
    expect(await bring(from('https://example.com/a'))).toEqual(QUIET);
    expect(await bring(from('https://example.com/b'))).toMatchObject({
      data: ['what #include of its cloud-init data may write over'],
    });
  });

  test('by the remedy: without it in the same change nothing is lost', async () => {
    await bring(say(formats));
    expect(await bring(say('packages: [curl]\n'))).toMatchObject({
      told: [expect.stringContaining(TOLD)],
      data: undefined,
    });
  });

  test.each<[string, Json]>([
    ['a name', { name: 'front' }],
    ['a MAC address', { networks: [{ ...card, macAddress: 'BC:24:11:00:00:02' }] }],
  ])('%s alone leaves it the instance that it is', async (_, change) => {
    await bring(say(formats));
    expect(await bring(say(formats, change))).toEqual(QUIET);
  });

  test.each<[string, Json]>([
    ['a card more', { networks: [card, { name: 'two', bridge: 'vmbr0', ipv4: 'dhcp' }] }],
    ['an address', { networks: [{ ...card, ipv4: { address: '192.0.2.9/24' } }] }],
  ])('%s makes it another one', async (_, change) => {
    await bring(say(runs));
    expect((await bring(say(runs, change))).told).toEqual([expect.stringContaining(TOLD)]);
  });

  test('an instance-id of its own is the word of its user', async () => {
    const own = (packages: string[]): Json => ({
      ...plain,
      cloudInit: {
        userData: { packages, fs_setup: [{ overwrite: true }] },
        metaData: { 'instance-id': 'i-1' },
      },
    });
    await bring(own(['a']));
    const { data, told } = await bring(own(['b']));
    expect({ data, told }).toEqual(QUIET);
  });
});
