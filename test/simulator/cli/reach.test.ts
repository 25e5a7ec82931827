import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { sendRaw } from '../../support/api/raw-client';
import { SimulatorProgram } from '../../support/api/simulator-program';

const program = new SimulatorProgram();
afterEach(() => program.endAll());
afterAll(() => program.remove());

/** A request that trusts only this authority, for a name that the certificate must have. */
const ask = (url: string, name: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { ca, servername: name, headers: { host: name } };
    request(`${url}/_sim/health`, options, answer => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });

test('a variable starts it as its option does', async () => {
  const { ready } = await program.startReady([], { PVE_SIM_PASSWORD: 'secret', PVE_SIM_NODES: '1' });
  expect(ready['password']).toBe('secret');
});

test('health says whether a simulator answers', async () => {
  const { ready, child, ended } = await program.startReady([]);
  const url = ready['url'] ?? '';
  expect(await program.start(['health', url]).ended).toEqual({
    code: 0,
    output: `${url} answers\n`,
    errors: '',
  });
  const env = { PVE_SIM_PORT: new URL(url).port, PVE_SIM_HOST: '0.0.0.0' };
  expect(await program.start(['health'], env).ended).toMatchObject({ code: 0 });
  child.kill();
  await ended;
  expect(await program.start(['health', url]).ended).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining('ECONNREFUSED'),
  });
});

test.each([['http://127.0.0.1:1'], ['https://127.0.0.1/api2'], ['nonsense']])(
  'health refuses %s',
  async word => {
    expect(await program.start(['health', word]).ended).toMatchObject({
      code: 2,
      errors: expect.stringContaining('health takes one URL'),
    });
  },
);

test('on all addresses it warns, and says a URL that can be asked', async () => {
  const { ready, child, ended } = await program.startReady(['--host', '0.0.0.0']);
  expect(ready['url']).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await program.start(['health', ready['url'] ?? '']).ended).toMatchObject({ code: 0 });
  child.kill();
  expect((await ended).errors).toMatch(
    /^pve-simulator: it listens on 0\.0\.0\.0: whoever reaches this machine.*\n$/,
  );
});

test('its authority is read from it, and vouches for each allowed host', async () => {
  const { ready } = await program.startReady(['--allowed-host', 'pve,lab.test']);
  const url = ready['url'] ?? '';
  const { text: ca } = await sendRaw(url, { method: 'GET', path: '/_sim/ca' });
  expect(ca).toBe(readFileSync(ready['caFile'] ?? '', 'utf8'));
  for (const name of ['pve', 'lab.test', 'localhost']) expect(await ask(url, name, ca)).toBe(200);
  await expect(ask(url, 'other.test', ca)).rejects.toThrow("does not match certificate's altnames");
});

test('a state that cannot be written is told once, and kept as soon as it can', async () => {
  const folder = program.file('kept');
  mkdirSync(folder);
  const { ready, child, ended } = await program.startReady(['--state', `${folder}/state`, '--task-ms', '0']);
  const create = (vmid: number) =>
    sendRaw(`${ready['url']}/api2/json`, {
      method: 'POST',
      path: '/nodes/pve1/qemu',
      body: `vmid=${vmid}`,
      headers: { authorization: `PVEAPIToken=${ready['tokenId']}=${ready['tokenSecret']}` },
    });
  // a file in the place of the folder: it cannot be written, also by root
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect((await create(300)).status).toBe(200);
  await new Promise(resolve => setTimeout(resolve, 1000));
  rmSync(folder);
  mkdirSync(folder);
  await new Promise(resolve => setTimeout(resolve, 1000));
  child.kill('SIGKILL');
  const { errors } = await ended;
  expect(errors.match(/cannot be written/g)).toHaveLength(1);
  expect(JSON.parse(readFileSync(`${folder}/state`, 'utf8')).world.guests).toHaveProperty('300');
});
