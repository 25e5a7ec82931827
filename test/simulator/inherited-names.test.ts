import type { Simulator } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startCluster();
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const VM = '/nodes/pve3/qemu/100';

// names that every JavaScript object answers to, where nothing of that name was ever made
const NAMES = ['constructor', 'toString'];

const REQUESTS = NAMES.flatMap((name): [string, string, Record<string, string> | undefined][] => [
  ['GET', `/access/roles/${name}`, undefined],
  ['PUT', `/access/roles/${name}`, { privs: 'VM.Audit' }],
  ['DELETE', `/access/roles/${name}`, undefined],
  ['GET', `/access/groups/${name}`, undefined],
  ['DELETE', `/access/groups/${name}`, undefined],
  ['POST', '/access/users', { userid: `${name}@pve`, groups: name }],
  ['POST', '/access/users', { userid: `a@${name}`, password: 'password' }],
  ['GET', `/access/users/${name}@pve`, undefined],
  ['GET', `/access/users/root@pam/token/${name}`, undefined],
  ['GET', `/access/domains/${name}`, undefined],
  ['PUT', '/access/acl', { path: '/', roles: name, users: 'root@pam' }],
  ['PUT', '/access/acl', { path: '/', roles: 'PVEAdmin', groups: name }],
  ['GET', `/pools/${name}`, undefined],
  ['POST', '/nodes/pve1/qemu', { vmid: '500', pool: name }],
  ['POST', '/nodes/pve1/qemu/9001/clone', { newid: '501', pool: name }],
  ['POST', '/nodes/pve1/qemu/9001/clone', { newid: '502', full: '1', snapname: name }],
  ['GET', `/cluster/ha/resources/${name}`, undefined],
  ['GET', `/cluster/ha/rules/${name}`, undefined],
  ['POST', '/storage', { storage: 'x1', type: name }],
  ['GET', `${VM}/config?snapshot=${name}`, undefined],
  ['GET', `${VM}/feature?feature=copy&snapname=${name}`, undefined],
  ['GET', `${VM}/snapshot/${name}/config`, undefined],
  ['GET', `${VM}/firewall/aliases/${name}`, undefined],
  ['GET', `${VM}/firewall/ipset/${name}`, undefined],
  ['DELETE', `${VM}/firewall/ipset/${name}`, undefined],
]);

it.each(REQUESTS)('%s %s finds nothing', async (method, path, form) => {
  const { status } = await ask(simulator, method, path, form ? { form } : {});
  expect(status).toBeGreaterThanOrEqual(400);
  expect(simulator.sim.defects.all()).toEqual([]);
  simulator.sim.defects.clear();
});

it.each(NAMES)('a role, a group, an alias and an address set can be named %s', async name => {
  const firewall = `${VM}/firewall`;
  const made: [string, Record<string, string>][] = [
    ['/access/roles', { roleid: name, privs: 'VM.Audit' }],
    ['/access/groups', { groupid: name }],
    ['/pools', { poolid: name }],
    [`${firewall}/aliases`, { name, cidr: '192.0.2.1' }],
    [`${firewall}/ipset`, { name }],
  ];
  for (const [path, form] of made) {
    expect([path, (await ask(simulator, 'POST', path, { form })).reason]).toEqual([path, 'OK']);
  }
});
