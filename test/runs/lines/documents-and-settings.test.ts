import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newIdentity } from '../../../simulator/wire/certificate';
import type { Simulator } from '../../../simulator';
import { defaultWorld, startSimulator } from '../../../simulator';
import { desiredText, type CliLab, type Ran } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] };

let lab: CliLab;
beforeAll(async () => {
  lab = await lineLab();
});
afterAll(() => lab.close());

/** Also where the machine has no name service that could say so. */
const NO_HOST =
  /cannot be reached.*no-such-host\.invalid.*(?:no such host \(ENOTFOUND\)|name service does not answer \(EAI_AGAIN\))/i;

const VERBS = ['plan', 'reconcile'] as const;

/** The environment of a Terraform apply of this spec. */
const wire = (spec: string, env: Record<string, string> = {}): Record<string, string> => ({
  PROXMOX_PROTOCOL: '1',
  PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }),
  PROXMOX_OWNER: 'o',
  PROXMOX_MACHINE: 'web',
  PROXMOX_ENTRY: 'e',
  PROXMOX_TOKEN: '',
  PROXMOX_SPEC: spec,
  ...env,
});

/** What every failure is: this exit code, the reason on stderr without a stack, nothing on stdout. */
function expectFailure({ code, stdout, stderr }: Ran, expected: { code: number; said: RegExp }): void {
  expect(stderr).toMatch(expected.said);
  expect(stderr).not.toMatch(/^\s+at |undefined|\[object/m);
  expect({ code, stdout }).toEqual({ code: expected.code, stdout: expect.not.stringMatching(/would /) });
}

describe('wrong documents exit 2, and nothing is sent', () => {
  const disk = (name: string, slot: string) => ({ name, size: '1G', storage: 'local-lvm', slot });
  test.each<[string, string, RegExp]>([
    [
      'nothing at all',
      '',
      /stdin is empty\. Give a desired state there \(--spec - < desired\.json\), or name another file with --spec FILE\./,
    ],
    [
      'half a document',
      '{"version": 1,',
      /no valid JSON: .*line 1, column 15|no valid JSON: it ends too early/,
    ],
    ['a comma too much', '{"version": 1,\n"owner": "o",}', /no valid JSON: it breaks at line 2, column 14/],
    ['a list', '[]', /desired state.*\[\]|is not valid/],
    ['another version', desiredText([web]).replace('"version":1', '"version":2'), /version: 2 /],
    [
      'an unknown field',
      desiredText([{ ...web, memmory: '1Gi' }]),
      /machines\[web\]\.memmory.*Did you mean "memory"/,
    ],
    [
      'an unknown field further in',
      desiredText([{ ...web, cpu: { coers: 2 } }]),
      /cpu\.coers.*Did you mean "cores"/,
    ],
    [
      'a value out of range',
      desiredText([{ ...web, cpu: { cores: 129 } }]),
      /cpu\.cores: 129 is too large; allowed: .* 1 to 128\. Lower it/,
    ],
    [
      'a value below its range',
      desiredText([{ ...web, vmid: 99 }]),
      /vmid: 99 is too small; allowed: .* 100 to 999999999\. Raise it/,
    ],
    [
      'two disks in one slot',
      desiredText([{ ...web, disks: [disk('a', 'scsi1'), disk('b', 'scsi1')] }]),
      /machines\[web\]\.disks\[b\]\.slot: "scsi1" is used twice, also by disks\[a\]: a slot holds one disk/,
    ],
    [
      'two machines with one vmid',
      desiredText([
        { ...web, vmid: 500 },
        { ...web, id: 'db', vmid: 500 },
      ]),
      /machines\[db\]\.vmid: 500 is used by machine "web" too/,
    ],
    ['two machines with one id', desiredText([web, web]), /machines\[.*\]\.id: "web" /],
    [
      'a value that only an apply knows',
      desiredText([{ ...web, memory: { $unknown: 'x' } }]),
      /machines\[web\]\.memory/,
    ],
  ])('%s', async (_, text, said) => {
    lab.simulator.ledger.reset();
    const all = await Promise.all(VERBS.map(verb => runHere([verb, '--spec', '-'], lab.access, text)));
    for (const ran of all) expectFailure(ran, { code: 2, said });
    expect(lab.simulator.ledger.entries()).toEqual([]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a spec that is no JSON', wire('{'), /the spec is no valid JSON/],
    ['an unknown field', wire(JSON.stringify({ ...web, memmory: '1Gi' })), /Did you mean "memory"/],
    [
      'the spec of another machine',
      wire(JSON.stringify({ ...web, id: 'db' })),
      /PROXMOX_MACHINE is 'web', and the spec is of 'db'/,
    ],
    ['no spec', { ...wire(''), PROXMOX_SPEC: '' }, /the spec is empty/],
    ['an older stack', wire(JSON.stringify(web), { PROXMOX_PROTOCOL: '0' }), /Update cdktf-proxmox/],
  ])('an apply with %s', async (_, env, said) => {
    const ran = await runHere(['apply'], { ...lab.access, ...env });
    expectFailure(ran, { code: 2, said });
    expect(lab.simulator.ledger.entries()).toEqual([]);
  });
});

describe('a wrong way to the cluster', () => {
  let expired: Simulator;
  let elsewhere: Simulator;
  const serve = (options: Parameters<typeof newIdentity>[1]) =>
    startSimulator(defaultWorld(1), { identity: newIdentity(['pve.example.com'], options), seed: 1 });
  beforeAll(async () => {
    expired = await serve({ validTo: new Date('2024-01-01T00:00:00Z') });
    elsewhere = await serve({ loopback: false });
  });
  afterAll(async () => {
    await expired.close();
    await elsewhere.close();
  });

  type Case = [string, () => Record<string, string>, { code: number; said: RegExp }];
  const HOST = 'https://127\\.0\\.0\\.1:\\d+';
  test.each<Case>([
    [
      'no endpoint',
      () => ({ PVE_ENDPOINT: '' }),
      { code: 2, said: /^(?:web: )?ERROR: endpoint is required: set PVE_ENDPOINT/m },
    ],
    [
      'no URL',
      () => ({ PVE_ENDPOINT: 'pve:8006' }),
      { code: 2, said: /PVE_ENDPOINT: invalid endpoint URL "pve:8006"; allowed: / },
    ],
    [
      'no credentials',
      () => ({ PVE_TOKEN_ID: '', PVE_TOKEN_SECRET: '' }),
      { code: 2, said: /neither credentials given: set PVE_TOKEN_ID/ },
    ],
    [
      'nobody at the endpoint',
      () => ({ PVE_ENDPOINT: 'https://127.0.0.1:1' }),
      { code: 1, said: /cannot be reached.*https:\/\/127\.0\.0\.1:1: .*refused/i },
    ],
    [
      'a host that nobody knows',
      () => ({ PVE_ENDPOINT: 'https://no-such-host.invalid' }),
      { code: 1, said: NO_HOST },
    ],
    [
      'no authority for it',
      () => ({ PVE_CA_BUNDLE: '' }),
      {
        code: 1,
        said: RegExp(
          `${HOST}: .*not signed by .*By variables: set PVE_CA_BUNDLE .*PVE_FINGERPRINT .*In a document: set caCertificate or fingerprint `,
        ),
      },
    ],
    [
      'another authority',
      () => ({ PVE_CA_BUNDLE: elsewhere.ca }),
      { code: 1, said: RegExp(`${HOST}: .*not signed by .*PVE_CA_BUNDLE`) },
    ],
    [
      'an expired certificate',
      () => ({ PVE_ENDPOINT: expired.url, PVE_CA_BUNDLE: expired.ca }),
      { code: 1, said: RegExp(`${HOST}: .*expired.*renew`, 'i') },
    ],
    [
      'another host name',
      () => ({ PVE_ENDPOINT: elsewhere.url, PVE_CA_BUNDLE: elsewhere.ca }),
      { code: 1, said: RegExp(`${HOST}: .*not for this host name.*PVE_ENDPOINT`) },
    ],
    [
      'another fingerprint',
      () => ({ PVE_CA_BUNDLE: '', PVE_FINGERPRINT: '0A'.repeat(32) }),
      { code: 1, said: RegExp(`${HOST}: .*fingerprint ([0-9A-F]{2}:){31}.*not the pinned`) },
    ],
    [
      'another secret',
      () => ({ PVE_TOKEN_SECRET: 'wrong' }),
      { code: 1, said: /authentication failed: invalid credentials.*root@pam!full/ },
    ],
    [
      'another password',
      () => ({ PVE_TOKEN_ID: '', PVE_TOKEN_SECRET: '', PVE_USERNAME: 'root@pam', PVE_PASSWORD: 'wrong' }),
      { code: 1, said: /authentication failed: invalid credentials.*root@pam/ },
    ],
  ])('%s', async (_, env, expected) => {
    lab.simulator.ledger.reset();
    const access = { ...lab.access, ...env() };
    const query = { protocol: '1', cluster: '{"name":"lab"}', owner: 'o', 'spec.web': JSON.stringify(web) };
    // most of them wait before they try again
    const people = VERBS.map(verb => runHere([verb, '--spec', '-'], access, desiredText([web])));
    const observed = runHere(['observe'], access, JSON.stringify(query));
    const applied = runHere(['apply'], { ...access, ...wire(JSON.stringify(web)), ...env() });
    for (const ran of await Promise.all(people)) {
      expectFailure(ran, expected);
      const lines = ran.stderr.trim().split('\n');
      expect(lines.filter(line => line.includes('ERROR'))).toHaveLength(1);
    }
    expectFailure(await observed, expected);
    expectFailure(await applied, expected);
    for (const { ledger } of [lab.simulator, expired, elsewhere]) {
      expect(
        ledger.entries().filter(({ method, path }) => method !== 'GET' && path !== '/access/ticket'),
      ).toEqual([]);
    }
  });
});

describe('a caller who may not', () => {
  beforeAll(() => {
    const { access } = lab.world;
    access.users['ops@pve'] = { enable: true, tokens: { tf: { value: 'narrow', privsep: true } } };
    access.roles['narrow'] = ['VM.Audit', 'VM.Clone', 'Sys.Audit', 'SDN.Use', 'Datastore.AllocateSpace'];
    for (const [type, ugid, roleid] of [
      ['user', 'ops@pve', 'Administrator'],
      ['token', 'ops@pve!tf', 'narrow'],
    ] as const) {
      access.acl.push({ path: '/', type, ugid, roleid, propagate: true });
    }
  });
  const narrow = () => ({ ...lab.access, PVE_TOKEN_ID: 'ops@pve!tf', PVE_TOKEN_SECRET: 'narrow' });

  test('is refused with the lines that mend it, at plan, at observe and at apply', async () => {
    lab.writes();
    const said =
      /ops@pve!tf lacks .*VM\.Allocate.* on \/vms .*\n\s+pveum role add pvr-\S+ --privs \S+\n\s+pveum acl modify \/vms --roles pvr-\S+ --tokens 'ops@pve!tf'/;
    const planned = await runHere(['plan', '--spec', '-'], narrow(), desiredText([web]));
    expect({ code: planned.code, stdout: planned.stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(said),
    });
    const observed = await runHere(
      ['observe'],
      narrow(),
      JSON.stringify({
        protocol: '1',
        cluster: '{"name":"lab"}',
        owner: 'o',
        'spec.web': JSON.stringify(web),
      }),
    );
    expect(observed.code).toBe(0);
    expect((JSON.parse(observed.stdout) as Record<string, string>)['web.refusal']).toMatch(said);
    expectFailure(await runHere(['reconcile', '--spec', '-'], narrow(), desiredText([web])), {
      code: 3,
      said,
    });
    expectFailure(await runHere(['apply'], { ...narrow(), ...wire(JSON.stringify(web)) }), { code: 3, said });
    expect(lab.writes()).toEqual([]);
  });
});

test.each([[[]], [['--spec']]])(
  'review %j of a desired state names a command that tells what would be done',
  async flag => {
    const folder = mkdtempSync(path.join(tmpdir(), 'review-'));
    const file = path.join(folder, 'my desired.json');
    writeFileSync(file, desiredText([web]));
    const { code, stderr } = await runHere(['review', ...flag, file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`pve-reconciler plan --spec '${file}'`);
    expect(await runHere(['plan', '--spec', file], lab.access)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('web: would clone') as string,
    });
    rmSync(folder, { recursive: true });
  },
);

test('review of a desired state on stdin names the line that reads it', async () => {
  const { code, stderr } = await runHere(['review'], {}, desiredText([web]));
  expect(code).toBe(2);
  expect(stderr).toContain('pve-reconciler plan --spec -');
});
