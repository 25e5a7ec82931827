import type { Simulator } from '../../../simulator';
import { ask } from '../../support/cluster/ask';
import { startCluster } from '../../support/cluster/start-cluster';

let simulator: Simulator;
beforeEach(async () => (simulator = await startCluster()));
afterEach(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
const send = async (method: string, path: string, form?: Record<string, string>) => {
  const { status, reason, json } = await ask(simulator, method, path, form ? { form } : {});
  return json.errors ?? [status, reason];
};
const OK = [200, 'OK'];

it.each(['/cluster/firewall', '/nodes/pve2/firewall', '/nodes/pve3/lxc/101/firewall'])(
  'rules are kept for each of them: %s',
  async firewall => {
    const rule = { type: 'in', action: 'ACCEPT', proto: 'tcp', dport: '22', enable: '1' };
    expect(await send('POST', `${firewall}/rules`, rule)).toEqual(OK);
    expect(await get(`${firewall}/rules`)).toMatchObject([{ pos: 0, dport: '22', enable: 1 }]);
    expect(await send('PUT', `${firewall}/options`, { enable: '1' })).toEqual(OK);
    expect(await get(`${firewall}/options`)).toMatchObject({ enable: 1 });
    expect(await send('DELETE', `${firewall}/rules/0`)).toEqual(OK);
    expect(await get(`${firewall}/rules`)).toEqual([]);
    expect(await get('/nodes/pve1/firewall/rules')).toEqual([]);
  },
);

it('takes any card in a rule of the cluster, and its own options only', async () => {
  const rule = { type: 'in', action: 'ACCEPT', iface: 'vmbr0' };
  expect(await send('POST', '/cluster/firewall/rules', rule)).toEqual(OK);
  expect(await send('PUT', '/cluster/firewall/options', { policy_forward: 'REJECT' })).toEqual({
    policy_forward: "value 'REJECT' does not have a value in the enumeration 'ACCEPT, DROP'",
  });
  expect(await send('PUT', '/nodes/pve1/firewall/options', { delete: 'dhcp' })).toEqual({
    delete: "no such option 'dhcp'",
  });
});

it('knows the names of the cluster in the rules of a guest', async () => {
  const guest = '/nodes/pve3/qemu/100/firewall';
  const rule = { type: 'in', action: 'ACCEPT', source: '+dc/offices', dest: 'web' };
  expect(await send('POST', `${guest}/rules`, rule)).toEqual({ source: "no such ipset 'dc/offices'" });
  await send('POST', '/cluster/firewall/ipset', { name: 'offices', comment: 'all' });
  await send('POST', '/cluster/firewall/ipset/offices', { cidr: '198.51.100.0/24' });
  await send('POST', '/cluster/firewall/aliases', { name: 'web', cidr: '192.0.2.80' });
  expect(await send('POST', `${guest}/rules`, rule)).toEqual(OK);
  expect(await send('POST', `${guest}/rules`, { ...rule, source: '+guest/offices' })).toEqual({
    source: "no such ipset 'guest/offices'",
  });
  expect(await get(`${guest}/refs?type=ipset`)).toEqual([
    { type: 'ipset', name: 'offices', ref: '+dc/offices', scope: 'dc', comment: 'all' },
  ]);
});

describe('security groups', () => {
  const GROUPS = '/cluster/firewall/groups';

  it('hold rules, and go when they are empty', async () => {
    expect(await send('POST', GROUPS, { group: 'web', comment: 'servers' })).toEqual(OK);
    expect(await send('POST', GROUPS, { group: 'web' })).toEqual({
      group: "Security group 'web' already exists",
    });
    expect(await send('POST', `${GROUPS}/web`, { type: 'in', action: 'ACCEPT', macro: 'http' })).toEqual(OK);
    expect(await send('POST', `${GROUPS}/web`, { type: 'group', action: 'db' })).toEqual({
      type: 'security groups not allowed',
    });
    expect(await get(`${GROUPS}/web`)).toMatchObject([{ pos: 0, macro: 'HTTP' }]);
    expect(await send('DELETE', `${GROUPS}/web`)).toEqual([500, "Security group 'web' is not empty"]);
    expect(await send('DELETE', `${GROUPS}/web/0`)).toEqual(OK);
    expect(await send('POST', GROUPS, { group: 'front', rename: 'web' })).toEqual(OK);
    expect(await get(GROUPS)).toMatchObject([{ group: 'front', comment: 'servers' }]);
    expect(await send('DELETE', `${GROUPS}/front`)).toEqual(OK);
    expect(await send('GET', `${GROUPS}/front`)).toEqual([500, "no such security group 'front'"]);
  });
});
