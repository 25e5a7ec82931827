import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inParallel } from '../../support/in-parallel';
import { desiredText, type CliLab } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

const PLANTED = 'pl4nted-s3cret';
const folder = mkdtempSync(join(tmpdir(), 'planted '));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const pem = (what: string): string => `-----BEGIN ${what}-----\n${PLANTED}\n-----END ${what}-----`;

let lab: CliLab;
beforeAll(async () => {
  lab = await lineLab();
});
afterAll(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

const machine = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cloudInit: { user: 'me', passwordFrom: { file: file('guest', PLANTED) } },
};
const cluster = JSON.stringify({ name: 'lab' });
const wire = {
  ...{ PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: cluster, PROXMOX_OWNER: 'o', PROXMOX_MACHINE: 'web' },
  ...{ PROXMOX_ENTRY: 'e', PROXMOX_TOKEN: '', PROXMOX_SPEC: JSON.stringify(machine) },
};
const query = { protocol: '1', cluster, owner: 'o' };
const commands: [args: string[], input: string][] = [
  [['plan', '--spec', '-', '--json'], desiredText([machine])],
  [['reconcile', '--spec', '-'], desiredText([machine])],
  [['status', '--spec', '-', '-o', 'wide'], desiredText([machine])],
  [['observe'], JSON.stringify({ ...query, 'spec.web': JSON.stringify(machine) })],
  [['apply'], ''],
  [['destroy'], ''],
  [['facts'], JSON.stringify(query)],
];
const login = { PVE_TOKEN_ID: '', PVE_TOKEN_SECRET: '', PVE_USERNAME: 'root@pam' };
const away = { PVE_ENDPOINT: 'https://127.0.0.1:1' };

test.each<[string, Record<string, string>]>([
  ['a token is refused', { PVE_TOKEN_SECRET: PLANTED }],
  ['a token from a file is refused', { PVE_TOKEN_SECRET: '', PVE_TOKEN_SECRET_FILE: file('token', PLANTED) }],
  ['a password is refused', { ...login, PVE_PASSWORD: PLANTED, PVE_TOTP_SECRET: 'PL4NTEDS3CRET' }],
  ['a TOTP secret is none', { ...login, PVE_PASSWORD: PLANTED, PVE_TOTP_SECRET: `${PLANTED}!` }],
  [
    'files hold what they should not',
    { ...login, PVE_PASSWORD_FILE: file('two', `${PLANTED}\n`), PVE_PASSWORD: PLANTED },
  ],
  ['nobody is there', { ...away, PVE_TOKEN_SECRET: PLANTED }],
  ['nobody is trusted', { PVE_CA_BUNDLE: '', PVE_TOKEN_SECRET: PLANTED }],
  ['the authority is no certificate', { PVE_CA_BUNDLE: pem('CERTIFICATE') }],
  ['the client key is no key', { PVE_CLIENT_CERT: pem('CERTIFICATE'), PVE_CLIENT_KEY: pem('PRIVATE KEY') }],
  [
    'the key stands where the certificate should',
    { PVE_CLIENT_CERT: pem('PRIVATE KEY'), PVE_CLIENT_KEY_FILE: file('key', pem('PRIVATE KEY')) },
  ],
  ['the address holds a password', { PVE_ENDPOINT: `https://me:${PLANTED}@host` }],
])('no output holds a secret when %s', async (_, env) => {
  // some of them wait before they try again
  await inParallel(4, [...commands.entries()], async ([index, [args, input]]) => {
    const LOG_LEVEL = ['error', 'warn', 'info', 'debug'][index % 4] ?? 'debug';
    const LOG_FORMAT = index % 2 === 0 ? 'text' : 'json';
    const { code, stdout, stderr } = await runHere(
      args,
      { ...lab.access, ...wire, ...env, LOG_LEVEL, LOG_FORMAT },
      input,
    );
    expect([args[0], code === 0, stdout + stderr]).toEqual([
      args[0],
      false,
      expect.not.stringMatching(/pl4nted|\$6\$/i),
    ]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test.each(['error', 'warn', 'info', 'debug'])('nor when a task fails, at LOG_LEVEL %s', async LOG_LEVEL => {
  lab.simulator.faults.add({
    methods: ['POST', 'PUT'],
    path: '/nodes/*/qemu/*/config',
    effect: { kind: 'answer', status: 500, text: 'it did not work' },
  });
  const { code, stdout, stderr } = await runHere(['apply'], { ...lab.access, ...wire, LOG_LEVEL });
  expect(code).toBe(1);
  expect(stderr).toContain('it did not work');
  expect(stdout + stderr).not.toMatch(/pl4nted|11111111-1111-4111-8111-111111111111|\$6\$/i);
});
