import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';
import type { IsoNames } from './iso-image';
import { isoImage } from './iso-image';

const VM = '/nodes/pve1/qemu/100';
const MAC = 'BC:24:11:00:00:01';

interface Card {
  name: string;
  'hardware-address': string;
  'ip-addresses'?: { 'ip-address': string; 'ip-address-type': string; prefix: number }[];
}

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

async function start(params: Record<string, string | number> = {}): Promise<void> {
  await cluster.run('POST', '/nodes/pve1/qemu', {
    vmid: 100,
    memory: 64,
    agent: 1,
    net0: `virtio=${MAC},bridge=vmbr0`,
    ...params,
  });
  cluster.world.guests[100]!.system = { kind: 'linux', bootMs: 2000, agent: true, obeysShutdown: true };
  await cluster.run('POST', `${VM}/status/start`);
}

async function addresses(): Promise<Record<string, string[]>> {
  const { result } = (await cluster.data('GET', `${VM}/agent/network-get-interfaces`)) as { result: Card[] };
  return Object.fromEntries(
    result.map(card => [
      card.name,
      (card['ip-addresses'] ?? []).map(address => `${address['ip-address']}/${address.prefix}`),
    ]),
  );
}

const LINK_LOCAL = 'fe80::be24:11ff:fe00:1/64';

describe('the agent', () => {
  it('is silent until the guest has booted, and while it is paused', async () => {
    await start();
    const ping = () => cluster.refusal('POST', `${VM}/agent/ping`);
    expect(await ping()).toBe('500 QEMU guest agent is not running');
    await cluster.pass(2000);
    expect(await cluster.data('POST', `${VM}/agent/ping`)).toEqual({ result: {} });
    await cluster.run('POST', `${VM}/status/suspend`);
    expect(await ping()).toBe('500 QEMU guest agent is not running');
  });

  it('keeps the files that it is told to write, and reads a part of one', async () => {
    await start();
    await cluster.pass(2000);
    const file = '/etc/motd';
    await cluster.data('POST', `${VM}/agent/file-write`, { file, content: 'hello' });
    const read = (params: Record<string, string | number>) =>
      cluster.data('GET', `${VM}/agent/file-read`, { file, ...params });
    expect(await read({})).toEqual({ content: 'hello', 'bytes-read': 5 });
    expect(await read({ offset: 1, count: 2 })).toEqual({ content: 'el', 'bytes-read': 2, truncated: 1 });
    const encoded = Buffer.from('bye').toString('base64');
    await cluster.data('POST', `${VM}/agent/file-write`, { file, content: encoded, encode: 0 });
    expect(await read({})).toMatchObject({ content: 'bye' });
    expect(await read({ decode: 0 })).toMatchObject({ content: encoded });
  });

  it('boots again after a reset', async () => {
    await start();
    await cluster.pass(2000);
    await cluster.run('POST', `${VM}/status/reset`);
    expect(await cluster.refusal('POST', `${VM}/agent/ping`)).toBe('500 QEMU guest agent is not running');
    await cluster.pass(2000);
    expect(await cluster.data('POST', `${VM}/agent/ping`)).toEqual({ result: {} });
  });

  it('is not there for a configuration that only waits', async () => {
    await start({ agent: 0 });
    await cluster.data('PUT', `${VM}/config`, { agent: 1 });
    await cluster.pass(5000);
    expect(await cluster.refusal('GET', `${VM}/agent/info`)).toBe('500 QEMU guest agent is not running');
  });

  it('runs programs, says once how each ended, and knows which there are', async () => {
    await start();
    await cluster.pass(2000);
    const exec = async (command: string) =>
      (await cluster.data('POST', `${VM}/agent/exec`, { command })) as { pid: number };
    const ended = ({ pid }: { pid: number }) => cluster.data('GET', `${VM}/agent/exec-status`, { pid });
    const [list, no] = [await exec('ls'), await exec('/bin/false')];
    expect(await ended(list)).toEqual({ exited: 1, exitcode: 0 });
    expect(await ended(no)).toEqual({ exited: 1, exitcode: 1 });
    expect(await cluster.refusal('GET', `${VM}/agent/exec-status`, list)).toBe(
      `500 Agent error: PID ${list.pid} does not exist`,
    );
    const nope = await cluster.request('POST', `${VM}/agent/exec`, { command: 'nope' });
    expect([nope.status, nope.json.message]).toEqual([
      500,
      "Agent error: Guest agent command failed, error was 'Failed to execute child process “nope” (No such file or directory)'\n",
    ]);
    const late = await exec('true');
    await cluster.run('POST', `${VM}/status/reset`);
    await cluster.pass(2000);
    expect(await cluster.refusal('GET', `${VM}/agent/exec-status`, late)).toMatch(/does not exist$/);
  });

  it('keeps the file systems frozen until they are thawed or the guest boots again', async () => {
    await start();
    await cluster.pass(2000);
    const ask = (command: string) => cluster.data('POST', `${VM}/agent/${command}`);
    const freezing = async (command: string) =>
      ((await ask(`fsfreeze-${command}`)) as { result: unknown }).result;
    expect(await freezing('thaw')).toBe(0);
    for (const boots of [false, true]) {
      expect([await freezing('freeze'), await freezing('status')]).toEqual([1, 'frozen']);
      const desc = (name: string) => `Command guest-${name} has been disabled: the agent is in frozen state`;
      expect(await freezing('freeze')).toEqual({
        error: { class: 'CommandNotFound', desc: desc('fsfreeze-freeze') },
      });
      expect(await cluster.refusal('POST', `${VM}/agent/exec`, { command: 'ls' })).toBe(
        `500 Agent error: ${desc('exec')}`,
      );
      expect(await ask('ping')).toEqual({ result: {} });
      const shutdown = await cluster.run('POST', `${VM}/status/shutdown`, { timeout: 2 });
      expect(shutdown.exitstatus).toBe('VM quit/powerdown failed - got timeout');
      if (boots) await cluster.run('POST', `${VM}/status/reset`);
      else expect(await freezing('thaw')).toBe(1);
      await cluster.pass(2000);
      expect(await freezing('status')).toBe('thawed');
    }
  });

  it('tells the name of the guest, and shuts it down', async () => {
    await start({ name: 'web.example.com' });
    await cluster.pass(2000);
    expect(await cluster.data('GET', `${VM}/agent/get-host-name`)).toEqual({
      result: { 'host-name': 'web' },
    });
    await cluster.data('POST', `${VM}/agent/shutdown`);
    expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({ status: 'stopped' });
  });
});

describe('the addresses of a guest', () => {
  it('come by DHCP when nobody says anything', async () => {
    await start();
    await cluster.pass(2000);
    expect(await addresses()).toEqual({
      lo: ['127.0.0.1/8', '::1/128'],
      eth0: ['10.0.0.1/8', LINK_LOCAL],
    });
  });

  it('come from the cloud-init drive', async () => {
    await start({
      ide2: 'local:cloudinit',
      ipconfig0: 'ip=192.0.2.7/24,gw=192.0.2.1,ip6=2001:db8::7/64',
      net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr0',
    });
    await cluster.pass(2000);
    expect(await addresses()).toMatchObject({
      eth0: ['192.0.2.7/24', '2001:db8::7/64', LINK_LOCAL],
      eth1: [],
    });
  });

  it('follow a changed drive only after the next boot', async () => {
    await start({ ide2: 'local:cloudinit', ipconfig0: 'ip=192.0.2.7/24' });
    await cluster.data('PUT', `${VM}/config`, { ipconfig0: 'ip=192.0.2.8/24' });
    await cluster.pass(2000);
    expect((await addresses())['eth0']).toContain('192.0.2.7/24');
    await cluster.run('POST', `${VM}/status/reboot`);
    await cluster.pass(10_000);
    expect((await addresses())['eth0']).toContain('192.0.2.8/24');
  });

  it.each<[IsoNames, string]>([
    ['plain', 'cidata'],
    ['rock-ridge', 'CIDATA'],
    ['joliet', 'cidata'],
  ])('come from a NoCloud image with %s names', async (names, label) => {
    const network = {
      version: 2,
      ethernets: { id0: { match: { macaddress: MAC.toLowerCase() }, addresses: ['192.0.2.9/28'] } },
    };
    attachImage(
      isoImage(
        label,
        { 'meta-data': '{"local-hostname":"seed"}', 'network-config': JSON.stringify(network) },
        names,
      ),
    );
    await start({ ide2: 'local:iso/seed.iso,media=cdrom' });
    await cluster.pass(2000);
    expect((await addresses())['eth0']).toEqual(['192.0.2.9/28', LINK_LOCAL]);
    expect(await cluster.data('GET', `${VM}/agent/get-host-name`)).toEqual({
      result: { 'host-name': 'seed' },
    });
  });

  it.each([
    [
      'version 1',
      { version: 1, config: [physical({ type: 'static', address: '192.0.2.3', netmask: '255.255.255.0' })] },
    ],
    [
      'a wrapper',
      { network: { version: 1, config: [physical({ type: 'static', address: '192.0.2.3/24' })] } },
    ],
  ])('come from a network-config of %s', async (_, network) => {
    attachImage(isoImage('cidata', { 'network-config': JSON.stringify(network) }, 'plain'));
    await start({ ide2: 'local:iso/seed.iso,media=cdrom' });
    await cluster.pass(2000);
    expect((await addresses())['eth0']).toContain('192.0.2.3/24');
  });

  it.each([
    ['an image with another label', isoImage('tools', { 'network-config': '{}' }, 'plain')],
    ['a file that is no image', Buffer.from('CD001'.repeat(10_000))],
    ['an image cut short', isoImage('cidata', { 'network-config': '{}' }, 'plain').subarray(0, 20 * 2048)],
  ])('are not asked of %s', async (_, image) => {
    attachImage(image);
    await start({ ide2: 'local:iso/seed.iso,media=cdrom' });
    await cluster.pass(2000);
    expect(Object.keys(await addresses())).toEqual(['lo', 'eth0']);
  });
});

function physical(subnet: Record<string, string>): Record<string, unknown> {
  return { type: 'physical', name: 'eth0', mac_address: MAC.toLowerCase(), subnets: [subnet] };
}

function attachImage(image: Buffer): void {
  cluster.world.volumes.push({
    volid: 'local:iso/seed.iso',
    storage: 'local',
    node: 'pve1',
    content: 'iso',
    format: 'raw',
    size: image.length,
    ctime: 0,
    text: image.toString('latin1'),
  });
}
