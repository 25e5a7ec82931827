import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessTo } from '../../reconciler/config/cluster-access';
import { newIdentity } from '../../simulator/wire/certificate';
import type { ClusterSpec } from '../../spec';

const token = { PVE_TOKEN_ID: 'root@pam!t1', PVE_TOKEN_SECRET: 's3cret' };
const plain = { PVE_ENDPOINT: 'https://pve.example.com', ...token };
const lab: ClusterSpec = { name: 'lab-1' };
const one = (env: Record<string, string>, cluster = lab) => accessTo([cluster], env)[0]!;
const faults = (env: Record<string, string>, ...clusters: ClusterSpec[]) => {
  try {
    accessTo(clusters.length === 0 ? [lab] : clusters, env);
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was wrong');
};

test.each(['https://pve.example.com', 'https://pve.example.com:8006/,', 'https://PVE.example.com/api2/json'])(
  'the endpoint %s',
  endpoint =>
    expect(one({ ...plain, PVE_ENDPOINT: endpoint }).pve.endpoints).toEqual(['https://pve.example.com:8006']),
);

test('token, or user and password', () => {
  expect(one(plain).pve.credentials).toEqual({ kind: 'token', id: 'root@pam!t1', secret: 's3cret' });
  const login = { PVE_USERNAME: 'root@pam', PVE_PASSWORD: 'p', PVE_TOTP_SECRET: 'ABCD' };
  expect(one({ PVE_ENDPOINT: 'https://h', ...login }).pve.credentials).toEqual({
    kind: 'password',
    username: 'root@pam',
    password: 'p',
    totpSecret: 'ABCD',
  });
});

test('all faults come at once', () => {
  const said = faults({ PVE_FINGERPRINT: '12', PVE_INSECURE_SKIP_VERIFY: 'maybe', PVE_TASK_TIMEOUT: 'soon' });
  expect(said).toContain('endpoint is required');
  expect(said).toContain('neither credentials given');
  expect(said).toContain('PVE_FINGERPRINT: invalid fingerprint');
  expect(said).toContain('PVE_INSECURE_SKIP_VERIFY is neither true nor false');
  expect(said).toContain('PVE_TASK_TIMEOUT: invalid duration');
});

test.each(['http://pve.example.com', 'pve.example.com', 'https://pve/other', 'https://me:pw@pve'])(
  'the endpoint %s is invalid',
  endpoint => {
    const said = faults({ ...plain, PVE_ENDPOINT: endpoint });
    expect(said).toContain('invalid endpoint URL');
    expect(said).not.toContain('me:pw');
  },
);

describe('one complete set from one prefix', () => {
  const own = {
    PVE_LAB_1_ENDPOINT: 'https://own',
    PVE_LAB_1_TOKEN_ID: 'o@pve!t1',
    PVE_LAB_1_TOKEN_SECRET: 'own',
  };
  test('its own comes before the plain one', () => {
    expect(one({ ...plain, ...own }).pve).toMatchObject({
      endpoints: ['https://own:8006'],
      credentials: { id: 'o@pve!t1', secret: 'own' },
    });
  });
  test('sets are never mixed', () => {
    const said = faults({ ...plain, PVE_LAB_1_ENDPOINT: 'https://own' });
    expect(said).toContain('neither credentials given: set PVE_LAB_1_TOKEN_ID');
  });
  test('with two clusters the plain one is not read', () => {
    const said = faults({ ...plain, ...own }, lab, { name: 'other' });
    expect(said).toContain('other: endpoint is required: set PVE_OTHER_ENDPOINT');
    expect(said).not.toContain('lab-1:');
  });
  test('a prefix that the cluster names', () => {
    const env = { PVE_X_ENDPOINT: 'https://x', PVE_X_TOKEN_ID: 'x@pve!t1', PVE_X_TOKEN_SECRET: 'x' };
    const { pve } = one({ ...plain, ...env }, { name: 'lab-1', credentials: { prefix: 'PVE_X_' } });
    expect(pve.credentials).toMatchObject({ secret: 'x' });
  });
  test('names that collide are refused', () => {
    expect(faults(plain, { name: 'a-b' }, { name: 'A-B' })).toContain('both read PVE_A_B_');
  });
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config '));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('each variable may name one; its last line end does not count', () => {
    const { PVE_TOKEN_SECRET: _, ...rest } = plain;
    const { pve } = one({ ...rest, PVE_TOKEN_SECRET_FILE: file('secret', 'from-file\n') });
    expect(pve.credentials).toMatchObject({ secret: 'from-file' });
  });
  test('a variable and its file are too much', () => {
    expect(faults({ ...plain, PVE_TOKEN_SECRET_FILE: file('two', 'x') })).toContain('both set');
  });
  test('one in another encoding is named, and nothing of it is said', () => {
    const { PVE_TOKEN_SECRET: _, ...rest } = plain;
    const latin = join(folder, 'latin');
    writeFileSync(latin, Buffer.from('pässword', 'latin1'));
    const told = faults({ ...rest, PVE_TOKEN_SECRET_FILE: latin });
    expect(told).toBe(
      `InputError: PVE_TOKEN_SECRET_FILE: the file ${latin} is no text in UTF-8. Save it as UTF-8.`,
    );
  });
  test('one that cannot be read is named', () => {
    expect(faults({ ...plain, PVE_CA_BUNDLE: '/usr/no-such' })).toContain('the file /usr/no-such cannot');
  });
  test.each([
    { names: ['TOKEN_SECRET'] },
    { names: ['TOKEN_ID', 'TOKEN_SECRET'] },
    { names: ['ENDPOINT'] },
    { names: ['CLIENT_KEY'] },
    { names: ['CLIENT_CERT'] },
    { names: ['CLIENT_CERT', 'CLIENT_KEY'] },
  ])('of $names nothing is said but that their files cannot be read', ({ names }) => {
    const { cert, key } = newIdentity([]);
    const all = { ...plain, PVE_CLIENT_CERT: cert, PVE_CLIENT_KEY: key };
    const without = Object.fromEntries(
      Object.entries(all).filter(([name]) => !names.includes(name.slice('PVE_'.length))),
    );
    const unreadable = Object.fromEntries(names.map(name => [`PVE_${name}_FILE`, '/usr/no-such']));
    expect(
      faults({ ...without, ...unreadable })
        .split('\n')
        .sort(),
    ).toEqual(
      names.map(name => expect.stringContaining(`PVE_${name}_FILE: the file /usr/no-such cannot be read`)),
    );
  });
  test('an authority as PEM or as a path', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
    expect(one({ ...plain, PVE_CA_BUNDLE: pem }).pve.tls.ca).toBe(pem);
    expect(one({ ...plain, PVE_CA_BUNDLE: file('ca', pem) }).pve.tls.ca).toBe(pem);
    const other = file('no-ca', 'text');
    expect(faults({ ...plain, PVE_CA_BUNDLE: other })).toContain(
      `PVE_CA_BUNDLE: the file ${other} holds no PEM text`,
    );
    expect(faults({ ...plain, PVE_CA_BUNDLE_FILE: other })).toContain('PVE_CA_BUNDLE_FILE holds no PEM text');
    expect(faults({ ...plain, PVE_CA_BUNDLE: 'my-ca.pem' })).toContain('the file my-ca.pem cannot be read');
    expect(faults({ ...plain, PVE_CLIENT_CERT: pem })).toContain('set PVE_CLIENT_KEY');
  });
});

test('the id of a token is judged by its form, and by Proxmox', () => {
  const short = one({ ...plain, PVE_TOKEN_ID: 'root@pam!t' });
  expect(short.pve.credentials).toMatchObject({ id: 'root@pam!t' });
  expect(faults({ ...plain, PVE_TOKEN_ID: 'root@pam' })).toContain('such as ops@pve!daemon');
});

test('a secret in the wrong variable is pointed at and not shown', () => {
  const said = faults({ ...plain, PVE_TOKEN_ID: 'root@pam!t1=abc-123' });
  expect(said).toContain('belongs into PVE_TOKEN_SECRET');
  expect(said).not.toContain('abc-123');
});

test('what the spec says comes before the environment', () => {
  const cluster: ClusterSpec = { name: 'lab-1', endpoint: 'https://spec:8006', pollCeiling: '1s' };
  const access = one({ ...plain, PVE_TASK_POLL_INTERVAL: '9s', PVE_TASK_TIMEOUT: '90' }, cluster);
  expect(access.pve).toMatchObject({
    endpoints: ['https://spec:8006'],
    poll: { floorMs: 50, ceilingMs: 1000 },
  });
  expect(access.cluster.taskTimeout).toBe('90s');
});

test('an interval below the shortest wait is the shortest wait', () => {
  const { pve } = one({ ...plain, PVE_TASK_POLL_INTERVAL: '5ms' });
  expect(pve.poll).toEqual({ floorMs: 5, ceilingMs: 5 });
});

test.each(['USERNAME', 'PASSWORD', 'TOTP_SECRET'])(
  'a token beside PVE_%s is refused: one of them would do nothing',
  name => {
    expect(faults({ ...plain, [`PVE_${name}`]: 'ABCD' })).toContain(
      `a token and PVE_${name} are both set: keep the token, or user and password, and unset the others.`,
    );
  },
);

describe('a variable that nobody reads', () => {
  test.each([
    ['PVE_NODE_SELECTER', 'PVE_NODE_SELECTOR'],
    ['PVE_FINGERPINT', 'PVE_FINGERPRINT'],
    ['PVE_INSECURE_SKIP_TLS_VERIFY', 'PVE_INSECURE_SKIP_VERIFY'],
    ['PVE_REQEST_TIMEOUT_FILE', 'PVE_REQUEST_TIMEOUT_FILE'],
    ['PVE_LAB_1_TASK_TIMEOUT', 'PVE_TASK_TIMEOUT'],
  ])('%s is refused where it is nearly one that is missing', (name, meant) => {
    expect(faults({ ...plain, [name]: '5s' })).toContain(`${name} is not read: did you mean ${meant}?`);
  });
  test('is refused under the prefix of a cluster too', () => {
    const own = {
      PVE_LAB_1_ENDPOINT: 'https://own',
      PVE_LAB_1_TOKENID: 'x@pve!t',
      PVE_LAB_1_TOKEN_SECRET: 'x',
    };
    expect(faults(own)).toContain('PVE_LAB_1_TOKENID is not read: did you mean PVE_LAB_1_TOKEN_ID?');
  });
  test.each(['PVE_OTHER_ENDPOINT', 'PVE_HOST', 'PVE_USER', 'PVE_ENDPOINTS', 'PVE_TEST_NODE', 'PVE_VERSION'])(
    '%s is left alone: it is of another cluster or program, or what was meant is there',
    name => expect(one({ ...plain, [name]: 'x' }).pve.endpoints).toHaveLength(1),
  );
});

test('nodes to prefer, and a warning where no certificate is checked', () => {
  const access = one({ ...plain, PVE_NODE_SELECTOR: 'pve2, pve3', PVE_INSECURE_SKIP_VERIFY: '1' });
  expect(access.preferredNodes).toEqual(['pve2', 'pve3']);
  expect(access.warnings.join()).toContain('WARNING');
});

test.each([`'https://pve'`, `"https://pve:8006"`, `'https://pve`])('quotes are the fault of %s', endpoint => {
  const said = faults({ ...plain, PVE_ENDPOINT: endpoint });
  expect(said).toContain('invalid endpoint URL');
  expect(said).toContain('Remove the quotes around it');
});

test('a folder in the place of a file is called one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'));
  expect(faults({ ...plain, PVE_CA_BUNDLE: folder })).toContain(
    `PVE_CA_BUNDLE: ${folder} is a folder. Name a file in it.`,
  );
});

describe('what says whom to trust, where no certificate is shown', () => {
  const own = { ...plain, PVE_ENDPOINT: 'http://127.0.0.1:8001,http://[::1]:8001' };
  const mixed = { ...plain, PVE_ENDPOINT: 'http://127.0.0.1:8001,https://pve' };
  const pin = 'ab'.repeat(32);
  const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
  test.each([
    ['FINGERPRINT', pin, 'the pin'],
    ['CA_BUNDLE', pem, 'the authority'],
    ['CLIENT_CERT', pem, 'the client certificate'],
    ['CLIENT_KEY', 'x', "the client certificate's key"],
    ['INSECURE_SKIP_VERIFY', 'true', 'the switch'],
  ])('PVE_%s is refused by its name', (name, value, gives) =>
    expect(faults({ ...own, [`PVE_${name}`]: value })).toContain(
      `${gives} does nothing over http: begin PVE_ENDPOINT with https://, or remove PVE_${name}.`,
    ),
  );
  test('one that names a file is told by that name', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pin-')), 'pin');
    writeFileSync(file, pin);
    expect(faults({ ...own, PVE_FINGERPRINT_FILE: file })).toContain('remove PVE_FINGERPRINT_FILE.');
  });
  test.each<[Partial<ClusterSpec>, string]>([
    [{ fingerprint: pin }, 'fingerprint'],
    [{ caCertificate: pem }, 'caCertificate'],
    [{ clientCertificate: pem }, 'clientCertificate'],
    [{ insecureSkipTlsVerify: true }, 'insecureSkipTlsVerify'],
  ])('so is a field of the cluster: %j', (fields, name) =>
    expect(faults(own, { ...lab, ...fields })).toContain(`or remove cluster.${name}.`),
  );
  test('a pin is refused where only one address is plain: it holds for each', () => {
    expect(faults({ ...mixed, PVE_FINGERPRINT: pin })).toContain(
      'begin the address http://127.0.0.1:8001 with https://, or remove PVE_FINGERPRINT.',
    );
  });
  test('the others are for the address that shows a certificate, and a switch that is off says nothing', () => {
    expect(one({ ...mixed, PVE_CA_BUNDLE: pem }).pve.tls.ca).toBe(pem);
    const off = { ...lab, insecureSkipTlsVerify: false };
    expect(one({ ...own, PVE_INSECURE_SKIP_VERIFY: 'no' }, off).pve.tls).toEqual({ insecure: false });
  });
});
