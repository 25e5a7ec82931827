import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, Reference } from '../../../constructs';
import { newIdentity } from '../../../simulator/wire/certificate';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { commandLinesDuring } from '../../support/processes/command-lines';
import { zipEntries } from '../../support/terraform/zip-entries';

const TOKEN = 'pl4nted-t0ken';
const PASSWORD = 'pl4nted-passw0rd';
const GUEST = 'pl4nted-gu3st';
// base32, as a TOTP secret is
const TOTP = 'PL4NTEDTOTPSECRET234567';
const client = newIdentity(['client']);
// In clear, its lines one by one, and as Terraform and Node write text into JSON or a base64 field.
const SECRETS = [TOKEN, PASSWORD, GUEST, TOTP, ...client.key.split('\n').filter(line => line.length > 40)];
const FORMS = [...SECRETS, ...SECRETS.map(secret => Buffer.from(secret).toString('base64').slice(0, -4))];

const folder = mkdtempSync(path.join(tmpdir(), 'planted '));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), `${text}\n`, { mode: 0o600 });
  return path.join(folder, name);
};

const token = { PVE_TOKEN_ID: 'root@pam!planted' };
const login = { PVE_USERNAME: 'root@pam' };
const inVariables = { PVE_CLIENT_CERT: client.cert, PVE_CLIENT_KEY: client.key };
const inFiles = {
  PVE_CLIENT_CERT_FILE: file('cert', client.cert),
  PVE_CLIENT_KEY_FILE: file('key', client.key),
};
const fromEnvironment = Reference.fromEnvironment('GUEST_PASSWORD');
const fromFile = Reference.fromFile(file('guest', GUEST));

/** Where the secrets are: every variable that holds one, and its twin that names a file. */
const PLACES: [string, Record<string, string>, Reference][] = [
  ['a token in variables', { ...token, ...inVariables, PVE_TOKEN_SECRET: TOKEN }, fromEnvironment],
  ['a token in files', { ...token, ...inFiles, PVE_TOKEN_SECRET_FILE: file('token', TOKEN) }, fromFile],
  [
    'a password in variables',
    { ...login, ...inVariables, PVE_PASSWORD: PASSWORD, PVE_TOTP_SECRET: TOTP },
    fromEnvironment,
  ],
  [
    'a password in files',
    {
      ...login,
      ...inFiles,
      PVE_PASSWORD_FILE: file('password', PASSWORD),
      PVE_TOTP_SECRET_FILE: file('totp', TOTP),
    },
    fromFile,
  ],
];

describeEachEngine('secrets of a runner', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
    const root = lab.world.access.users['root@pam'];
    if (!root) throw new Error('the world has no root@pam');
    root.password = PASSWORD;
    root.tokens['planted'] = { value: TOKEN, privsep: false };
    for (const name of ['PVE_TOKEN_ID', 'PVE_TOKEN_SECRET']) delete lab.access[name];
  });
  afterEach(() => lab.close());

  test.each(PLACES)('%s: they are nowhere, also when an apply fails', async (_, access, passwordFrom) => {
    Object.assign(lab.access, access, { GUEST_PASSWORD: GUEST, TF_LOG: 'trace', LOG_LEVEL: 'debug' });
    await lab.synth(stack => machine(stack, passwordFrom));
    const told: string[] = [];
    const run = async (code: number, ...args: string[]): Promise<void> => {
      const ran = await lab.run(...args);
      told.push(ran.text);
      expect([args[0], ran.code, leaked(ran.text)]).toEqual([args[0], code, []]);
    };
    const lines = await commandLinesDuring(async () => {
      await run(0, 'plan', '-input=false', '-out=plan.bin');
      await run(0, 'show', '-json', 'plan.bin');
      lab.simulator.faults.add({
        methods: ['POST', 'PUT'],
        path: '/nodes/*/qemu/*/config',
        count: 1,
        effect: { kind: 'answer', status: 500, text: 'it did not work' },
      });
      await run(1, 'apply', '-input=false', 'plan.bin');
      expect(told.at(-1)).toContain('it did not work');
      await run(0, 'apply', '-input=false', '-auto-approve');
      await run(0, 'state', 'pull');
    });
    expect(lab.guest('web')?.config['cipassword']).toMatch(/^\$6\$/);
    expect([...lines].some(line => /reconciler\.\w+\.cjs apply/.test(line))).toBe(true);
    expect([...lines].filter(line => leaked(line).length > 0)).toEqual([]);
    const inPlan = zipEntries(readFileSync(path.join(lab.folder, 'plan.bin')));
    expect([inPlan.includes('machine_lab_web'), leaked(inPlan)]).toEqual([true, []]);
    const files = filesOf(path.resolve(lab.folder, '..', '..'));
    expect(files.map(name => path.basename(name))).toEqual(
      expect.arrayContaining(['terraform.tfstate', 'plan.bin', 'cdk.tf.json', 'lab.json']),
    );
    expect(files.filter(name => leaked(readFileSync(name, 'latin1')).length > 0)).toEqual([]);
  });
});

function machine(stack: TerraformStack, passwordFrom: Reference): void {
  new ProxmoxCluster(stack, 'lab');
  const cloudInit = { user: 'me', passwordFrom };
  new Machine(stack, 'web', { image: Image.fromTemplate('ubuntu-22.04'), cloudInit });
}

/** The secrets that a text holds, in any form, and hashes of them. */
function leaked(text: string): string[] {
  const hash = /\$6\$[\w./]{4,}/.exec(text)?.[0];
  return [...FORMS.filter(form => text.includes(form)), ...(hash === undefined ? [] : [hash])];
}

/** What synthesis and Terraform left in a folder, without the providers. */
function filesOf(outdir: string): string[] {
  return readdirSync(outdir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('.terraform'))
    .map(entry => path.join(entry.parentPath, entry.name));
}
