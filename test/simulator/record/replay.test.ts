import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newIdentity } from '../../../simulator/wire/certificate';
import { sendRaw } from '../../support/api/raw-client';
import type { Ready } from '../../support/api/simulator-program';
import { SimulatorProgram } from '../../support/api/simulator-program';

const program = new SimulatorProgram();
afterEach(() => program.endAll());
afterAll(() => program.remove());

const recordings = join(__dirname, '../../contract/recordings');
const world = join(recordings, 'world.json');
const recording = (name: string): string => join(recordings, `${name}.json`);
const LOGIN = { PVE_PASSWORD: 'recorded' };

interface Given {
  path: string;
  method?: string;
  status?: number;
  [more: string]: unknown;
}

/** A scenario file of these steps; each expects 200 unless it says otherwise. */
function scenario(name: string, given: Given[]): string {
  const steps = given.map(({ status = 200, method = 'GET', body, reason, ...rest }, index) => ({
    ...{ n: index + 1, method, ...rest },
    expect: { status, ...(reason === undefined ? {} : { reason }), ...(body === undefined ? {} : { body }) },
  }));
  writeFileSync(program.file(`${name}.json`), JSON.stringify({ name, steps }));
  return program.file(`${name}.json`);
}

const startCluster = async (): Promise<Ready> =>
  (await program.startReady(['--world', world, '--password', 'recorded', '--task-ms', '0'])).ready;

const playThere = ({ url, caFile }: Ready, ...words: string[]) =>
  program.run(['replay', '--endpoint', url, '--ca', caFile, '--logins', world, ...words], LOGIN);

/** What was written, as its ledger has it. */
async function writesIn({ url }: Ready): Promise<string[]> {
  const { text } = await sendRaw(url, { method: 'GET', path: '/_sim/ledger' });
  const { requests } = JSON.parse(text) as { requests: { method: string; path: string }[] };
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

test('plays recordings against a named world, green, and the same twice', async () => {
  const words = [
    'replay',
    '--world',
    world,
    '--seed',
    '3',
    recording('g4-cpu-limits'),
    recording('e0-node-api-down'),
  ];
  const first = await program.run(words);
  expect(first).toMatchObject({ code: 0, errors: '' });
  expect(first.output).toMatch(/^ok {3}g4-cpu-limits: 33 of 33 steps as recorded\n/);
  expect(first.output).toMatch(/2 scenarios: 51 steps as recorded, 0 otherwise\.\n$/);
  expect(await program.run(words)).toEqual(first);
}, 60_000);

test('says in plain words how answers differ: status, text, key, type, value', async () => {
  const file = scenario('other', [
    { path: '/version', status: 403, reason: 'Permission check failed' },
    { path: '/version', body: { data: { version: '<any>', release: '8.4', repoid: '<any>', old: 1 } } },
    { path: '/nodes/none/status', status: 500, reason: 'no such node' },
    { path: '/cluster/nextid', body: { data: 100 } },
    { path: '/pools', body: { data: [{ poolid: 'a' }] } },
    { path: '/nodes/${unknown}/status' },
  ]);
  const { code, output, errors } = await program.run(['replay', '--world', world, file]);
  expect({ code, errors }).toEqual({ code: 1, errors: '' });
  expect(output.split('\n')).toEqual([
    'diff other: 0 of 6 steps as recorded',
    '  step 1, GET /version as root:',
    '    status: recorded 403 Permission check failed, here 200 OK',
    '  step 2, GET /version as root:',
    '    answer.data.old: is missing; recorded was 1',
    '    answer.data.release: recorded "8.4", here "9.2"',
    '  step 3, GET /nodes/none/status as root:',
    expect.stringMatching(/^ {4}reason: recorded "no such node", here "hostname lookup 'none' failed/),
    '  step 4, GET /cluster/nextid as root:',
    '    answer.data: recorded a number, 100; here a text, "100"',
    '  step 5, GET /pools as root:',
    '    answer.data: recorded 1 elements, here 0: []',
    '  not played, step 6: it needs ${unknown}, which no answer gave',
    '1 scenario: 0 steps as recorded, 5 otherwise (1 × status, 1 × key, 2 × text, 1 × type, 1 × value), 1 not played.',
    '',
  ]);
});

test('only reads at an address, and stops reading where a write would have changed what is read', async () => {
  const cluster = await startCluster();
  const file = scenario('work', [
    { path: '/pools', body: { data: [] } },
    { method: 'POST', path: '/pools', params: { poolid: '' }, status: 400 },
    { path: '/nodes/pve1/query-url-metadata', params: { url: 'http://10.0.0.1/' } },
    { path: '/nodes', headers: { authorization: 'x' } },
    { path: '/../../_sim/world' },
    { path: '/storage/second', body: '<any>' },
    { method: 'POST', path: '/pools', params: { poolid: 'made' } },
    { path: '/pools', body: { data: [{ poolid: 'made' }] } },
  ]);
  const { code, output, errors } = await playThere(cluster, file);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output.split('\n')).toEqual([
    'ok   work: 2 of 8 steps as recorded',
    '  not played, steps 2, 7: it writes, and this only reads',
    '  not played, step 3: it makes a node do more than read',
    '  not played, step 4: it is no plain read',
    '  not played, step 5: its path leads out of the API',
    '  not played, step 8: it follows step 7, which was not sent',
    '1 scenario: 2 steps as recorded, 0 otherwise, 6 not played.',
    '',
  ]);
  expect(await writesIn(cluster)).toEqual(['POST /access/ticket']);
});

test('with --writes plays on a simulator what a recording does', async () => {
  const cluster = await startCluster();
  const played = await playThere(cluster, '--writes', recording('01-create-blank'));
  expect(played).toMatchObject({ code: 0, errors: '' });
  expect(played.output).toMatch(/^ok {3}01-create-blank: 20 of 20 steps as recorded\n/);
}, 60_000);

test('with --writes sends nothing to a server that is no simulator', async () => {
  const seen: string[] = [];
  const server = createServer(newIdentity([]), (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const file = scenario('harm', [{ method: 'DELETE', path: '/nodes/pve1/qemu/100' }]);
  const { code, errors } = await program.run(
    ['replay', '--endpoint', url, '--insecure', '--writes', file],
    LOGIN,
  );
  server.close();
  expect({ code, errors }).toEqual({
    code: 2,
    errors: expect.stringContaining(
      `--writes is for a simulator, and 127.0.0.1:${port} does not answer as one`,
    ),
  });
  expect(seen).toEqual(['GET /_sim/health']);
});

test('a scenario of somebody else learns no password', async () => {
  const cluster = await startCluster();
  const file = scenario('thief', [
    { path: '/cluster/acme/tos', params: { directory: 'https://127.0.0.1/${password}' } },
    { path: '/cluster/acme/tos', params: { directory: 'https://127.0.0.1/' } },
    { path: '/access/users/${password}' },
  ]);
  const { output } = await playThere(cluster, file);
  expect(output).toContain('not played, steps 1, 3: it needs ${password}, which no answer gave');
  expect(output).toContain('not played, step 2: it makes a node do more than read');
  expect(output).not.toContain('recorded"');
});

test('shows no secret of a cluster', async () => {
  const cluster = await startCluster();
  const file = scenario('secret', [
    {
      method: 'POST',
      path: '/access/users/root@pam/token/extra',
      body: { data: { value: 'x', 'full-tokenid': '<any>', info: {} } },
    },
    {
      method: 'POST',
      path: '/access/ticket',
      params: { username: '${user}', password: '${password}' },
      body: { data: 1 },
    },
  ]);
  const { output } = await playThere(cluster, '--writes', file);
  expect(output).toContain('2 otherwise');
  expect(output).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4|PVE:root|[0-9A-F]{8}:/);
});

test.each<[string[], string]>([
  [[], 'name the scenario files to play, or a folder of them'],
  [['none.json', '--world', 'homelab'], 'none.json cannot be read: ENOENT'],
  [[world, '--world', 'homelab'], 'it is no scenario: it has no list of steps'],
  [[recordings], 'say against what: --world NAME|FILE, or --endpoint https://HOST:8006'],
  [[recordings, '--world', 'homelab', '--writes'], '--writes is for --endpoint, not for --world'],
  [
    [recordings, '--endpoint', 'https://127.0.0.1:1'],
    'there is no login: set PVE_PASSWORD to the password of root@pam',
  ],
  [[recordings, '--endpoint', 'https://127.0.0.1:1', '--write'], 'Did you mean --writes?'],
])('refuses %j with 2', async (words, said) => {
  const { code, output, errors } = await program.run(['replay', ...words]);
  expect({ code, output, errors }).toEqual({ code: 2, output: '', errors: expect.stringContaining(said) });
});

test('ends with 1 where nobody answers, and where the login is not taken', async () => {
  const gone = await program.run(
    ['replay', '--endpoint', 'https://127.0.0.1:1', recording('c0-cluster-views')],
    LOGIN,
  );
  expect(gone).toMatchObject({
    code: 1,
    errors: expect.stringContaining('127.0.0.1:1 did not answer POST /access/ticket: ECONNREFUSED'),
  });
  const { url, caFile } = await startCluster();
  const words = ['replay', '--endpoint', url, '--ca', caFile, recording('c0-cluster-views')];
  const wrong = await program.run(words, { PVE_PASSWORD: 'wrong' });
  expect(wrong).toMatchObject({
    code: 1,
    errors: expect.stringContaining('the login of root@pam was not taken: 401'),
  });
  const untrusted = await program.run(['replay', '--endpoint', url, recording('c0-cluster-views')], LOGIN);
  expect(untrusted).toMatchObject({
    code: 1,
    errors: expect.stringContaining('nobody vouches for its certificate'),
  });
}, 30_000);
