import type { Simulator } from '../../../simulator';
import { ask } from '../../support/cluster/ask';
import { startCluster } from '../../support/cluster/start-cluster';

const FIREWALL = '/nodes/pve3/qemu/100/firewall';
let simulator: Simulator;
beforeEach(async () => (simulator = await startCluster()));
afterEach(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', FIREWALL + path)).json.data;
const send = async (method: string, path: string, form?: Record<string, string>) => {
  const { status, reason, json } = await ask(simulator, method, FIREWALL + path, form ? { form } : {});
  return json.errors ?? [status, reason];
};
const OK = [200, 'OK'];
type Row = Record<string, unknown>;

const rule = (values: Record<string, string>) =>
  send('POST', '/rules', { type: 'in', action: 'ACCEPT', ...values });

it('cannot be changed without a quorum', async () => {
  simulator.world.cluster!.quorate = false;
  expect(await rule({})).toEqual([500, "cfs-lock 'firewall-vm-100' error: no quorum!"]);
});

describe('rules', () => {
  it('go to the front, and are off unless they say otherwise', async () => {
    await rule({ proto: 'tcp', dport: '22' });
    await rule({ macro: 'https', enable: '1', source: '2001:db8::/64' });
    const rules = await get('/rules');
    expect(rules.map(({ pos, enable, macro, dport }: Row) => [pos, enable, macro ?? dport])).toEqual([
      [0, 1, 'HTTPS'],
      [1, 0, '22'],
    ]);
    expect(rules[0]).toMatchObject({ ipversion: 6 });
    expect(await get('/rules/1')).toMatchObject({ pos: '1', dport: '22', digest: rules[0].digest });
  });

  it('have the digest that Proxmox gives', async () => {
    await rule({ proto: 'tcp', dport: '22' });
    expect((await get('/rules'))[0].digest).toBe('085c3d09aacc240d1ea1ab86052f16b8ab6ee66c');
  });

  it.each<[Record<string, string>, Row]>([
    [{ action: 'foo' }, { action: "unknown action 'foo'" }],
    [{ macro: 'nope' }, { macro: "unknown macro 'nope'" }],
    [{ iface: 'vmbr0' }, { iface: "value does not match the regex pattern 'net\\d+'" }],
    [{ dport: '22' }, { proto: "missing property - 'dport' requires this property" }],
    [{ sport: '22' }, { proto: "missing property - 'sport' requires this property" }],
    [{ proto: 'esp', dport: '22' }, { dport: "protocol 'esp' does not support ports" }],
    [{ source: '+nope' }, { source: "no such ipset 'nope'" }],
    [{ dest: 'nope' }, { dest: "no such alias 'nope'" }],
    [{ source: '10.0.0.1', dest: '2001:db8::1' }, { dest: 'detected mixed ipv4/ipv6 addresses in rule' }],
  ])('with %j are refused', async (values, errors) => {
    expect(await rule(values)).toEqual(errors);
    expect(await get('/rules')).toEqual([]);
  });

  it.each<[string, string, string | undefined]>([
    ['dport', '22,https,1000:2000', undefined],
    ['dport', 'echo-request', undefined],
    ['sport', 'echo-request', "invalid port 'echo-request'"],
    ['dport', '70000', "invalid port '70000'"],
    ['dport', 'nope', "invalid port 'nope'"],
    ['dport', '20:10', "backwards range '20:10' not allowed, did you mean '10:20'?"],
    ['dport', '22,', 'extraneous commas in list'],
    ['dport', '22,echo-request', 'ICMP ports not allowed in port range'],
    ['sport', '1:2,3:4,5:6,7:8,9:10,11:12,13:14,15:16', 'too many entries in port list (> 15 numbers)'],
    ['source', '10.0.0.1,10.0.0.0/8', undefined],
    ['source', '10.0.0.1-10.0.0.9', undefined],
    ['dest', '10.0.0.1-10.0.0.9,10.1.0.0/16', "you can't use a range in a list"],
    ['dest', '10.0.0.300', 'invalid IP address: Invalid quad in IP address 10.0.0.300 - 300'],
    [
      'source',
      '10.0/16,2001:db8::/32',
      "detected mixed ipv4/ipv6 addresses in address list '10.0/16,2001:db8::/32'",
    ],
    ['source', '10.0/16', undefined],
    ['source', '::ffff:10.0.0.0/104', undefined],
    ['source', '10.0.0.1/8', `invalid IP address: Invalid prefix 00001010${'0'.repeat(23)}1/8`],
    ['source', '10.0.0.0/33', 'invalid IP address: Prefix length 33 is longer than IP address (32)'],
    ['source', '2001:db8::zz', 'invalid IP address: Invalid IP address 2001:db8::zz'],
    [
      'source',
      '10.0.0.9-10.0.0.1',
      'invalid IP address: Begin address is greater than End address 10.0.0.9 - 10.0.0.1',
    ],
    [
      'source',
      '2001:db8::2-2001:db8::1',
      'invalid IP address: Begin address is greater than End address 2001:0db8:0000:0000:0000:0000:0000:0002 - 2001:0db8:0000:0000:0000:0000:0000:0001',
    ],
    ['source', '10.0.0.1-x', 'invalid IP address: Not a valid IPv4 address x'],
    [
      'dest',
      '10.0.0.1,2001:db8::1',
      "detected mixed ipv4/ipv6 addresses in address list '10.0.0.1,2001:db8::1'",
    ],
    ['proto', 'nope', "unknown protocol 'nope'"],
    ['proto', '47', undefined],
    ['icmp-type', 'nope', "invalid icmp-type value 'nope'"],
  ])('check %s=%j by its format', async (key, value, why) => {
    const proto = value === 'echo-request' ? 'icmp' : 'tcp';
    expect(await rule({ proto, [key]: value })).toEqual(
      why === undefined ? OK : { [key]: `invalid format - ${why}\n` },
    );
  });

  it('move, change and go', async () => {
    for (const dport of ['1', '2', '3']) await rule({ proto: 'udp', dport });
    const ports = async () => (await get('/rules')).map(({ dport }: Row) => dport);
    expect(await ports()).toEqual(['3', '2', '1']);
    await send('PUT', '/rules/0', { moveto: '2' });
    expect(await ports()).toEqual(['2', '3', '1']);
    await send('PUT', '/rules/0', { moveto: '9' });
    expect(await ports()).toEqual(['3', '1', '2']);
    await send('PUT', '/rules/2', { moveto: '0' });
    expect(await ports()).toEqual(['2', '3', '1']);
    expect(await send('PUT', '/rules/0', { dport: '4', comment: 'c' })).toEqual(OK);
    expect(await send('PUT', '/rules/0', { delete: 'comment' })).toEqual(OK);
    expect(await get('/rules/0')).not.toHaveProperty('comment');
    expect(await send('PUT', '/rules/0', { delete: 'action' })).toEqual({
      delete: "unable to delete required property 'action'",
    });
    expect(await send('PUT', '/rules/0', { dport: '5', digest: 'old' })).toEqual([
      500,
      'detected modified configuration - file changed by other user? Try again.',
    ]);
    expect(await send('DELETE', '/rules/0')).toEqual(OK);
    expect(await ports()).toEqual(['3', '1']);
    expect(await send('DELETE', '/rules/7')).toEqual([500, 'no rule at position 7']);
  });
});

describe('options', () => {
  it('are numbers and words, and answer also for a guest that is not there', async () => {
    await send('PUT', '/options', { enable: '1', policy_in: 'DROP', macfilter: '0' });
    expect(await get('/options')).toMatchObject({ enable: 1, policy_in: 'DROP', macfilter: 0 });
    expect(await send('PUT', '/options', { delete: 'enable' })).toEqual(OK);
    expect(await get('/options')).not.toHaveProperty('enable');
    expect(await send('PUT', '/options', { delete: 'bogus' })).toEqual({ delete: "no such option 'bogus'" });
    const missing = await ask(simulator, 'GET', '/nodes/pve1/qemu/999/firewall/options');
    expect(missing.json.data).toEqual({ digest: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' });
  });
});

describe('aliases', () => {
  it('are found in any case, renamed and deleted', async () => {
    expect(await send('POST', '/aliases', { name: 'Db', cidr: '10.2.0.1/32' })).toEqual(OK);
    expect(await send('POST', '/aliases', { name: 'dB', cidr: '10.2.0.2' })).toEqual({
      name: "alias 'dB' already exists",
    });
    expect(await get('/aliases/db')).toEqual({ name: 'Db', cidr: '10.2.0.1', ipversion: 4 });
    expect(await send('PUT', '/aliases/db', { cidr: '10.3.0.0/16', rename: 'net' })).toEqual(OK);
    expect((await get('/aliases')).map(({ name, cidr }: Row) => [name, cidr])).toEqual([
      ['net', '10.3.0.0/16'],
    ]);
    expect(await rule({ source: 'net' })).toEqual(OK);
    expect(await get('/refs')).toEqual([{ type: 'alias', name: 'net', ref: 'net', scope: 'guest' }]);
    await send('DELETE', '/aliases/net');
    expect(await send('GET', '/aliases/net')).toEqual({ name: 'no such alias' });
  });
});

describe('sets', () => {
  it('hold networks, also under a path with a slash', async () => {
    expect(await send('POST', '/ipset', { name: 'ips', comment: 'c' })).toEqual(OK);
    expect(await send('POST', '/ipset', { name: 'ips' })).toEqual({ name: "IPSet 'ips' already exists" });
    expect(await send('POST', '/ipset/ips', { cidr: '10.1.0.0/16', nomatch: '1' })).toEqual(OK);
    expect(await send('POST', '/ipset/ips', { cidr: '10.1.0.0/16' })).toEqual({
      cidr: "address '10.1.0.0/16' already exists",
    });
    expect(await send('POST', '/ipset/ips', { cidr: '10.0.0.0/0' })).toEqual({
      cidr: 'a zero prefix is not allowed in ipset entries',
    });
    expect(await get('/ipset/ips/10.1.0.0%2F16')).toEqual({ cidr: '10.1.0.0/16', nomatch: 1 });
    expect(await send('PUT', '/ipset/ips/10.1.0.0%2F16', { comment: 'x' })).toEqual(OK);
    expect(await get('/ipset/ips/10.1.0.0%2F16')).toEqual({ cidr: '10.1.0.0/16', comment: 'x' });
    expect(await send('POST', '/ipset', { name: 'nets', rename: 'ips' })).toEqual(OK);
    expect(await send('DELETE', '/ipset/nets')).toEqual([500, "IPSet 'nets' is not empty"]);
    expect(await send('DELETE', '/ipset/nets/10.1.0.0%2F16')).toEqual(OK);
    expect(await send('DELETE', '/ipset/nets')).toEqual(OK);
    expect(await send('DELETE', '/ipset/nets')).toEqual([500, "no such IPSet 'nets'"]);
  });
});
