import { accessTo } from '../../../reconciler/config/cluster-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { programAccess } from '../../support/cluster/program-access';
import { runLine } from '../walk/live';

type Environment = Record<string, string>;

const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
const token = { PVE_TOKEN_ID: 'virtrigaud@pve!vrtg-token', PVE_TOKEN_SECRET: 'one' };
const login = { PVE_USERNAME: 'virtrigaud@pve', PVE_PASSWORD: 'secure-password' };
const withToken = { PVE_ENDPOINT: 'https://pve.example.com:8006', ...token };

/** What comes of these variables; or why nothing does. */
function way(environment: Environment): unknown {
  try {
    return accessTo([{ name: 'lab' }], environment)[0];
  } catch (error) {
    return String(error);
  }
}

// the rows of the table "Required Environment Variables", with the values that it shows
test.each<[variable: string, value: string, others: Environment, comes: unknown]>([
  [
    'PVE_ENDPOINT',
    'https://pve.example.com:8006/api2',
    token,
    { pve: { endpoints: ['https://pve.example.com:8006'] } },
  ],
  [
    'PVE_TOKEN_ID',
    'virtrigaud@pve!vrtg-token',
    withToken,
    { pve: { credentials: { kind: 'token', id: token.PVE_TOKEN_ID } } },
  ],
  ['PVE_TOKEN_SECRET', 'another', withToken, { pve: { credentials: { kind: 'token', secret: 'another' } } }],
  [
    'PVE_USERNAME',
    'root@pam',
    { PVE_ENDPOINT: 'https://h', ...login },
    { pve: { credentials: { kind: 'password', username: 'root@pam' } } },
  ],
  [
    'PVE_PASSWORD',
    'another',
    { PVE_ENDPOINT: 'https://h', ...login },
    { pve: { credentials: { kind: 'password', password: 'another' } } },
  ],
  ['PVE_NODE_SELECTOR', 'pve-node-1,pve-node-2', withToken, { preferredNodes: ['pve-node-1', 'pve-node-2'] }],
  ['PVE_INSECURE_SKIP_VERIFY', 'true', withToken, { pve: { tls: { insecure: true } } }],
  ['PVE_CA_BUNDLE', PEM, withToken, { pve: { tls: { ca: PEM } } }],
])('%s=%s', (variable, value, others, comes) => {
  expect(way({ ...others, [variable]: value })).toMatchObject(comes as object);
});

test('what is not given: nodes are chosen, certificates are checked by the authorities of the system', () => {
  expect(way(withToken)).toMatchObject({ preferredNodes: [], pve: { tls: { insecure: false } } });
  expect(way(withToken)).not.toHaveProperty('pve.tls.ca');
});

// the rows of "required": the endpoint always, and either pair whole
test.each<[missing: string, environment: Environment, says: string]>([
  ['PVE_ENDPOINT', token, 'endpoint is required'],
  ['PVE_TOKEN_ID', { ...withToken, PVE_TOKEN_ID: '' }, 'PVE_TOKEN_ID is missing'],
  ['PVE_TOKEN_SECRET', { ...withToken, PVE_TOKEN_SECRET: '' }, 'PVE_TOKEN_SECRET is missing'],
  ['PVE_USERNAME', { PVE_ENDPOINT: 'https://h', PVE_PASSWORD: 'p' }, 'PVE_USERNAME is missing'],
  ['PVE_PASSWORD', { PVE_ENDPOINT: 'https://h', PVE_USERNAME: 'root@pam' }, 'PVE_PASSWORD is missing'],
  ['both pairs', { PVE_ENDPOINT: 'https://h' }, 'neither credentials given'],
])('without %s', (_, environment, says) => expect(way(environment)).toContain(says));

// the messages at the start, on the command line: each has its cause, its remedy and its exit code
test.each<[says: string, code: number, environment: (access: Environment) => Environment]>([
  ['endpoint is required: set PVE_ENDPOINT', 2, access => ({ ...access, PVE_ENDPOINT: '' })],
  ['invalid endpoint URL "pve-test.local"', 2, access => ({ ...access, PVE_ENDPOINT: 'pve-test.local' })],
  [
    'authentication failed: invalid credentials',
    1,
    access => ({ ...access, PVE_TOKEN_SECRET: '22222222-2222-4222-8222-222222222222' }),
  ],
  ['cannot be reached', 1, access => ({ ...access, PVE_ENDPOINT: 'https://127.0.0.1:1' })],
  ['Proxmox is not trusted', 1, ({ PVE_CA_BUNDLE: _, ...access }) => access],
])('%s', async (says, code, environment) => {
  const simulator = await startCluster();
  try {
    const state = JSON.stringify({
      version: 1,
      owner: 'team',
      cluster: { name: 'lab' },
      machines: [{ id: 'web' }],
    });
    const ran = await runLine(['plan', '--spec', '-'], environment(programAccess(simulator)), state);
    expect(ran.said).toContain(says);
    expect(ran.code).toBe(code);
  } finally {
    await simulator.close();
  }
});
