import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendRaw } from '../../support/api/raw-client';
import { connectSecure } from '../../support/api/raw-connection';
import type { Ready } from '../../support/api/simulator-program';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { ask, ended } from '../../support/simulator/ask-simulator';

const program = new SimulatorProgram();
afterAll(() => program.remove());

const recordings = join(__dirname, '../../contract/recordings');
const world = join(recordings, 'world.json');
const TOKEN = { tokenId: 'root@pam!full', tokenSecret: '11111111-1111-4111-8111-111111111111' };
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAAABAAABAAABAAABAAABAAABAAABAAABAAABAAAB jane@desk';

const startCluster = async (): Promise<Ready> =>
  (await program.startReady(['--world', world, '--password', 'recorded-by-root'])).ready;

/** replay.py, as a process of its own. */
function play(url: string, file: string): Promise<{ code: number | null; output: string }> {
  const args = ['--endpoint', url, '--insecure', '--password', 'recorded-by-root', '--world', world, file];
  const child = spawn('python3', [join(recordings, 'replay.py'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, output }));
  });
}

/** What a person does by hand: a machine is made, changed, started and destroyed; he logs in, and makes a token. */
async function work(url: string): Promise<string[]> {
  const me = { url, ...TOKEN };
  const task = async (method: string, path: string, params: Record<string, string> = {}): Promise<void> =>
    ended(me, (await ask(me, method, path, params)).data);
  const guest = '/nodes/pve1/qemu/150';
  await ask(me, 'GET', '/version');
  await task('POST', '/nodes/pve1/qemu', {
    ...{
      vmid: '150',
      name: 'web',
      memory: '512',
      net0: 'virtio,bridge=vmbr0',
      scsi0: 'local:1',
      ide2: 'local:cloudinit',
    },
    ...{ ciuser: 'jane', cipassword: 'hunter2hunter', sshkeys: encodeURIComponent(KEY) },
  });
  const { digest } = (await ask(me, 'GET', `${guest}/config`)).data as { digest: string };
  expect((await ask(me, 'PUT', `${guest}/config`, { cores: '2', digest })).status).toBe(200);
  expect((await ask(me, 'PUT', `${guest}/config`, { cores: '3', digest })).status).toBe(500);
  await ask(me, 'GET', `${guest}/pending`);
  await task('POST', `${guest}/status/start`);
  await ask(me, 'GET', `${guest}/status/current`);
  await ask(me, 'GET', '/cluster/resources?type=vm');
  const { ticket = '', CSRFPreventionToken = '' } = await logIn(url);
  const headers = { cookie: `PVEAuthCookie=${ticket}`, csrfpreventiontoken: CSRFPreventionToken };
  const made = await sendRaw(`${url}/api2/json`, {
    method: 'POST',
    path: '/access/users/root@pam/token/extra',
    headers,
  });
  const { data } = JSON.parse(made.text) as { data: { value: string } };
  const extra = { url, tokenId: 'root@pam!extra', tokenSecret: data.value };
  expect((await ask(extra, 'GET', '/nodes')).status).toBe(200);
  await ask(me, 'GET', '/nodes/pve9/qemu');
  await ask({ url, tokenId: 'root@pam!full', tokenSecret: 'not-the-secret' }, 'GET', '/nodes').catch(
    () => undefined,
  );
  await ask(me, 'DELETE', `${guest}?purge=1`);
  await task('POST', `${guest}/status/stop`);
  await task('DELETE', `${guest}?purge=1`);
  await ask(me, 'DELETE', '/access/users/root@pam/token/extra');
  return [
    TOKEN.tokenSecret,
    'not-the-secret',
    'hunter2hunter',
    'recorded-by-root',
    data.value,
    'AABAAABAAAB',
    ticket,
  ];
}

async function logIn(url: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({ username: 'root@pam', password: 'recorded-by-root' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { text } = await sendRaw(`${url}/api2/json`, {
    method: 'POST',
    path: '/access/ticket',
    headers,
    body,
  });
  return (JSON.parse(text) as { data: Record<string, string> }).data;
}

it('hands on what a person does, and writes a scenario without secrets that replay.py plays green', async () => {
  const real = await startCluster();
  const args = ['record', '--proxy', '--endpoint', real.url, '--ca', real.caFile, '--out', 'work.json'];
  const { ready, child, ended: end } = await program.startReady(args);
  const trusted = await connectSecure(ready.url, readFileSync(ready.caFile, 'utf8'));
  trusted.close();
  const secrets = await work(ready.url);
  expect(readdirSync(program.folder).filter(name => name.startsWith('work.json'))).toEqual([]);
  child.kill('SIGINT');
  expect(await end).toMatchObject({ code: 0, errors: '' });
  expect(existsSync(ready.caFile)).toBe(false);
  const text = readFileSync(program.file('work.json'), 'utf8');
  expect(
    secrets.filter(secret => text.includes(secret) || text.includes(encodeURIComponent(secret))),
  ).toEqual([]);
  expect(text).not.toMatch(/PVE:root@pam:/);
  const fresh = await startCluster();
  const { code, output } = await play(fresh.url, program.file('work.json'));
  expect(output).toMatch(/^(ok .*\n)+\d\d passed, 0 failed\n$/);
  expect(code).toBe(0);
  // so does the program's own player, which shares no code with that one
  const own = await program.run(['replay', '--world', world, 'work.json']);
  expect(own).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringMatching(/^ok .*\n1 scenario: .* 0 otherwise/),
  });
}, 60_000);

it('plays red against a cluster that answers otherwise', async () => {
  const real = await startCluster();
  const args = ['record', '--proxy', '--endpoint', real.url, '--ca', real.caFile, '--out', 'pools.json'];
  const { ready, child, ended: end } = await program.startReady(args);
  const me = { url: ready.url, ...TOKEN };
  await ask(me, 'POST', '/pools', { poolid: 'one' });
  await ask(me, 'GET', '/pools');
  child.kill('SIGTERM');
  await end;
  const other = await startCluster();
  await ask({ ...other, ...TOKEN }, 'POST', '/pools', { poolid: 'one' });
  const { code, output } = await play(other.url, program.file('pools.json'));
  expect(output).toMatch(/FAIL pools #1/);
  expect(code).toBe(1);
}, 60_000);

it('listens on this machine only, checks the server, and answers 502 when it is gone', async () => {
  const base = ['record', '--proxy', '--endpoint', 'https://127.0.0.1:1', '--out', 'gone.json'];
  expect((await program.run([...base, '--listen', '0.0.0.0:0'])).errors).toMatch(
    /an address of this machine only/,
  );
  expect((await program.run([...base, '--keep', 'all'])).errors).toMatch(/--keep is not for --proxy/);
  const { ready, child, ended: end } = await program.startReady(base);
  const { status } = await sendRaw(`${ready.url}/api2/json`, { method: 'GET', path: '/version' });
  expect(status).toBe(502);
  const real = await startCluster();
  const untrusting = await program.startReady([
    'record',
    '--proxy',
    '--endpoint',
    real.url,
    '--out',
    'untrusted.json',
  ]);
  const answer = await sendRaw(`${untrusting.ready.url}/api2/json`, { method: 'GET', path: '/version' });
  expect(answer.status).toBe(502);
  untrusting.child.kill('SIGINT');
  expect((await untrusting.ended).errors).toMatch(/nobody vouches for its certificate/);
  child.kill('SIGINT');
  expect((await end).errors).toMatch(
    /GET \/api2\/json\/version: 127\.0\.0\.1:1 did not answer: ECONNREFUSED/,
  );
  expect(JSON.parse(readFileSync(program.file('gone.json'), 'utf8'))).toMatchObject({ steps: [] });
}, 30_000);

it('refuses other sites, loses no recording, and is ended by a terminal that goes', async () => {
  const real = await startCluster();
  const args = ['record', '--proxy', '--endpoint', real.url, '--ca', real.caFile, '--out', 'mine.json'];
  const { ready, child, ended: end } = await program.startReady(args);
  const send = async (headers: Record<string, string>): Promise<number> =>
    (await sendRaw(`${ready.url}/api2/json`, { method: 'GET', path: '/version', headers })).status;
  expect(await send({ host: 'evil.example' })).toBe(403);
  expect(await send({ origin: 'https://evil.example' })).toBe(403);
  expect(await send({ authorization: `PVEAPIToken=${TOKEN.tokenId}=${TOKEN.tokenSecret}` })).toBe(200);
  writeFileSync(program.file('mine.json'), 'theirs');
  child.kill('SIGHUP');
  const { code, output } = await end;
  expect(code).toBe(0);
  expect(output).toMatch(
    /mine\.json\.1 is written, with 1 steps[^]*mine\.json came meanwhile and was left alone/,
  );
  expect(readFileSync(program.file('mine.json'), 'utf8')).toBe('theirs');
  expect(JSON.parse(readFileSync(program.file('mine.json.1'), 'utf8')).steps).toHaveLength(1);
}, 30_000);
