import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import type { Asking } from '../../support/cluster/ask';
import { ask, askToEnd, authorizationOf, login } from '../../support/cluster/ask';
import { runPveum } from '../../support/cluster/pveum';
import { ROOT, TOKEN, startCluster } from '../../support/cluster/start-cluster';

let simulator: Simulator;

beforeEach(async () => {
  const world = defaultWorld(3);
  world.pools = { prod: { vms: [], storages: [] } };
  world.access.users['ops@pve'] = { enable: true, tokens: { tf: { value: 'narrow', privsep: true } } };
  simulator = await startCluster({ world, timeScale: 'held' });
});
afterEach(() => simulator.close());

type Headers = Record<string, string>;
type Step = [method: string, path: string, form?: Record<string, string>];

const full = { authorization: authorizationOf(TOKEN) };
const ofToken = ({
  PVE_TOKEN_ID: id,
  PVE_TOKEN_SECRET: secret,
}: Awaited<ReturnType<typeof runPveum>>): Headers => ({
  authorization: authorizationOf({ id, secret }),
});
const permissions = async (query = ''): Promise<string> =>
  (await ask(simulator, 'GET', `/_sim/permissions${query}`)).text;

const VM = '/nodes/pve1/qemu/200';
/** The life of a machine, as a client that makes it, changes it and takes it away asks for it. */
const LIFE: Step[] = [
  ['GET', '/version'],
  ['GET', '/cluster/resources'],
  [
    'POST',
    '/nodes/pve1/qemu/9000/clone',
    { newid: '200', name: 'web', full: '1', storage: 'local-lvm', pool: 'prod' },
  ],
  [
    'POST',
    `${VM}/config`,
    { cores: '2', memory: '4096', tags: 'web', description: 'mine', net0: 'virtio,bridge=vmbr1' },
  ],
  ['PUT', `${VM}/config`, { ide0: 'shared:iso/debian-12.9.0-amd64-netinst.iso,media=cdrom', agent: '1' }],
  ['PUT', `${VM}/resize`, { disk: 'scsi0', size: '+1G' }],
  ['POST', `${VM}/status/start`],
  ['GET', `${VM}/agent/network-get-interfaces`],
  ['GET', `${VM}/config`],
  ['POST', `${VM}/snapshot`, { snapname: 'before' }],
  ['DELETE', `${VM}/snapshot/before`],
  ['POST', `${VM}/status/stop`],
  ['GET', '/nodes/pve1/storage/shared/content'],
  ['DELETE', VM],
];

/** Does these calls; what did not succeed. */
async function failures(headers: Headers, steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const [method, path, form] of steps) {
    const asking: Asking = { headers, ...(form && { form }) };
    const { status, reason, exitstatus = 'OK' } = await askToEnd(simulator, method, path, asking);
    if (status !== 200 || exitstatus !== 'OK')
      failed.push(`${method} ${path}: ${status} ${reason} ${exitstatus}`);
    // the guest boots
    if (path.endsWith('/start')) await simulator.sim.clock.advance(5000);
  }
  return failed;
}

const reset = (): Promise<unknown> => ask(simulator, 'POST', '/_sim/reset');

/** The lines up to those that only let lists show more. */
const needed = (text: string): string => text.slice(0, text.indexOf('# without these no call fails'));

it('a token with exactly the least role does the same, and with one privilege less it does not', async () => {
  expect(await failures(full, LIFE)).toEqual([]);
  const text = needed(await permissions());
  await reset();
  expect(await failures(ofToken(await runPveum(simulator, text)), LIFE)).toEqual([]);
  const roles = [...text.matchAll(/^pveum role add (\S+) --privs (\S+)$/gm)];
  const all = roles.flatMap(([, role = '', privileges = '']) =>
    privileges.split(',').map(privilege => [role, privilege] as const),
  );
  expect(all.length).toBeGreaterThan(12);
  for (const [role, privilege] of all) {
    const less = text.replace(
      RegExp(`^pveum role add ${role} --privs (\\S+)$`, 'm'),
      (_, privileges: string) => {
        const rest = privileges.split(',').filter(each => each !== privilege);
        return `pveum role add ${role}${rest.length > 0 ? ` --privs ${rest.join(',')}` : ''}`;
      },
    );
    await reset();
    const failed = await failures(ofToken(await runPveum(simulator, less)), LIFE);
    expect([role, privilege, failed.length > 0]).toEqual([role, privilege, true]);
  }
});

it('no right is on the whole cluster, and each guest that was met is named', async () => {
  await failures(full, LIFE);
  const paths = [...needed(await permissions()).matchAll(/^pveum acl modify (\S+) /gm)].map(
    ([, path]) => path,
  );
  expect([...new Set(paths)].sort()).toMatchInlineSnapshot(`
    [
      "/sdn/zones/localnetwork/vmbr0",
      "/sdn/zones/localnetwork/vmbr1",
      "/storage/local-lvm",
      "/storage/shared",
      "/vms/200",
      "/vms/9000",
    ]
  `);
});

it('with the second part the lists show the same, too', async () => {
  const lists: Step[] = [
    ['GET', '/cluster/resources'],
    ['GET', '/nodes/pve1/qemu'],
    ['GET', '/nodes/pve3/storage'],
    ['GET', '/pools'],
  ];
  expect(await failures(full, [...LIFE.slice(0, 5), ...lists])).toEqual([]);
  const client = ofToken(await runPveum(simulator, await permissions()));
  for (const [method, path] of lists) {
    const sorted = async (headers: Headers): Promise<string[]> =>
      ((await ask(simulator, method, path, { headers })).data as object[])
        .map(row => JSON.stringify(Object.entries(row).sort()))
        .sort();
    expect(await sorted(client)).toEqual(await sorted(full));
  }
});

it('what was refused is in it, for the token and its user', async () => {
  const headers = { authorization: authorizationOf({ id: 'ops@pve!tf', secret: 'narrow' }) };
  const [refused = ''] = await failures(headers, [['GET', '/nodes/pve1/qemu/9000/config']]);
  expect(refused).toContain('403');
  const text = await permissions('?user=ops@pve!tf');
  expect(text).toContain('1 of them refused');
  expect(text).toContain('pveum acl modify /vms/9000 --roles ops-pve-tf-1 --users ops@pve --propagate 0');
  expect(text).toContain(
    "pveum acl modify /vms/9000 --roles ops-pve-tf-1 --tokens 'ops@pve!tf' --propagate 0",
  );
  await runPveum(simulator, text, { PVE_TOKEN_ID: '', PVE_TOKEN_SECRET: '' });
  expect(await failures(headers, [['GET', '/nodes/pve1/qemu/9000/config']])).toEqual([]);
});

it('is asked of root in person less, and says so; it goes to whom one wants', async () => {
  await failures(await login(simulator, ROOT), [['GET', '/nodes/pve1/qemu/9000/config']]);
  const text = await permissions('?for=lab@pve!one');
  expect(text).toContain('# root@pam itself is not asked for everything');
  expect(text).toContain('pveum user token add lab@pve one --privsep 0');
  expect((await ask(simulator, 'GET', '/_sim/permissions?for=$(reboot)')).status).toBe(400);
  expect((await ask(simulator, 'GET', '/_sim/permissions?user=eve@pve')).json.error).toContain('root@pam');
});

it('many guests get one right on all of them, and it begins anew when it is told to', async () => {
  for (let vmid = 200; vmid < 230; vmid += 1) await ask(simulator, 'GET', `/nodes/pve1/qemu/${vmid}/config`);
  expect(needed(await permissions()).match(/^pveum acl .*$/gm)).toEqual([
    'pveum acl modify /vms --roles root-pam-full-1 --users client@pve --propagate 1',
  ]);
  await ask(simulator, 'DELETE', '/_sim/permissions');
  expect(await permissions()).toBe('# nobody was asked for a privilege so far\n');
});

it('keeps no more than it can: a path that is none of the ACL is counted, and nothing of it is printed', async () => {
  await ask(simulator, 'GET', '/nodes/pve1/qemu/0/config');
  await ask(simulator, 'GET', `/nodes/pve1/storage/${encodeURIComponent("x';reboot;'")}/status`);
  const text = await permissions();
  expect(text).toContain('2 of them no role answers');
  expect(text).not.toContain('reboot');
});
