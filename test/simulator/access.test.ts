import type { Simulator } from '../../simulator';
import type { Answered } from '../support/cluster/ask';
import { ask, authorizationOf } from '../support/cluster/ask';
import { recordedWorld } from '../support/cluster/recorded-world';
import { ROOT, TOKEN, startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startCluster({ world: recordedWorld(), timeScale: 'held' });
});
afterEach(() => simulator.close());

const root = (method: string, path: string, form?: Record<string, string>): Promise<Answered> =>
  ask(simulator, method, path, form ? { form } : {});

const as = (authorization: string, method: string, path: string, form?: Record<string, string>) =>
  ask(simulator, method, path, { headers: { authorization }, ...(form ? { form } : {}) });

const TF = 'PVEAPIToken=tf@pve!prov=33333333-3333-4333-8333-333333333333';
const TF_SEPARATED = 'PVEAPIToken=tf@pve!sep=44444444-4444-4444-8444-444444444444';
const NOBODY = 'PVEAPIToken=nobody@pve!t1=66666666-6666-4666-8666-666666666666';
const DEPLOYER = 'PVEAPIToken=deployer@pve!t1=55555555-5555-4555-8555-555555555555';

const login = (username: string, password: string): Promise<Answered> =>
  ask(simulator, 'POST', '/access/ticket', { headers: {}, form: { username, password } });

const cookie = (ticket: string): Record<string, string> => ({
  cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
});

const HOUR_MS = 3_600_000;

describe('a login that asks whether the user may do something', () => {
  const asks = (path: string, privs: string) =>
    ask(simulator, 'POST', '/access/ticket', {
      headers: {},
      form: { username: 'root@pam', password: ROOT.password, path, privs },
    });
  // PVE: AccessControl.pm, verify_auth
  it('gets no ticket where it may', async () => {
    const { status, json } = await asks('/vms/100', 'VM.Allocate');
    expect([status, json.data.username]).toEqual([200, 'root@pam']);
    expect(json.data).not.toHaveProperty('ticket');
    expect(json.data).toHaveProperty('cap');
  });
  it.each(['vms', 'bad path'])('is refused for the path %j', async path => {
    expect(await asks(path, 'VM.Allocate')).toMatchObject({ status: 401, reason: 'authentication failure' });
  });
});

describe('a ticket', () => {
  it('opens the door for two hours, and can be renewed with itself', async () => {
    const { ticket } = (await login('root@pam', ROOT.password)).json.data;
    const visit = (value: string) => ask(simulator, 'GET', '/version', { headers: cookie(value) });
    expect(ticket).toMatch(/^PVE:root@pam:[0-9A-F]{8}::[A-Za-z0-9+/]+=*$/);
    await simulator.sim.clock.advance(2 * HOUR_MS - 1000);
    expect((await visit(ticket)).status).toBe(200);
    const renewed = (await login('root@pam', ticket)).json.data.ticket;
    await simulator.sim.clock.advance(2000);
    expect(await visit(ticket)).toMatchObject({ status: 401, reason: 'Authentication failed!', text: '' });
    expect((await visit(renewed)).status).toBe(200);
  });

  it.each<[string, (ticket: string) => Record<string, string>]>([
    ['an encoded cookie', cookie],
    ['a raw cookie', ticket => ({ cookie: `other=1; PVEAuthCookie=${ticket}` })],
    ['the Authorization header', ticket => ({ authorization: `PVEAuthCookie=${ticket}` })],
    ['a cookie beside a bad token', ticket => ({ ...cookie(ticket), authorization: 'PVEAPIToken=bad' })],
  ])('comes in %s', async (_, headers) => {
    const { ticket } = (await login('root@pam', ROOT.password)).json.data;
    expect((await ask(simulator, 'GET', '/version', { headers: headers(ticket) })).status).toBe(200);
  });

  it('needs the CSRF token for each write', async () => {
    const { ticket, CSRFPreventionToken } = (await login('root@pam', ROOT.password)).json.data;
    const write = (csrf: object) =>
      ask(simulator, 'POST', '/access/groups', {
        headers: { ...cookie(ticket), ...csrf },
        form: { groupid: 'g' },
      });
    const refused = { status: 401, reason: 'Permission denied - invalid csrf token', text: '' };
    expect(await write({})).toMatchObject(refused);
    expect(await write({ csrfpreventiontoken: 'bad' })).toMatchObject(refused);
    expect(await write({ csrfpreventiontoken: CSRFPreventionToken })).toMatchObject({ status: 200 });
  });

  it.each([
    ['forged', 'PVE:root@pam:00000000::AAAA'],
    ['garbage', 'garbage'],
  ])('that is %s opens nothing', async (_, ticket) => {
    const answer = await ask(simulator, 'GET', '/version', { headers: cookie(ticket) });
    expect(answer).toMatchObject({ status: 401, reason: 'Authentication failed!', text: '' });
  });

  it('is of no use once its user is disabled', async () => {
    const { ticket } = (await login('tf@pve', 'lab-pw-22')).json.data;
    await root('PUT', '/access/users/tf@pve', { enable: '0' });
    expect((await ask(simulator, 'GET', '/version', { headers: cookie(ticket) })).status).toBe(401);
  });
});

describe('a login', () => {
  it.each([
    ['a wrong password', 'root@pam', 'wrong'],
    ['an unknown user', 'ghost@pve', 'wrong'],
    ['an unknown realm', 'root@nowhere', ROOT.password],
    ['no realm', 'root', ROOT.password],
    ['a disabled user', 'disabled@pve', 'lab-pw-22'],
  ])('with %s does not say why it failed', async (_, user, password) => {
    expect(await login(user, password)).toMatchObject({
      status: 401,
      reason: 'authentication failure',
      json: { data: null, message: 'authentication failure\n' },
    });
  });

  it('tells what the user may do', async () => {
    const { cap, username, clustername } = (await login('deployer@pve', 'lab-pw-22')).json.data;
    expect(username).toBe('deployer@pve');
    expect(cap.vms['VM.Allocate']).toBe(1);
    expect(cap.storage).toEqual({});
    expect(clustername).toBeUndefined();
    expect((await login('tf@pve', 'lab-pw-22')).json.data.clustername).toBe('lab');
  });
});

describe('a token', () => {
  it.each([
    ['with =', authorizationOf(TOKEN), 200, 'OK'],
    ['with a blank', authorizationOf(TOKEN).replace('PVEAPIToken=', 'PVEAPIToken '), 200, 'OK'],
    ['as Bearer', 'Bearer abc', 401, 'No ticket'],
    ['in lower case', authorizationOf(TOKEN).replace('PVEAPIToken', 'pveapitoken'), 401, 'No ticket'],
    [
      'with a colon',
      'PVEAPIToken=root@pam!full:11111111-1111-4111-8111-111111111111',
      401,
      'Authentication failed!',
    ],
    ['without a secret', 'PVEAPIToken=root@pam!full', 401, 'Authentication failed!'],
    ['of nobody', 'PVEAPIToken=ghost@pve!x=1', 401, 'Authentication failed!'],
    ['named like a property', 'PVEAPIToken=root@pam!constructor=1', 401, 'Authentication failed!'],
  ])('%s', async (_, authorization, status, reason) => {
    expect(await as(authorization, 'GET', '/version')).toMatchObject({ status, reason });
  });

  it('cannot get a ticket', async () => {
    const answer = await as(authorizationOf(TOKEN), 'POST', '/access/ticket', {
      username: 'root@pam',
      password: ROOT.password,
    });
    expect(answer).toMatchObject({
      status: 403,
      reason:
        "Permission check failed (URI '/access/ticket' not available with API token, need proper ticket.",
    });
  });

  it('ends when it expires, by the simulated clock', async () => {
    const expire = String(Math.floor(simulator.sim.clock.now() / 1000) + 60);
    await root('PUT', '/access/users/tf@pve/token/prov', { expire });
    expect((await as(TF, 'GET', '/version')).status).toBe(200);
    await simulator.sim.clock.advance(62_000);
    expect((await as(TF, 'GET', '/version')).status).toBe(401);
  });

  it('that is separated may do what both its own and its owner’s permissions say', async () => {
    const held = async (): Promise<string[]> =>
      Object.keys((await as(TF_SEPARATED, 'GET', '/access/permissions?path=/vms/100')).json.data['/vms/100']);
    expect(await held()).toEqual([]);
    await root('PUT', '/access/acl', { path: '/vms', roles: 'PVEVMAdmin', tokens: 'tf@pve!sep' });
    expect(await held()).toContain('VM.Clone');
    // PVEVMAdmin has it, its owner's role has not
    expect(await held()).not.toContain('VM.Backup');
  });

  it('of root@pam that is separated may do nothing by itself', async () => {
    const answer = await as('PVEAPIToken=root@pam!sep=22222222-2222-4222-8222-222222222222', 'GET', '/pools');
    expect(answer).toMatchObject({ status: 200, json: { data: [] } });
  });
});

describe('permissions', () => {
  const held = async (user: string, path: string): Promise<string[]> =>
    Object.keys((await root('GET', `/access/permissions?userid=${user}&path=${path}`)).json.data[path]);

  const grant = (path: string, roles: string, more: Record<string, string>): Promise<Answered> =>
    root('PUT', '/access/acl', { path, roles, users: 'nobody@pve', ...more });

  it('are inherited, unless they do not propagate', async () => {
    await grant('/', 'PVEAuditor', { propagate: '0' });
    expect(await held('nobody@pve', '/')).toContain('VM.Audit');
    expect(await held('nobody@pve', '/vms/100')).toEqual([]);
    await grant('/', 'PVEAuditor', {});
    expect(await held('nobody@pve', '/vms/100')).toContain('VM.Audit');
  });

  it('further down replace what came from above', async () => {
    await grant('/', 'Administrator', {});
    await grant('/vms/100', 'PVEVMUser', {});
    expect(await held('nobody@pve', '/vms/100')).not.toContain('VM.Allocate');
    await grant('/vms/100', 'NoAccess', {});
    expect(await held('nobody@pve', '/vms/100')).toEqual([]);
  });

  it('come through groups, and a user’s own hide them on the same path', async () => {
    await root('POST', '/access/groups', { groupid: 'ops' });
    await root('PUT', '/access/users/nobody@pve', { groups: 'ops' });
    await root('PUT', '/access/acl', { path: '/vms', roles: 'PVEVMAdmin', groups: 'ops' });
    expect(await held('nobody@pve', '/vms/100')).toContain('VM.Allocate');
    await grant('/vms', 'PVEAuditor', {});
    expect(await held('nobody@pve', '/vms/100')).not.toContain('VM.Allocate');
  });

  it('on a pool count for its guests and storages, except where there is no access', async () => {
    simulator.world.pools['team'] = { vms: [100], storages: ['local'] };
    await grant('/pool/team', 'PVEAdmin', {});
    expect(await held('nobody@pve', '/vms/100')).toContain('VM.Clone');
    expect(await held('nobody@pve', '/storage/local')).toContain('Datastore.Allocate');
    expect(await held('nobody@pve', '/vms/101')).toEqual([]);
    await grant('/vms/100', 'NoAccess', {});
    expect(await held('nobody@pve', '/vms/100')).toEqual([]);
  });

  it.each([
    [NOBODY, 'GET', '/nodes/pve1/qemu/100/config', '/vms/100, VM.Audit'],
    [
      NOBODY,
      'GET',
      '/nodes/pve1/storage/local/content',
      '/storage/local, Datastore.Audit|Datastore.AllocateSpace',
    ],
    [NOBODY, 'GET', '/nodes/pve1/qemu/a%20b/config', ', VM.Audit'],
    [NOBODY, 'POST', '/access/groups', '/access/groups, Group.Allocate'],
    [NOBODY, 'POST', '/nodes/pve1/storage/local/upload', '/storage/local, Datastore.AllocateTemplate'],
    [DEPLOYER, 'PUT', '/access/acl?path=/vms&roles=NoAccess&users=tf@pve', '/vms, Permissions.Modify'],
  ])('are refused with the path and the privilege', async (user, method, path, what) => {
    const answer = await as(user, method, path);
    expect(answer).toMatchObject({ status: 403, reason: `Permission check failed (${what})` });
  });

  it('of others are shown to auditors only', async () => {
    expect((await as(DEPLOYER, 'GET', '/access/permissions?userid=tf@pve')).status).toBe(403);
    expect((await as(TF, 'GET', '/access/permissions?userid=deployer@pve')).status).toBe(200);
  });

  it('may be handed out on a guest by who may allocate it, but no more than he holds', async () => {
    const grantAs = (roles: string): Promise<Answered> =>
      as(DEPLOYER, 'PUT', '/access/acl', { path: '/vms/100', roles, users: 'tf@pve' });
    expect((await grantAs('PVEVMUser')).status).toBe(200);
    expect((await grantAs('PVEAdmin')).json.message).toBe(
      "ACL update failed: 400 Parameter verification failed.\nrole: Cannot add role 'PVEAdmin' - requires 'Permissions.Modify' or superset of privileges.\n",
    );
    expect((await grantAs('NoAccess')).status).toBe(500);
  });
});

describe('roles', () => {
  it('of Proxmox are complete and fixed', async () => {
    const roles: { roleid: string; special: number; privs: string }[] = (await root('GET', '/access/roles'))
      .json.data;
    expect(
      roles
        .filter(({ special }) => special)
        .map(({ roleid }) => roleid)
        .sort(),
    ).toEqual([
      'Administrator',
      'NoAccess',
      'PVEAdmin',
      'PVEAuditor',
      'PVEDatastoreAdmin',
      'PVEDatastoreUser',
      'PVEMappingAdmin',
      'PVEMappingUser',
      'PVEPoolAdmin',
      'PVEPoolUser',
      'PVESDNAdmin',
      'PVESDNUser',
      'PVESysAdmin',
      'PVETemplateUser',
      'PVEUserAdmin',
      'PVEVMAdmin',
      'PVEVMUser',
    ]);
    expect(await root('DELETE', '/access/roles/PVEVMUser')).toMatchObject({
      status: 500,
      reason: "auto-generated role 'PVEVMUser' cannot be deleted",
    });
    expect((await root('POST', '/access/roles', { roleid: 'PVEMine' })).json.errors).toEqual({
      roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace",
    });
  });

  it('know no privilege of earlier versions', async () => {
    const answer = await root('POST', '/access/roles', { roleid: 'Old', privs: 'VM.Audit,VM.Monitor' });
    expect(answer.json.errors).toEqual({ privs: "invalid format - invalid privilege 'VM.Monitor'\n" });
  });

  it('take their ACL entries with them when they go', async () => {
    await root('POST', '/access/roles', { roleid: 'Mine', privs: 'VM.Audit' });
    await root('PUT', '/access/acl', { path: '/vms', roles: 'Mine', users: 'nobody@pve' });
    await root('DELETE', '/access/roles/Mine');
    expect(simulator.world.access.acl.some(({ roleid }) => roleid === 'Mine')).toBe(false);
  });
});

describe('users', () => {
  it('of the system get no password from here', async () => {
    expect((await root('POST', '/access/users', { userid: 'b@pam', password: 'long-enough' })).reason).toBe(
      "create user failed: change password failed: user 'b' does not exist",
    );
    expect((await root('POST', '/access/users', { userid: 'b@pam' })).status).toBe(200);
  });

  it('always hold root, even after he was deleted', async () => {
    const { json } = await login('root@pam', ROOT.password);
    const headers = { ...cookie(json.data.ticket), csrfpreventiontoken: json.data.CSRFPreventionToken };
    await ask(simulator, 'DELETE', '/access/users/root@pam', { headers });
    expect((await login('root@pam', ROOT.password)).status).toBe(200);
    expect((await root('GET', '/version')).status).toBe(401);
  });
});

it('refuses to change anything without a quorum, but lets everybody in', async () => {
  simulator.world.cluster!.quorate = false;
  expect(await root('POST', '/access/users', { userid: 'a@pve' })).toMatchObject({
    status: 500,
    reason: "create user failed: cfs-lock 'file-user_cfg' error: no quorum!",
  });
  const { json } = await login('root@pam', ROOT.password);
  const headers = { ...cookie(json.data.ticket), csrfpreventiontoken: json.data.CSRFPreventionToken };
  const form = { userid: 'tf@pve', password: 'long-enough' };
  expect((await ask(simulator, 'PUT', '/access/password', { headers, form })).reason).toBe(
    "cfs-lock 'file-priv_shadow_cfg' error: no quorum!",
  );
});

it('reads texts of users, groups and tokens again without the spaces around them', async () => {
  await root('PUT', '/access/users/tf@pve', { comment: ' deploys \n', firstname: ' ', lastname: '0' });
  await root('PUT', '/access/users/tf@pve/token/sep', { comment: ' ' });
  await root('POST', '/access/groups', { groupid: 'admins', comment: ' of the lab ' });
  const { data: user } = (await root('GET', '/access/users/tf@pve')).json;
  expect(user).toMatchObject({ comment: 'deploys \n' });
  expect(user).not.toHaveProperty('firstname');
  expect(user).not.toHaveProperty('lastname');
  expect(user.tokens.sep).not.toHaveProperty('comment');
  expect((await root('GET', '/access/groups/admins')).json.data.comment).toBe('of the lab');
  await root('PUT', '/access/groups/admins', { comment: '' });
  expect((await root('GET', '/access/groups/admins')).json.data).not.toHaveProperty('comment');
});
