import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logLine } from '../../../reconciler/report/log-line';
import { TOKEN } from '../../support/cluster/start-cluster';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };

let lab: DaemonLab;
afterEach(() => lab.close());

test('the lines that people search for', async () => {
  lab = await daemonLab([
    web,
    { ...web, id: 'large', pin: true, memory: '4Ti' },
    { ...web, id: 'netless', pin: true, networks: [{ name: 'lan', bridge: 'vmbr9' }] },
  ]);
  const daemon = lab.start();
  const first = async (message: string): Promise<object> => {
    const [line] = await until(
      () => daemon.said(message),
      lines => lines.length > 0,
    );
    return line ?? {};
  };
  expect(await first('Successfully created VM')).toMatchObject({ vmid: expect.any(Number), node: 'pve1' });
  expect(await first('Insufficient resources')).toMatchObject({
    machine: 'large',
    node: 'pve1',
    requested_memory: '4096Gi',
    available: expect.any(String),
  });
  expect(await first('Bridge not found')).toMatchObject({
    machine: 'netless',
    bridge: 'vmbr9',
    node: 'pve1',
  });
});

test('as text: the words, then name=value', () => {
  const told = {
    level: 'info',
    message: 'Successfully created VM',
    fields: { vmid: 10001, node: 'pve-node1' },
  } as const;
  expect(logLine(told, new Date(0))).toBe(
    '1970-01-01T00:00:00.000Z INFO Successfully created VM vmid=10001 node=pve-node1',
  );
  const wrong = {
    level: 'error',
    message: 'Authentication failed',
    fields: { error: 'invalid credentials' },
  } as const;
  expect(logLine(wrong, new Date(0))).toMatch(/ ERROR Authentication failed error="invalid credentials"$/);
});

test('no line and no page holds a secret, whatever Proxmox repeats of it', async () => {
  const password = 'planted-password-1';
  lab = await daemonLab([
    {
      ...web,
      disks: [{ name: 'root', size: '4Gi', storage: 'local-lvm' }],
      cloudInit: { user: 'admin', passwordFrom: { environment: 'WEB_PASSWORD' } },
    },
  ]);
  writeFileSync(join(lab.folder, 'secret'), TOKEN.secret);
  lab.simulator.faults.add({
    methods: ['POST', 'PUT'],
    path: '/nodes/**',
    count: 3,
    effect: { kind: 'answer', status: 500, text: `refused: ${TOKEN.secret}` },
  });
  const daemon = lab.start(
    {},
    { PVE_TOKEN_SECRET: '', PVE_TOKEN_SECRET_FILE: join(lab.folder, 'secret'), WEB_PASSWORD: password },
  );
  await until(
    () => daemon.lines.filter(line => JSON.stringify(line).includes('refused:')),
    lines => lines.length > 0,
  );
  await until(
    () => lab.guests('web').filter(({ running }) => running !== null).length,
    count => count === 1,
  );
  const pages = await Promise.all([
    daemon.metrics(),
    ...['/', '/machines', '/machines/web'].map(
      async path => (await daemon.get('STATUS_BIND_ADDRESS', path)).text,
    ),
  ]);
  const all = [...daemon.lines.map(line => JSON.stringify(line)), ...pages].join('\n');
  expect(all).toContain('refused: (secret)');
  [TOKEN.secret, password, '$5$', '$6$'].forEach(secret => expect(all).not.toContain(secret));
});
