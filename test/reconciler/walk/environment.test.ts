import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { walkOf } from '../../../reconciler/commands/observe/walk-of';
import { commitOf } from '../../../reconciler/input/commit';
import { accessTo } from '../../../reconciler/config/cluster-access';
import { daemonSettings } from '../../../reconciler/daemon/daemon-settings';
import { kubernetesAccess } from '../../../reconciler/kubernetes/api/access';
import { environmentNames } from './environment-names';
import { Live, runLine } from './live';
import type { Proof } from './proof';
import { walk } from './walk';

type Environment = Record<string, string>;

const folder = mkdtempSync(path.join(tmpdir(), 'walk-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

const token = { PVE_TOKEN_ID: 'root@pam!one', PVE_TOKEN_SECRET: 'secret' };
const plain = { PVE_ENDPOINT: 'https://pve.example.com', ...token };
const login = { PVE_ENDPOINT: 'https://pve.example.com', PVE_USERNAME: 'root@pam', PVE_PASSWORD: 'one' };

/** The way to a cluster, with what the environment adds to its spec; or why there is none. */
function way(environment: Environment): unknown {
  try {
    return accessTo([{ name: 'lab' }], environment)[0];
  } catch (error) {
    return String(error);
  }
}

/** A value, and the same from a file: both must change the way, and both alike. */
function variable(name: string, value: string, base: Environment = plain): [string, Proof] {
  const differ = (): unknown[] => {
    const said = way({ ...base, [name]: value });
    const { [name]: _, ...others } = base;
    const read = way({ ...others, [`${name}_FILE`]: file(name, `${value}\n`) });
    // what is wrong is told by the name that was set
    expect(JSON.stringify(read).replaceAll(`${name}_FILE`, name)).toBe(JSON.stringify(said));
    return [way(base), said];
  };
  return [name, { differ }];
}

const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
const KEY = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----';

const commits = (name: string): Proof => ({
  differ: () => [{}, { [name]: 'abcdef0' }].map(environment => commitOf(undefined, environment)),
});

/** What a plan over the folder of a stack says, with this workspace. */
const inWorkspace = (environments: (stack: string) => Environment[]): Proof => ({
  differ: () => {
    const stack = path.join(folder, 'stack');
    mkdirSync(path.join(stack, 'proxmox'), { recursive: true });
    mkdirSync(path.join(stack, 'data'), { recursive: true });
    writeFileSync(path.join(stack, 'data', 'environment'), 'staging');
    const state = { version: 1, owner: 'o', cluster: { name: 'lab' }, machines: [{ id: 'web' }] };
    const text = JSON.stringify({ ...state, owner: '${terraform.workspace}' });
    writeFileSync(path.join(stack, 'proxmox', 'lab.json'), text);
    return Promise.all(environments(stack).map(env => runLine(['review', '--json', '--spec', stack], env)));
  },
});

/** What a person sees of a run, where the variable is this. */
const seen = (name: string, ...values: string[]): Proof => ({
  differ: () =>
    Promise.all(
      values.map(value =>
        Live.with(async ({ access }) => {
          const machines = [{ id: 'web', image: { blank: true } }];
          const state = { version: 1, owner: 'o', cluster: { name: 'lab' }, machines };
          const env = { ...access, [name]: value };
          const { said } = await runLine(['reconcile', '--spec', '-'], env, JSON.stringify(state), {
            isTTY: name === 'TERM',
          });
          return said.replace(/"time":"[^"]*"|\d+\.\d+ s/g, '');
        }),
      ),
    ),
});

/** Each changes the way to Proxmox, what is said of it, or what a run looks at. */
const ROWS: Record<string, Proof> = {
  ...Object.fromEntries([
    variable('PVE_ENDPOINT', 'https://other'),
    variable('PVE_TOKEN_ID', 'root@pam!two'),
    variable('PVE_TOKEN_SECRET', 'other'),
    variable('PVE_USERNAME', 'me@pve', login),
    variable('PVE_PASSWORD', 'two', login),
    variable('PVE_TOTP_SECRET', 'ABCD', login),
    variable('PVE_NODE_SELECTOR', 'pve2'),
    variable('PVE_INSECURE_SKIP_VERIFY', 'true'),
    variable('PVE_CA_BUNDLE', PEM),
    variable('PVE_CLIENT_CERT', PEM),
    variable('PVE_CLIENT_KEY', KEY),
    variable('PVE_FINGERPRINT', '0A'.repeat(32)),
    variable('PVE_TASK_TIMEOUT', '90s'),
    variable('PVE_TASK_POLL_INTERVAL', '7s'),
    variable('PVE_REQUEST_TIMEOUT', '9s'),
  ]),
  RECONCILE_INTERVAL: {
    differ: () => ['5s', '9s'].map(text => daemonSettings({ RECONCILE_INTERVAL: text })),
  },
  STATUS_ALLOWED_HOSTS: {
    differ: () =>
      ['a.example.com', 'b.example.com'].map(text => daemonSettings({ STATUS_ALLOWED_HOSTS: text })),
  },
  LOG_LEVEL: seen('LOG_LEVEL', 'info', 'warn', 'verbose'),
  LOG_FORMAT: seen('LOG_FORMAT', 'text', 'json'),
  TERM: seen('TERM', 'xterm', 'dumb'),
  GITHUB_SHA: commits('GITHUB_SHA'),
  CI_COMMIT_SHA: commits('CI_COMMIT_SHA'),
  TF_WORKSPACE: inWorkspace(() => [{}, { TF_WORKSPACE: 'production' }]),
  PLUGIN_CLIENT_CERT: {
    differ: () => ['one', 'two'].map(PLUGIN_CLIENT_CERT => walkOf({ environment: { PLUGIN_CLIENT_CERT } })),
  },
  TF_DATA_DIR: inWorkspace(() => [{}, { TF_DATA_DIR: 'data' }]),
  PROXMOX_MACHINE: {
    differ: () => Promise.all(['web', 'db'].map(name => runLine(['apply'], { PROXMOX_MACHINE: name }))),
  },
  PROXMOX_SNAPSHOT: {
    differ: () =>
      Promise.all(
        [{}, { PROXMOX_SNAPSHOT: '{}' }].map(own => runLine(['apply'], { ...callOf('lab'), ...own })),
      ),
  },
  KUBECONFIG: {
    differ: () =>
      Promise.all(
        ['one', 'two'].map(async name => kubernetesAccess({ KUBECONFIG: `/no-such/${name}` }).catch(String)),
      ),
  },
  ...Object.fromEntries(
    ['HOST', 'PORT'].map(part => [
      `KUBERNETES_SERVICE_${part}`,
      {
        test: 'reconciler/kubernetes/kubeconfig › in a pod the service account is used, and its files must be there',
      },
    ]),
  ),
  NO_COLOR: { test: 'e2e/cli/terminal › a failure is %s' },
  FORCE_COLOR: { test: 'reconciler/report/colours › a terminal (%s) with %j' },
  TMPDIR: {
    test: 'e2e/worker/no-worker › where nothing can be written for a while, the client does its job itself',
  },
  XDG_CACHE_HOME: {
    test: 'e2e/cli/kept-program › many that start at once leave one file, and one in XDG_CACHE_HOME goes there',
  },
  NODE_DISABLE_COMPILE_CACHE: { test: 'e2e/cli/kept-program › works without, and writes nothing, where %s' },
  PROXMOX_CLUSTER: {
    differ: () => Promise.all(['lab', 'Not a name'].map(name => runLine(['apply'], callOf(name)))),
  },
  PROXMOX_DEFAULT_CLUSTER: { test: 'reconciler/manifests/bad-documents › %s' },
  PVE_SOURCE: {
    differ: () =>
      Promise.all(['team', '!'].map(text => runLine(['plan', '--spec', '-'], { PVE_SOURCE: text }))),
  },
  PVE_RUN: { test: 'e2e/worker/shared › PVE_RUN=alone starts no worker, and another word is refused' },
  PROXMOX_PROTOCOL: {
    differ: () => Promise.all(['1', '2'].map(text => runLine(['apply'], { PROXMOX_PROTOCOL: text }))),
  },
};

function callOf(cluster: string): Environment {
  const texts = { PROXMOX_CLUSTER: JSON.stringify({ name: cluster }), PROXMOX_SPEC: '{"id":"web"}' };
  const names = ['OWNER', 'MACHINE', 'ENTRY', 'TOKEN'].map(name => [`PROXMOX_${name}`, 'web']);
  return { PROXMOX_PROTOCOL: '1', ...Object.fromEntries(names), ...texts };
}

walk('environment variable', environmentNames('reconciler', 'constructs', 'simulator', 'spec'), ROWS);
