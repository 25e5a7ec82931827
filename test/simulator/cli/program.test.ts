import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connectSecure } from '../../support/api/raw-connection';
import { sendRaw } from '../../support/api/raw-client';
import { type Started, SimulatorProgram } from '../../support/api/simulator-program';

const program = new SimulatorProgram();
const file = (name: string): string => program.file(name);
const start = (args: string[]) => program.start(args);
const startReady = (args: string[]) => program.startReady(args);

afterEach(() => program.endAll());
afterAll(() => program.remove());

const asRoot = ({ ready }: Started, method: string, path: string, body?: string) =>
  sendRaw(`${ready['url']}/api2/json`, {
    method,
    path,
    headers: { authorization: `PVEAPIToken=${ready['tokenId']}=${ready['tokenSecret']}` },
    ...(body === undefined ? {} : { body }),
  });

it('says how to reach it, on its output and in the ready file, and ends cleanly', async () => {
  writeFileSync(file('ready'), 'of an earlier run');
  const started = await startReady(['--ready-file', file('ready'), '--password', 'secret', '--guests', '2']);
  const { ready, child, ended } = started;
  expect(JSON.parse(readFileSync(file('ready'), 'utf8'))).toEqual(ready);
  expect(ready).toMatchObject({ user: 'root@pam', password: 'secret', pid: child.pid });
  expect(ready['fingerprint']).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  const trusted = await connectSecure(ready['url']!, readFileSync(ready['caFile']!, 'utf8'));
  trusted.close();
  expect((await asRoot(started, 'GET', '/cluster/resources')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, errors: '' });
  expect(existsSync(ready['caFile']!)).toBe(false);
});

it('keeps the world, the tasks, the tickets and its certificate between runs, also when it is killed', async () => {
  const args = ['--state', file('state'), '--task-ms', '0'];
  const first = await startReady(args);
  const upid: string = JSON.parse(
    (await asRoot(first, 'POST', '/nodes/pve2/qemu', 'vmid=300&name=kept')).text,
  ).data;
  const login = await sendRaw(`${first.ready['url']}/api2/json`, {
    method: 'POST',
    path: '/access/ticket',
    body: 'username=root@pam&password=simulated',
  });
  const { ticket } = JSON.parse(login.text).data;
  const isKept = (text: string): boolean => text.includes('"kept"') && text.includes('"exitstatus":"OK"');
  while (!isKept(readFileSync(file('state'), 'utf8'))) await asRoot(first, 'GET', '/version');
  first.child.kill('SIGKILL');
  await first.ended;

  const second = await startReady(args);
  expect(second.ready['fingerprint']).toBe(first.ready['fingerprint']);
  expect(JSON.parse((await asRoot(second, 'GET', '/nodes/pve2/qemu/300/config')).text).data.name).toBe(
    'kept',
  );
  const status = await asRoot(second, 'GET', `/nodes/pve2/tasks/${encodeURIComponent(upid)}/status`);
  expect(JSON.parse(status.text).data.exitstatus).toBe('OK');
  const path = '/version';
  const visit = await sendRaw(`${second.ready['url']}/api2/json`, {
    method: 'GET',
    path,
    headers: { cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}` },
  });
  expect(visit.status).toBe(200);
});

it('finds tasks that ran when it was ended with an unexpected status', async () => {
  const args = ['--state', file('state-of-tasks'), '--task-ms', '600000'];
  const first = await startReady(args);
  const upid: string = JSON.parse((await asRoot(first, 'POST', '/nodes/pve1/qemu', 'vmid=300')).text).data;
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await startReady(args);
  const status = await asRoot(second, 'GET', `/nodes/pve1/tasks/${encodeURIComponent(upid)}/status`);
  expect(JSON.parse(status.text).data).toMatchObject({ status: 'stopped', exitstatus: 'unexpected status' });
});

it('sets the faults of a file', async () => {
  writeFileSync(file('faults'), '[{"path":"/version","effect":{"kind":"gateway","status":596}}]');
  const started = await startReady(['--faults', file('faults')]);
  expect((await asRoot(started, 'GET', '/version')).reason).toBe('Connection timed out');
});

describe('stops at once', () => {
  it.each<[string, string[], string | undefined, string]>([
    ['an unknown option', ['--bogus'], undefined, "Unknown option '--bogus'"],
    [
      'a number that is none',
      ['--port', 'x'],
      undefined,
      "--port needs a whole number, from 0 to 65535; 'x' is not one",
    ],
    ['too high a number', ['--nodes', '999'], undefined, '--nodes needs a whole number, from 1 to 64'],
    ['a missing world', ['--world', file('none')], undefined, `${file('none')}: ENOENT`],
    ['a world that is no JSON', ['--world', file('bad')], '{', `${file('bad')}: `],
    [
      'a world with an unknown field',
      ['--world', file('bad')],
      '{"nodes":[{"name":"a","bogus":1}]}',
      'bogus: unknown field',
    ],
    ['faults that are none', ['--faults', file('bad')], '[{"path":"x"}]', 'faults[0]'],
    ['a state of something else', ['--state', file('bad')], '{}', 'this is no state file'],
  ])('at %s, with 2 and the reason', async (_, args, content, error) => {
    if (content !== undefined) writeFileSync(file('bad'), content);
    const { code, output, errors } = await start(args).ended;
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(error);
    expect(errors).toMatch(/^pve-simulator: .*\n$/);
  });

  it('at a port that is taken, with 1', async () => {
    const { ready } = await startReady([]);
    const { code, errors } = await start(['--port', new URL(ready['url']!).port]).ended;
    expect(code).toBe(1);
    expect(errors).toContain('EADDRINUSE');
  });
});

it('takes at least the time that is asked for over each request', async () => {
  const started = await startReady(['--latency-ms', '200']);
  const before = performance.now();
  expect(await asRoot(started, 'GET', '/version')).toMatchObject({ status: 200 });
  // a timer may be a millisecond early
  expect(performance.now() - before).toBeGreaterThanOrEqual(199);
});
