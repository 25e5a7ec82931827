import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliLab } from '../../support/processes/cli';
import { cliLab, desiredText, run, start } from '../../support/processes/cli';
import { inParallel } from '../../support/in-parallel';
import { turnsOf } from '../../support/turns';

const folder = mkdtempSync(join(tmpdir(), 'wrong input '));
const at = (name: string): string => join(folder, name);
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(at(name), text);
  return at(name);
};

let lab: CliLab;
beforeAll(async () => {
  lab = await cliLab();
});
afterAll(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

const DEEP = '['.repeat(50_000) + ']'.repeat(50_000);
const DEEP_OBJECT = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000);
const CLUSTER = JSON.stringify({ name: 'lab' });
const web = { id: 'web', image: { blank: true } };
const desired = desiredText([web]);
const WIRE = {
  ...{ PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: CLUSTER, PROXMOX_OWNER: 'o', PROXMOX_MACHINE: 'web' },
  ...{ PROXMOX_ENTRY: 'e', PROXMOX_TOKEN: '', PROXMOX_SPEC: JSON.stringify(web) },
};
const asked = (more: object = {}): string =>
  JSON.stringify({ protocol: '1', cluster: CLUSTER, owner: 'o', ...more });

const aFile = file('a-file', 'x');
const stack = (name: string, make: (place: string) => void): string => {
  mkdirSync(at(name));
  make(join(at(name), 'proxmox'));
  return at(name);
};
const folderWithFile = stack('with-file', place => writeFileSync(place, 'x'));
const folderWithFolder = stack('with-folder', place =>
  mkdirSync(join(place, 'lab.json'), { recursive: true }),
);

/** One wrong call: its words, and what else it is given; what it says. */
type Wrong = [says: RegExp, args: string[], given?: { input?: string; env?: Record<string, string> }];

const NESTED = /is nested more than \d+ levels deep/;
const tagged = { ...web, tags: ['web', 'pvr-aaaaaaaaaa'] };
const TAG = /tags\[1\]: "pvr-aaaaaaaaaa" is not valid; .* not with "pvr-"\. Remove it: this program finds/;
const state = JSON.parse(desired) as { machines: object[] };
const desiredWith = (more: object): string => JSON.stringify({ ...state, ...more });
const LIMITED = { name: 'lab', limits: { clonesPerStorage: 2 } };
const NOT_YET =
  /cluster\.limits\.clonesPerStorage: is not reconciled by this version\. Use clonesPerTemplate/;
const forPeople = (verb: string): Wrong[] => [
  [
    /snapshots\[clean\]\.machine: "nobody" is no machine of this document/,
    [verb, '--spec', '-'],
    { input: desiredWith({ snapshots: [{ machine: 'nobody', name: 'clean' }] }) },
  ],
  [NOT_YET, [verb, '--spec', '-'], { input: desiredWith({ cluster: LIMITED }) }],
  [
    /cluster\.defaults: is not reconciled by this version\. Write them into each machine/,
    [verb, '--spec', '-'],
    { input: desiredWith({ cluster: { name: 'lab', defaults: { memory: '1Gi' } } }) },
  ],
  [
    /machines\[db\]\.name: "Web" is used by machine "web" too\. Give each machine a name of its own/,
    [verb, '--spec', '-'],
    { input: desiredText([web, { ...web, id: 'db', name: 'Web' }]) },
  ],
  [
    /what team\/lab wants of cluster lab is given twice, also in .*one\.json\. Give one document/,
    [verb, '--spec', file('one.json', desired), '--spec', file('two.json', desired)],
  ],
  [TAG, [verb, '--spec', '-'], { input: desiredText([tagged]) }],
  [/no desired state is given/, [verb]],
  [/no-such-file cannot be read \(ENOENT\)/, [verb, '--spec', at('no-such-file')]],
  [/is no folder of a synthesized stack/, [verb, '--spec', folder]],
  [/with-file is no folder of a synthesized stack/, [verb, '--spec', folderWithFile]],
  [/lab\.json cannot be read \(EISDIR\)/, [verb, '--spec', folderWithFolder]],
  [
    /latin-1\.yaml is no text in UTF-8: line 2 holds other bytes\. Save it as UTF-8/,
    [verb, '--spec', file('latin-1.yaml', Buffer.from('version: 1\nowner: Käthe\n', 'latin1'))],
  ],
  [NESTED, [verb, '--spec', file('deep.json', DEEP)]],
  [NESTED, [verb, '--spec', '-'], { input: DEEP_OBJECT }],
  [NESTED, [verb, '--spec', '-'], { input: desired.replace('"machines":[', `"machines":[${DEEP},`) }],
  [/stdin is empty\. Give a desired state there \(--spec - < desired\.json\)/, [verb, '--spec', '-']],
  [/option '--spec <file>' argument missing/, [verb, '--spec']],
  [/unknown option '--frobnicate'\n.* --help tells what it takes/, [verb, '--frobnicate']],
  [/LOG_LEVEL is "verbose"; allowed: error, warn, info, debug/, [verb], { env: { LOG_LEVEL: 'verbose' } }],
  [/LOG_LEVEL is "wran".* Did you mean "warn"\?/, [verb], { env: { LOG_LEVEL: 'wran' } }],
  [/LOG_FORMAT is "xml"; allowed: text, json/, [verb], { env: { LOG_FORMAT: 'xml' } }],
  [
    /PVE_INSECURE_SKIP_VERIFY is neither true nor false/,
    [verb, '--spec', '-'],
    { input: desired, env: { PVE_INSECURE_SKIP_VERIFY: 'perhaps' } },
  ],
  [
    /PVE_CA_BUNDLE: the file that it names cannot be read \(ENOENT\)/,
    [verb, '--spec', '-'],
    { input: desired, env: { PVE_CA_BUNDLE: '/no/ca' } },
  ],
];
const ofQuery = (verb: string): Wrong[] => [
  [/the query on stdin is empty\. Terraform calls .* By hand write: pve-reconciler status/, [verb]],
  [NESTED, [verb], { input: DEEP }],
  [NESTED, [verb], { input: DEEP_OBJECT }],
  [NESTED, [verb], { input: asked({ cluster: DEEP }) }],
  [/owner: "" is not valid/, [verb], { input: asked({ owner: '' }) }],
  [/owner: is required/, [verb], { input: asked({ owner: undefined }) }],
  [/the stack speaks protocol 0/, [verb], { input: asked({ protocol: '0' }) }],
  [/LOG_LEVEL is "verbose"/, [verb], { input: asked(), env: { LOG_LEVEL: 'verbose' } }],
];
const ofEnvironment = (verb: string): Wrong[] => [
  [/Terraform calls apply|destroy needs the names of machines/, [verb]],
  [/no protocol version was given/, [verb], { env: { ...WIRE, PROXMOX_PROTOCOL: '' } }],
  [/PROXMOX_OWNER: "" is not valid/, [verb], { env: { ...WIRE, PROXMOX_OWNER: '' } }],
  [/PROXMOX_OWNER: " " is not valid/, [verb], { env: { ...WIRE, PROXMOX_OWNER: ' ' } }],
  [/PROXMOX_MACHINE: "" is not valid/, [verb], { env: { ...WIRE, PROXMOX_MACHINE: '' } }],
  [NESTED, [verb], { env: { ...WIRE, PROXMOX_CLUSTER: DEEP } }],
  [/LOG_LEVEL is "verbose"/, [verb], { env: { ...WIRE, LOG_LEVEL: 'verbose' } }],
];

/** In the gate the verbs that read the same documents take turns; with KILLS=every each has all of the rows. */
const inTurn = (row: number, wrong: Wrong[]): Wrong[] => {
  const { first, step } = turnsOf(row, 3);
  return wrong.filter((_, index) => index % step === first);
};

const WRONG: Record<string, Wrong[]> = {
  'no verb': [
    [/unknown verb 'plna': did you mean 'plan'\?/, ['plna']],
    [/power needs a word after it; allowed: start, /, ['power']],
    [/snapshot needs a word after it; allowed: list, /, ['snapshot']],
    [/unknown option '--nonsense'/, ['--nonsense']],
    [/unknown verb 'plna': did you mean 'plan'\?/, ['help', 'plna']],
  ],
  plan: [...forPeople('plan'), [/too many arguments/, ['plan', 'web']]],
  reconcile: [...inTurn(0, forPeople('reconcile')), [/too many arguments/, ['reconcile', 'web']]],
  status: [
    ...inTurn(1, forPeople('status')),
    [/has no machine 'wbe'.* Did you mean 'web'\?/, ['status', 'wbe', '--spec', '-'], { input: desired }],
    [/--output xml is not known/, ['status', '--spec', '-', '-o', 'xml'], { input: desired }],
  ],
  review: [
    [/no-such-file cannot be read \(ENOENT\)/, ['review', at('no-such-file')]],
    [/is a folder, not a plan\. Give .* --spec/, ['review', folder]],
    [/too many arguments.*\n.* review --help tells/, ['review', 'a', 'b']],
    [/is no folder of a synthesized stack/, ['review', '--spec', aFile]],
    [
      /utf-16\.json is no text in UTF-8: line 1/,
      ['review', file('utf-16.json', Buffer.from('\uFEFF{}', 'utf16le'))],
    ],
    [NESTED, ['review'], { input: DEEP }],
    [NESTED, ['review', file('plan.json', DEEP_OBJECT)]],
    [/the plan on stdin is empty/, ['review']],
    [/--format xml is not known/, ['review', '--format', 'xml']],
    [/--fail-on .*destroi/, ['review', '--fail-on', 'destroi']],
    [/LOG_LEVEL is "verbose"/, ['review'], { env: { LOG_LEVEL: 'verbose' } }],
  ],
  observe: [
    ...ofQuery('observe'),
    [NOT_YET, ['observe'], { input: asked({ cluster: JSON.stringify(LIMITED) }) }],
    [NESTED, ['observe'], { input: asked({ fleet: DEEP }) }],
  ],
  facts: [
    ...ofQuery('facts'),
    [/machine: "" is not valid/, ['facts'], { input: asked({ machine: '' }) }],
    [/machin: .*Did you mean "machine"/, ['facts'], { input: asked({ machin: 'web' }) }],
  ],
  apply: [
    ...ofEnvironment('apply'),
    [NESTED, ['apply'], { env: { ...WIRE, PROXMOX_SPEC: DEEP } }],
    [NOT_YET, ['apply'], { env: { ...WIRE, PROXMOX_CLUSTER: JSON.stringify(LIMITED) } }],
    [TAG, ['apply'], { env: { ...WIRE, PROXMOX_SPEC: JSON.stringify(tagged) } }],
    [NESTED, ['apply'], { env: { ...WIRE, PROXMOX_FORMER: DEEP } }],
    [/PROXMOX_FORMER/, ['apply'], { env: { ...WIRE, PROXMOX_FORMER: '{}' } }],
  ],
  destroy: ofEnvironment('destroy'),
  adopt: [
    [/--pool is empty: give a name/, ['adopt', '--pool', '']],
    [/--tag is empty: give a name/, ['adopt', '--tag', ' ', '--json']],
    [/'web' is no number of a guest/, ['adopt', 'web']],
    [/Say which guests/, ['adopt']],
    [/--form yml is not known.*\byaml\b/, ['adopt', '--all', '--form', 'yml']],
  ],
  module: [
    [/Say into which folder/, ['module']],
    [/a-file is no folder/, ['module', aFile]],
    [/cannot be made \(ENOTDIR\)/, ['module', join(aFile, 'below')]],
    [/cannot be made \(ENOENT\)/, ['module', '/proc/module-test/proxmox']],
    [/cannot be written \(E[A-Z]+\). Nothing was written/, ['module', '/proc']],
    [/is no folder/, ['module', '/dev/null']],
    [/LOG_LEVEL is "verbose"/, ['module', at('new')], { env: { LOG_LEVEL: 'verbose' } }],
  ],
};

test.each(Object.keys(WRONG))(
  '%s: wrong input is one sentence and exit 2, and nothing is sent',
  async verb => {
    lab.simulator.ledger.reset();
    await inParallel(2, WRONG[verb] ?? [], async ([says, args, { input, env } = {}]) => {
      const ran = await run(args, { ...lab.access, ...env }, input);
      expect([args, ran]).toEqual([args, { code: 2, stdout: '', stderr: expect.stringMatching(says) }]);
      expect(ran.stderr).not.toMatch(/^\s+at |RangeError|undefined|\[object/m);
      expect(ran.stderr.match(/error:/gi)).toHaveLength(1);
    });
    expect(lab.simulator.ledger.entries()).toEqual([]);
  },
);

test('one machine of a query that cannot be read hides no other', async () => {
  const { code, told } = await lab.observe(
    { db: { id: 'db', image: { blank: true } } },
    {},
    { 'spec.web': DEEP },
  );
  expect(code).toBe(0);
  expect(told['web.refusal']).toMatch(NESTED);
  expect(told['db.status']).toBe('absent');
});

test('a tag of ours in a spec is refused to Terraform, whoever wrote the spec', async () => {
  expect((await lab.observe({ web: tagged })).told['web.refusal']).toMatch(TAG);
});

test('the two names that a query gives a machine are one', async () => {
  const { told } = await lab.observe({ db: web });
  expect(told['db.refusal']).toMatch(/spec\.db is the spec of 'web'/);
  expect((await lab.observe({ '': web })).stderr).toMatch(/names a machine without an id/);
});

describe('the folder of a module', () => {
  test('no link is followed out of it, not with --force either', async () => {
    const place = at('linked');
    mkdirSync(place);
    const outside = file('outside', 'mine');
    const dangling = at('not there yet');
    symlinkSync(outside, join(place, 'main.tf'));
    symlinkSync(dangling, join(place, 'outputs.tf'));
    symlinkSync(outside, join(place, '.pve-reconciler.json'));
    const refused = await run(['module', place]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/main\.tf, outputs\.tf, \.pve-reconciler\.json\. Nothing was written/);
    expect(await run(['module', place, '--force'])).toMatchObject({ code: 0 });
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(existsSync(dangling)).toBe(false);
    expect(readFileSync(join(place, 'main.tf'), 'utf8')).toContain('terraform_data');
  });

  test('a folder in the place of a file is said, and nothing was written', async () => {
    const place = at('blocked');
    mkdirSync(join(place, 'main.tf'), { recursive: true });
    const ran = await run(['module', place, '--force']);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/main\.tf is a folder/) });
    expect(existsSync(join(place, 'variables.tf'))).toBe(false);
  });
});

test('machines that cannot be read are counted, and named in JSON', async () => {
  expect(await lab.people('reconcile', [web])).toMatchObject({ code: 0 });
  const effect = { kind: 'answer', status: 500, text: 'no such thing' } as const;
  lab.simulator.faults.add({ path: '/nodes/*/qemu/**', effect });
  const planned = await lab.people('plan', [web]);
  expect(planned).toMatchObject({ code: 1, stdout: '0 to change, 0 in sync, 0 refused, 1 failed.\n' });
  const { code, stdout } = await lab.people('plan', [web], ['--json']);
  lab.simulator.faults.clear();
  expect({ code, json: JSON.parse(stdout) as object }).toEqual({
    code: 1,
    json: { machines: [], failed: [{ machine: 'web', error: expect.stringContaining('no such thing') }] },
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while machines are read: exit %i, and no table of half an answer', async (signal, code) => {
  expect(await lab.people('reconcile', [web])).toMatchObject({ code: 0 });
  const effect = { kind: 'slow', ms: 1500, work: 'not-done' } as const;
  lab.simulator.faults.add({ path: '/nodes/*/qemu/**', effect });
  for (const verb of ['status', 'plan']) {
    const hits = (): number => lab.simulator.faults.list().reduce((sum, fault) => sum + fault.hits, 0);
    const before = hits();
    const running = start([verb, '--spec', '-'], lab.access, desired);
    while (hits() === before) await new Promise(resolve => setTimeout(resolve, 10));
    running.child.kill(signal);
    const { stdout, stderr, ...ended } = await running.ended;
    expect({ ...ended, stdout }).toEqual({ code, stdout: '' });
    expect(stderr).toMatch(/interrupted; .*Running again is safe/);
    expect(stderr).not.toMatch(/AbortError|aborted|^\s+at /im);
  }
  lab.simulator.faults.clear();
});
