import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN } from '../../support/cluster/start-cluster';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };

let lab: DaemonLab;
afterEach(() => lab.close());

const isMade = (): Promise<unknown> =>
  until(
    () => lab.guests('web').length,
    count => count === 1,
  );

test('a token that is revoked is told once; a new one in its file is taken without a restart', async () => {
  lab = await daemonLab([web]);
  const secretFile = join(lab.folder, 'secret');
  writeFileSync(secretFile, TOKEN.secret);
  const daemon = lab.start({}, { PVE_TOKEN_SECRET: '', PVE_TOKEN_SECRET_FILE: secretFile });
  await isMade();
  await until(daemon.ready, ({ status }) => status === 200);
  const { tokens } = lab.simulator.world.access.users['root@pam']!;
  const token = tokens['full']!;
  token.value = '22222222-2222-4222-8222-222222222222';
  const { text } = await until(daemon.ready, ({ status }) => status === 500);
  expect(text).toContain('not ready: cluster lab: authentication failed: invalid credentials');
  expect((await daemon.get('HEALTH_PROBE_BIND_ADDRESS', '/healthz')).status).toBe(200);
  const failures = daemon.said('Authentication failed');
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({ level: 'error', error: 'invalid credentials', cluster: 'lab' });
  expect(await daemon.metrics()).toContain('proxmox_cluster_connection_status{cluster="lab"} 0');
  writeFileSync(secretFile, token.value);
  await until(daemon.ready, ({ status }) => status === 200);
  expect(daemon.said('New credentials')).toHaveLength(1);
  expect(JSON.stringify(daemon.lines)).not.toContain(token.value);
});

test('a cluster that is away at the start: not ready, says why, and is found when it comes', async () => {
  lab = await daemonLab([web], {});
  lab.simulator.faults.add({ path: '/**', effect: { kind: 'reset', work: 'not-done' } });
  const daemon = lab.start();
  const { text } = await until(
    daemon.ready,
    ({ status, text: told }) => status === 500 && !told.includes('not asked'),
  );
  expect(text).toContain('not ready: cluster lab: ');
  lab.simulator.faults.clear();
  await until(daemon.ready, ({ status }) => status === 200);
  await isMade();
});
