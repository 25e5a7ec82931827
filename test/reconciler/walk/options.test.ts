import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { program } from '../../../reconciler/commands/command-line';
import { adoptRows } from './adopt-rows';
import { day2Rows } from './day2-rows';
import { Live, runLine, type Ran } from './live';
import { storedRows } from './stored-rows';
import { once } from '../../support/once';
import type { Proof } from './proof';
import { walk } from './walk';

const root = path.resolve(__dirname, '..', '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'walk-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

const state = {
  version: 1,
  owner: 'team',
  cluster: { name: 'lab' },
  machines: [{ id: 'web', image: { blank: true } }],
};
const query = { protocol: '1', cluster: '{"name":"lab"}', owner: 'team' };
const wire = {
  ...{ PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: query.cluster, PROXMOX_OWNER: 'team', PROXMOX_TOKEN: '' },
  ...{ PROXMOX_MACHINE: 'web', PROXMOX_ENTRY: '', PROXMOX_SPEC: JSON.stringify(state.machines[0]) },
};
const OTHER_PLAN = path.join(root, 'test/reconciler/review/plans/create.json');
const reviewed = readFileSync(path.join(root, 'test/reconciler/review/plans/destroy.json'), 'utf8');
const INPUT: Record<string, string> = {
  observe: JSON.stringify({ ...query, 'spec.web': wire.PROXMOX_SPEC }),
  facts: JSON.stringify({ ...query, machine: 'web', required: 'x' }),
  review: reviewed,
  plan: JSON.stringify(state),
  reconcile: JSON.stringify(state),
  status: JSON.stringify(state),
  gc: JSON.stringify(state),
  snapshot: JSON.stringify(state),
  power: JSON.stringify(state),
  console: JSON.stringify(state),
  doctor: JSON.stringify(state),
  destroy: JSON.stringify(state),
  permissions: JSON.stringify(state),
  completion: JSON.stringify(state),
  put: JSON.stringify(state),
};
const timeless = ({ code, out, said }: Ran): unknown =>
  [String(code), out, said].map(text =>
    text
      .replace(
        /"web\.token":"[^"]*"|"(?:time|lastUpdated|lastHealthCheck)":\s?"[^"]*"|last(?:Updated|HealthCheck): .*|\d+\.\d+ s/g,
        '',
      )
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|127\.0\.0\.1:\d+|UPID:\S+/g, ''),
  );

/** The machine is there, and differs. */
const there = Live.worlds([{ id: 'web', image: { blank: true }, power: 'stopped' }]);
const NEEDS_IT = /^(?:status|observe|facts|snapshot|gc|power|console)$/;

/** A whole line on a cluster of its own: code, results and what is said. */
const told = once(async (line: string[]): Promise<unknown> => {
  const [verb = ''] = line;
  return Live.with(
    async live => {
      const env = { ...live.access, ...wire, LOG_LEVEL: 'debug' };
      return timeless(await runLine(line, env, INPUT[verb]));
    },
    NEEDS_IT.test(verb) ? { world: await there() } : {},
  );
});

/** A verb without and with an option, on clusters that are alike. */
const lines = (verb: string, plain: string[], ...options: string[][]): Proof => ({
  differ: () => Promise.all(options.map(line => told([verb, ...plain, ...line]))),
});
const over = ['--spec', '-'];
const manifests = path.join(folder, 'manifests.yaml');
writeFileSync(
  manifests,
  `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: web }
spec:
  cluster: lab
  image: { blank: true }
  cloudInit: { passwordFrom: { secretRef: { name: s, key: k } } }
`,
);
mkdirSync(path.join(folder, 's'));
writeFileSync(path.join(folder, 's', 'k'), 'secret');

/** The options of a verb that are about manifests. */
const ofManifests = (verb: string): Record<string, Proof> => {
  const whole = ['--manifests', manifests, '--secrets', folder];
  return {
    [`${verb} --manifests`]: lines(verb, [], [], whole),
    [`${verb} --owner`]: lines(verb, over, [], ['--owner', 'team']),
    [`${verb} --secrets`]: lines(verb, ['--manifests', manifests], [], ['--secrets', folder]),
  };
};
const DESTROY_FLAG = ['--fail-on', 'destroy'];

const RELEASES = ['--releases', path.join(root, 'releases.json')];

/** A folder that holds a file of somebody else. */
const stack = path.join(folder, 'stack');
mkdirSync(stack);
writeFileSync(path.join(stack, 'cdk.tf.json'), '{}');
const modules = (...options: string[][]): Proof => ({
  differ: () =>
    Promise.all(
      options.map(async (more, index) => {
        const place = mkdtempSync(path.join(folder, `module-${index}-`));
        writeFileSync(path.join(place, 'main.tf'), '# mine');
        const { code, said } = await runLine(['module', place, ...more]);
        return [code, said.replaceAll(place, 'folder')];
      }),
    ),
});
const fresh = (...options: string[][]): Proof => ({
  differ: () =>
    Promise.all(
      options.map(async (more, index) => {
        const place = path.join(folder, `fresh-${index}-${more.length}`);
        return timeless(await runLine(['module', place, ...more]));
      }),
    ),
});

const file = (name: string, more: object): string => {
  writeFileSync(path.join(folder, name), JSON.stringify({ ...state, ...more }));
  return path.join(folder, name);
};

/** A daemon that does not begin: whatever else is said, an address is wrong. */
const ends = (plain: string[], ...options: string[][]): Proof => ({
  differ: () =>
    Promise.all(
      options.map(async more => {
        const environment = {
          ...{ PVE_ENDPOINT: 'https://127.0.0.1:1', PVE_TOKEN_ID: 'ops@pve!run', PVE_TOKEN_SECRET: 'secret' },
          ...{ METRICS_BIND_ADDRESS: '127.0.0.1:0', HEALTH_PROBE_BIND_ADDRESS: '256.0.0.1:0' },
        };
        return timeless(await runLine(['run', ...plain, ...more], environment, JSON.stringify(state)));
      }),
    ),
});

/** By verb and option. */
const ROWS: Record<string, Proof> = {
  'plan --spec': lines('plan', [], over, ['--spec', file('none.json', { machines: [] })]),
  'plan --check': lines('plan', over, [], ['--check']),
  'plan --explain': lines('plan', over, [], ['--explain'], ['--explain', '--json']),
  'plan --json': lines('plan', over, [], ['--json']),
  'plan --quiet': lines('plan', over, [], ['--quiet']),
  'reconcile --spec': lines('reconcile', [], over, ['--spec', file('none.json', { machines: [] })]),
  'reconcile --json': lines('reconcile', over, [], ['--json']),
  'reconcile --quiet': lines('reconcile', over, [], ['--quiet']),
  'run --spec': ends([], [], over, ['--spec', '/no/such/file']),
  'run --manifests': ends([], [], ['--manifests', '/no/such/file']),
  'run --owner': ends(['--spec', folder], [], ['--owner', 'team']),
  'run --secrets': ends(['--spec', folder], [], ['--secrets', folder]),
  'run --kubernetes': ends(over, [], ['--kubernetes']),
  'run --namespace': ends(over, [], ['--namespace', 'team-a']),
  'run --cluster-namespace': ends(over, [], ['--cluster-namespace', 'team-a']),
  'run --lease': ends(over, [], ['--lease', 'nowhere']),
  'run --lease-name': ends(over, [], ['--lease-name', 'a']),
  'run --prune': ends(['--spec', folder], [], ['--prune']),
  'run --quiet': ends(over, [], ['--quiet']),
  ...storedRows(lines, folder),
  'gc --spec': lines('gc', [], over, ['--spec', file('none.json', { machines: [] })]),
  'gc --all': lines('gc', ['--spec', file('none.json', { machines: [] }), '--json'], [], ['--all']),
  'gc --source': lines('gc', ['--spec', file('none.json', { machines: [] })], [], ['--source', '!']),
  'plan --source': lines('plan', over, [], ['--source', '!']),
  'reconcile --source': lines('reconcile', over, [], ['--source', '!']),
  'destroy --source': {
    test: 'runs/held-by-kubernetes › $line by hand: refused, and done by the source that holds it',
  },
  'snapshot --source': {
    test: 'runs/held-by-kubernetes › $line by hand: refused, and done by the source that holds it',
  },
  'run --source': ends(['--spec', folder], [], ['--source', '!']),
  'gc --count': lines('gc', ['--spec', file('none.json', { machines: [] }), '--yes'], [], ['--count', '1']),
  'gc --yes': lines('gc', ['--spec', file('none.json', { machines: [] })], [], ['--yes']),
  'gc --with-kept-volumes': { test: 'runs/destroy/kept-volumes › gc takes it with the flag, and names it' },
  'gc --json': lines('gc', over, [], ['--json']),
  'gc --quiet': lines(
    'gc',
    ['--spec', file('none.json', { machines: [] }), '--yes', '--count', '1'],
    [],
    ['--quiet'],
  ),
  'status [machine]': lines('status', over, [], ['wbe']),
  'status --spec': lines('status', [], over, ['--spec', file('none.json', { machines: [] })]),
  'status --output': lines('status', over, [], ['-o', 'wide'], ['-o', 'json'], ['-o', 'yaml'], ['-o', 'x']),
  'status --json': lines('status', over, [], ['--json']),
  'status --source': lines('status', over, [], ['--source', '!']),
  'status --quiet': lines('status', over, [], ['--quiet']),
  'status --all': lines('status', over, [], ['--all']),
  'status --lease': lines('status', [...over, '--all'], [], ['--lease', 'kubernetes']),
  'status --lease-name': lines('status', [...over, '--all'], [], ['--lease-name', 'team-a']),
  'snapshot <subcommand>': lines('snapshot', [], ['list', 'web', ...over], ['lost', 'web', ...over]),
  'snapshot <machine>': lines('snapshot', ['list', ...over], ['web'], ['wbe']),
  'snapshot [name]': lines('snapshot', ['create', 'web', ...over], ['clean'], []),
  'snapshot --spec': lines('snapshot', ['list', 'web'], over, []),
  'snapshot --manifests': lines('snapshot', ['list', 'web'], [], ['--manifests', manifests]),
  'snapshot --owner': lines('snapshot', ['list', 'web', ...over], [], ['--owner', 'team']),
  'snapshot --secrets': lines('snapshot', ['list', 'web', ...over], [], ['--secrets', folder]),
  'snapshot --description': {
    test: 'runs/snapshots/command › takes one with --description and --memory, and lists it as text, JSON and YAML with --output',
  },
  'snapshot --memory': {
    test: 'runs/snapshots/command › takes one with --description and --memory, and lists it as text, JSON and YAML with --output',
  },
  'snapshot --yes': { test: 'runs/snapshots/command › asks before something is lost, unless --yes is given' },
  'snapshot --output': lines(
    'snapshot',
    ['list', 'web', ...over],
    [],
    ['-o', 'json'],
    ['-o', 'yaml'],
    ['-o', 'x'],
  ),
  'snapshot --json': lines('snapshot', ['list', 'web', ...over], [], ['--json']),
  'snapshot --quiet': lines('snapshot', ['create', 'web', 'clean', ...over], [], ['--quiet']),
  'permissions --spec': lines('permissions', [], [], over),
  'permissions --role': lines('permissions', [], [], ['--role', 'Machines'], ['--role', 'PVEOurs']),
  'permissions --check': lines('permissions', over, [], ['--check']),
  'review [plan]': lines('review', [], [], [OTHER_PLAN]),
  'review --spec': lines('review', [], [], ['--spec', '/no/such/folder']),
  'review --format': lines(
    'review',
    [],
    [],
    ['--format', 'markdown'],
    ['--format', 'html'],
    ['--format', 'x'],
  ),
  'review --fail-on': lines('review', [], [], DESTROY_FLAG, ['--fail-on', 'x']),
  'review --commit': lines('review', [], [], ['--commit', 'abcdef0'], ['--commit', 'x']),
  'review --json': lines('review', [], [], ['--json']),
  'observe --json': lines('observe', [], [], ['--json']),
  'observe --quiet': lines('observe', [], [], ['--quiet']),
  'apply --json': lines('apply', [], [], ['--json']),
  'apply --quiet': lines('apply', [], [], ['--quiet']),
  'destroy --json': lines('destroy', [], [], ['--json']),
  'destroy --quiet': lines('destroy', [], [], ['--quiet']),
  'facts --json': lines('facts', [], [], ['--json']),
  'module [folder]': modules([], ['another']),
  'module --from': fresh([], ['--from', stack]),
  'module --out': fresh(['--from', stack], ['--from', stack, '--out', path.join(folder, 'there')]),
  'verify [folders]': lines('verify', RELEASES, [], ['/no/such/folder']),
  'verify --releases': lines('verify', [folder], [], RELEASES),
  'verify --json': {
    test: 'runs/day2/verify › as JSON it tells each file, and the release where there is one',
  },
  'module --force': modules([], ['--force']),
  'module --json': fresh([], ['--json']),
  'module --quiet': fresh([], ['--quiet']),
};

const ofCalls = Object.fromEntries(
  ['plan', 'reconcile', 'status', 'observe', 'apply', 'destroy', 'facts'].map(verb => [
    `${verb} --explain-calls`,
    lines(verb, /^(?:plan|reconcile|status)$/.test(verb) ? over : [], [], ['--explain-calls']),
  ]),
);

// prettier-ignore
const ALL_ROWS = { ...ROWS, ...ofCalls, ...ofManifests('plan'), ...ofManifests('reconcile'), ...ofManifests('status'), ...ofManifests('gc'), ...ofManifests('permissions'), ...adoptRows(folder), ...day2Rows(lines, { none: file('none.json', { machines: [] }), manifests, secrets: folder }) };

const all = program(() => Promise.resolve());
const NAMES = all.commands.flatMap(command => [
  ...command.registeredArguments.map(
    argument =>
      `${command.name()} ${argument.required ? '<' : '['}${argument.name()}${argument.required ? '>' : ']'}`,
  ),
  ...command.options.map(option => `${command.name()} ${option.long ?? ''}`),
]);

walk('option of pve-reconciler', NAMES, ALL_ROWS);
