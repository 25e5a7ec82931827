import { accessTo } from '../../reconciler/config/cluster-access';
import { formatProblems, parseCluster } from '../../spec';
import { durationIn } from '../../reconciler/config/cluster-settings';

const SECRET = 's3cret/pl4nted+text';
const plain = {
  ...{ PVE_ENDPOINT: 'https://pve', PVE_TOKEN_ID: 'root@pam!t1', PVE_TOKEN_SECRET: 'x' },
};
const faults = (env: Record<string, string>): string => {
  try {
    accessTo([{ name: 'lab' }], { ...plain, ...env });
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was wrong');
};

/** The body of a key, as it stands between its first and its last line: text that begins as a path does. */
const BODY = `/9j${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(20)}`;

test.each<[variable: string, value: string, says: string]>([
  ['PVE_ENDPOINT', `https://pve/?token=${SECRET}`, 'invalid endpoint URL "https://pve…"'],
  ['PVE_ENDPOINT', `https://pve/${SECRET}`, 'invalid endpoint URL "https://pve…"'],
  ['PVE_ENDPOINT', `https://pve:8006#${SECRET}`, 'invalid endpoint URL "https://pve:8006…"'],
  ['PVE_ENDPOINT', `https://me:${SECRET}@pve`, 'Credentials never stand in an address'],
  ['PVE_ENDPOINT', `me:${SECRET}@pve`, 'invalid endpoint URL;'],
  ['PVE_ENDPOINT', `https://ok,https://me:${SECRET}@pve`, 'Credentials never stand in an address'],
  ['PVE_FINGERPRINT', SECRET, 'invalid fingerprint;'],
  ['PVE_TASK_TIMEOUT', SECRET, 'invalid duration;'],
  ['PVE_TASK_POLL_INTERVAL', SECRET, 'invalid duration;'],
  ['PVE_INSECURE_SKIP_VERIFY', SECRET, 'is neither true nor false'],
  ['PVE_CA_BUNDLE', BODY, 'the file that it names cannot be read'],
  ['PVE_CLIENT_KEY', BODY, 'the file that it names cannot be read'],
  ['PVE_CLIENT_KEY', SECRET, 'the file that it names cannot be read'],
  ['PVE_CLIENT_CERT', `one line\n${SECRET}`, 'the file that it names cannot be read'],
  ['PVE_CA_BUNDLE_FILE', SECRET, 'the file that it names cannot be read'],
  ['PVE_FINGERPRINT_FILE', `/${SECRET}`, 'the file that it names cannot be read'],
])('%s=%j is told without what may be a secret', (variable, value, says) => {
  const said = faults({ [variable]: value });
  expect(said).toContain(`${variable.replace(/_FILE$/, '')}`);
  expect(said).toContain(says);
  expect(said).not.toMatch(/s3cret|pl4nted|MIIEvQ/);
});

test.each([
  { endpoint: `https://pve/?token=${SECRET}` },
  { endpoint: `https://pve/${SECRET}` },
  { endpoint: `https://me:${SECRET}@pve` },
  { endpoints: [`http://pve/?${SECRET}`] },
  { clientCertificate: `-----BEGIN PRIVATE KEY-----\n${SECRET}` },
])('%j in a spec is told without it too', said => {
  const parsed = parseCluster({ name: 'lab', ...said });
  const text = parsed.ok ? '' : formatProblems(parsed.problems);
  expect(text).toMatch(/^cluster\./);
  expect(text).not.toMatch(/s3cret|pl4nted/);
});

test('so is that of a duration with bounds, and no long one', () => {
  const saidOf = (value: string): string => {
    const found: string[] = [];
    const bounds = { from: '1s', to: '10m', otherwise: '45s' };
    expect(durationIn('PVE_REQUEST_TIMEOUT', { PVE_REQUEST_TIMEOUT: value }, bounds, found)).toBe(45_000);
    return found.join();
  };
  expect(saidOf('1ms')).toContain('PVE_REQUEST_TIMEOUT: invalid duration "1ms"; allowed: from "1s" to "10m"');
  expect(saidOf(SECRET)).toContain('PVE_REQUEST_TIMEOUT: invalid duration; allowed: from');
});

test('a short wrong value is shown: it helps', () => {
  expect(faults({ PVE_TASK_TIMEOUT: 'soon' })).toContain(
    'PVE_TASK_TIMEOUT: invalid duration "soon"; allowed: ',
  );
  expect(faults({ PVE_ENDPOINT: 'pve:8006' })).toContain(
    'PVE_ENDPOINT: invalid endpoint URL "pve:8006"; allowed: ',
  );
});
