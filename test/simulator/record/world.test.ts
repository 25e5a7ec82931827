import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sendRaw } from '../../support/api/raw-client';
import type { Ready } from '../../support/api/simulator-program';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { ask, ended } from '../../support/simulator/ask-simulator';

const program = new SimulatorProgram();
afterAll(() => program.remove());

const login = ({ tokenId, tokenSecret }: Ready) => ({ PVE_TOKEN_ID: tokenId, PVE_TOKEN_SECRET: tokenSecret });
const recording = ({ url, caFile }: Ready, out: string, ...more: string[]): string[] => [
  ...['record', '--endpoint', url, '--ca', caFile, '--out', out],
  ...more,
];
const AGENT = '/nodes/pve1/qemu/200/agent/network-get-interfaces';
const read = (name: string): Record<string, never> => JSON.parse(readFileSync(program.file(name), 'utf8'));

/** A cluster with what a person makes: a running machine with secrets, a snapshot, a pending change, a pool, HA, users. */
async function busyCluster(): Promise<Ready> {
  const { ready } = await program.startReady(['--task-ms', '0', '--guests', '3']);
  const task = async (method: string, path: string, params: Record<string, string> = {}): Promise<void> => {
    const { status, data } = await ask(ready, method, path, params);
    expect([path, status]).toEqual([path, 200]);
    if (String(data).startsWith('UPID:')) await ended(ready, data);
  };
  await task('POST', '/nodes/pve1/qemu/9000/clone', {
    newid: '200',
    name: 'ledger-prod',
    full: '1',
    storage: 'shared',
  });
  await task('PUT', '/nodes/pve1/qemu/200/config', {
    ...{ description: 'call Jane', tags: 'payroll;gold', ciuser: 'jane', cipassword: 'hunter2hunter' },
    ...{ ipconfig0: 'ip=192.0.2.77/24,gw=192.0.2.1', nameserver: '192.0.2.53', searchdomain: 'corp.example' },
    sshkeys: encodeURIComponent(
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAAABAAABAAABAAABAAABAAABAAABAAABAAABAAAB jane@desk',
    ),
  });
  await task('POST', '/nodes/pve1/qemu/200/snapshot', { snapname: 'beforeaudit', description: 'for Jane' });
  await task('POST', '/nodes/pve1/qemu/200/status/start');
  await task('PUT', '/nodes/pve1/qemu/200/config', { memory: '4096', delete: 'serial0' });
  while ((await ask(ready, 'GET', AGENT)).status !== 200) await pause(100);
  await task('POST', '/pools', { poolid: 'finance', comment: 'of Jane' });
  await task('PUT', '/pools', { poolid: 'finance', vms: '200', storage: 'shared' });
  await task('POST', '/cluster/ha/resources', { sid: 'vm:100', comment: 'for Jane' });
  await task('POST', '/access/users', { userid: 'jane@pve', email: 'jane@corp.example', comment: 'Jane' });
  await task('PUT', '/access/acl', { path: '/pool/finance', users: 'jane@pve', roles: 'PVEAuditor' });
  return ready;
}

it('records a world that answers as the cluster did, without a name or a secret of it', async () => {
  const real = await busyCluster();
  const { code, output, errors } = await program.run(recording(real, 'plain.json'), login(real));
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/Replaced: .*names.*\n/);
  expect(output).not.toMatch(/Could not be read/);
  const text = readFileSync(program.file('plain.json'), 'utf8');
  const told =
    'pve1 ledger jane Jane payroll gold corp.example 192.0.2. hunter2 finance beforeaudit AABAAAB legacy-db simulated';
  expect(told.split(' ').filter(word => text.includes(word))).toEqual([]);
  expect(text).not.toContain(real.tokenSecret);
  expect(statSync(program.file('plain.json')).mode & 0o777).toBe(0o600);
  const again = await program.run(recording(real, 'again.json'), login(real));
  expect(again.code).toBe(0);
  const steady = (name: string): string =>
    readFileSync(program.file(name), 'utf8').replace(/"(since|bootedAt)": \d+/g, '');
  expect(steady('again.json')).toBe(steady('plain.json'));
});

it('records with --keep a world whose guests answer the same', async () => {
  const real = await busyCluster();
  const { code } = await program.run(recording(real, 'kept.json', '--keep', 'all'), login(real));
  expect(code).toBe(0);
  const { ready: copy } = await program.startReady(['--world', program.file('kept.json')]);
  const guests = (await ask(real, 'GET', '/cluster/resources?type=vm')).data as {
    id: string;
    node: string;
  }[];
  expect(guests.length).toBeGreaterThan(6);
  const digestless = (data: unknown): unknown =>
    JSON.parse(JSON.stringify(data).replace(/[0-9a-f]{40}/g, 'digest'));
  for (const { id, node } of guests) {
    for (const view of ['config', 'config?current=1', 'pending', 'snapshot'].slice(
      0,
      id.startsWith('lxc') ? 1 : 4,
    )) {
      const path = `/nodes/${node}/${id}/${view}`;
      const [one, other] = [await ask(real, 'GET', path), await ask(copy, 'GET', path)];
      // the password of cloud-init is no longer the same, so the digest of its file is another
      const plain = id === 'qemu/200' ? digestless : (data: unknown) => data;
      expect([path, sorted(plain(other.data))]).toEqual([path, sorted(plain(one.data))]);
    }
  }
  expect((await ask(copy, 'GET', AGENT)).data).toEqual((await ask(real, 'GET', AGENT)).data);
  for (const path of [
    '/pools?poolid=finance',
    '/access/acl',
    '/cluster/options',
    '/storage',
    '/nodes/pve1/network',
  ]) {
    expect([path, shape((await ask(copy, 'GET', path)).data)]).toEqual([
      path,
      shape((await ask(real, 'GET', path)).data),
    ]);
  }
  expect(readFileSync(program.file('kept.json'), 'utf8')).not.toMatch(/hunter2/);
});

/** Proxmox gives rows in any order. */
function sorted(data: unknown): unknown {
  if (!Array.isArray(data)) return data;
  return [...data].sort((one, other) =>
    JSON.stringify(sortedKeys(one)) < JSON.stringify(sortedKeys(other)) ? -1 : 1,
  );
}

const sortedKeys = (row: unknown): unknown => Object.entries(row as object).sort();

/** Figures of load move. */
function shape(data: unknown): unknown {
  const text = JSON.stringify(data, (key, value: unknown) =>
    /^(cpu|mem|memhost|uptime|netin|netout|disk|maxdisk|digest)$/.test(key) ? undefined : value,
  );
  return sorted(JSON.parse(text));
}

it('only reads, and replaces no file without --force', async () => {
  const { ready } = await program.startReady([]);
  writeFileSync(program.file('there.json'), 'mine');
  const refused = await program.run(recording(ready, 'there.json'), login(ready));
  expect(refused).toMatchObject({ code: 2, output: '' });
  expect(refused.errors).toMatch(/there\.json is there already.*--force/);
  expect(readFileSync(program.file('there.json'), 'utf8')).toBe('mine');
  expect((await program.run(recording(ready, 'there.json', '--force'), login(ready))).code).toBe(0);
  expect(Object.keys(read('there.json'))).toContain('guests');
  const { text } = await sendRaw(ready.url, { method: 'GET', path: '/_sim/ledger' });
  expect(text).toContain('"GET"');
  expect(text).not.toMatch(/"(POST|PUT|DELETE)"/);
});

it('takes no server that nobody vouches for, and no login in the address', async () => {
  const { ready } = await program.startReady([]);
  const base = ['record', '--out', 'never.json', '--endpoint'];
  const run = (...args: string[]) => program.run([...base, ...args], login(ready));
  expect((await run(ready.url)).errors).toMatch(/nobody vouches for its certificate; give --ca/);
  const wrong = ready.fingerprint.replace(/^../, ready.fingerprint.startsWith('00') ? '11' : '00');
  expect((await run(ready.url, '--fingerprint', wrong)).errors).toMatch(/fingerprint is .*, not/);
  expect((await run('https://root:pw@127.0.0.1:1')).errors).toMatch(/must not hold a login/);
  expect((await run('http://127.0.0.1:1')).errors).toMatch(/must begin with https/);
  expect((await run(ready.url, '--ca', ready.caFile, '--insecure')).errors).toMatch(/give one of/);
  expect(existsSync(program.file('never.json'))).toBe(false);
  expect((await run(ready.url, '--fingerprint', ready.fingerprint)).code).toBe(0);
});
