import { CLUSTER, manifest, saidIn, secret } from '../../support/manifests/said';

/** What the manifests say in place of the variables of the cluster `lab`. */
async function variablesIn(text: string, given = {}): Promise<Record<string, string>> {
  const { problems, variables } = await saidIn(text, given);
  expect(problems).toEqual([]);
  return Object.fromEntries([...(variables.get('lab') ?? [])].map(([name, { value }]) => [name, value]));
}
const ref = (key: string) => ({ secretRef: { name: 's', key } });
const cluster = (credentials: object, more: object = {}): string =>
  manifest('ProxmoxCluster', 'lab', { credentials, ...more });
const provider = (spec: object): string => manifest('Provider', 'lab', { type: 'proxmox', ...spec });
const whole = (keys: object, more: object = {}): string =>
  provider({ credentialSecretRef: { name: 's' } }) + secret('s', keys, more);

describe('where the credentials of a cluster come from', () => {
  test.each<[reason: string, text: string, want: Record<string, string>]>([
    [
      'a user and the password of a Secret',
      cluster({ username: 'ops@pve', password: ref('p') }) + secret('s', { p: 'x' }),
      { USERNAME: 'ops@pve', PASSWORD: 'x' },
    ],
    [
      'a bare token id, which belongs to the user',
      cluster({ username: 'ops@pve', tokenID: 'tf', tokenSecret: ref('t') }) + secret('s', { t: 'x' }),
      { TOKEN_ID: 'ops@pve!tf', TOKEN_SECRET: 'x' },
    ],
    [
      'a whole token id, which is taken as it is',
      cluster({ username: 'ops@pve', tokenID: 'ops@pve!tf', tokenSecret: ref('t') }) +
        secret('s', { t: 'x' }),
      { TOKEN_ID: 'ops@pve!tf', TOKEN_SECRET: 'x' },
    ],
    [
      'fields that end with SecretRef',
      cluster({ tokenIDSecretRef: { name: 's', key: 'i' }, tokenSecretSecretRef: { name: 's', key: 't' } }) +
        secret('s', { i: 'a@pve!b', t: 'x' }),
      { TOKEN_ID: 'a@pve!b', TOKEN_SECRET: 'x' },
    ],
    [
      'only the keys that are named',
      cluster({ username: 'ops@pve', password: ref('password') }) +
        secret('s', { password: 'x', 'token-id': 'y' }),
      { USERNAME: 'ops@pve', PASSWORD: 'x' },
    ],
    [
      'a Secret of another namespace',
      cluster({ tokenID: 'a@pve!b', tokenSecret: { secretRef: { name: 's', key: 't', namespace: 'ops' } } }) +
        secret('s', { t: 'x' }, { metadata: { name: 's', namespace: 'ops' } }),
      { TOKEN_ID: 'a@pve!b', TOKEN_SECRET: 'x' },
    ],
    [
      'a whole Secret, with underscores',
      whole({ token_id: 'a@pve!b', token_secret: 'x' }),
      { TOKEN_ID: 'a@pve!b', TOKEN_SECRET: 'x' },
    ],
    [
      'a whole Secret, with dashes',
      whole({ username: 'a@pve', 'token-id': 'b', 'token-secret': 'x' }),
      { TOKEN_ID: 'a@pve!b', TOKEN_SECRET: 'x' },
    ],
    [
      'a whole Secret, with a password',
      whole({ username: 'a@pve', password: 'x' }),
      { USERNAME: 'a@pve', PASSWORD: 'x' },
    ],
    [
      'a whole Secret, with the names of variables',
      whole({ PVE_ENDPOINT: 'https://pve:8006/api2', PVE_TOKEN_ID: 'a@pve!b', PVE_TOKEN_SECRET: 'x' }),
      { ENDPOINT: 'https://pve:8006/api2', TOKEN_ID: 'a@pve!b', TOKEN_SECRET: 'x' },
    ],
    [
      'the same address in a field and in a Secret',
      provider({ endpoint: 'https://pve.example.com', credentialSecretRef: { name: 's' } }) +
        secret('s', { PVE_ENDPOINT: 'https://pve.example.com:8006/api2' }),
      { ENDPOINT: 'https://pve.example.com:8006/api2' },
    ],
    [
      'the same address over plain http',
      provider({ endpoint: 'http://127.0.0.1:8001', credentialSecretRef: { name: 's' } }) +
        secret('s', { PVE_ENDPOINT: 'http://127.0.0.1:8001/' }),
      { ENDPOINT: 'http://127.0.0.1:8001/' },
    ],
    [
      'the same plain address without its port',
      provider({ endpoint: 'http://localhost:8006', credentialSecretRef: { name: 's' } }) +
        secret('s', { PVE_ENDPOINT: 'http://LOCALHOST/api2/json' }),
      { ENDPOINT: 'http://LOCALHOST/api2/json' },
    ],
    ['a certificate', whole({ 'ca.crt': 'PEM' }), { CA_BUNDLE: 'PEM' }],
    [
      'data in base64',
      whole({}, { data: { 'ca.crt': 'UEVN', username: 'YUBwdmU=' } }),
      { CA_BUNDLE: 'PEM', USERNAME: 'a@pve' },
    ],
    [
      'stringData before data',
      whole({ username: 'b@pve' }, { data: { username: 'YUBwdmU=' } }),
      { USERNAME: 'b@pve' },
    ],
    [
      'a client certificate',
      whole({ 'tls.crt': 'C', 'tls.key': 'K' }),
      { CLIENT_CERT: 'C', CLIENT_KEY: 'K' },
    ],
    [
      'certificates by their keys',
      cluster({}, { caCertificateSecretRef: { name: 's', key: 'ca' }, clientKey: ref('k') }) +
        secret('s', { ca: 'CA', k: 'K' }),
      { CA_BUNDLE: 'CA', CLIENT_KEY: 'K' },
    ],
    [
      'settings of a provider',
      provider({
        runtime: {
          env: [
            { name: 'PVE_NODE_SELECTOR', value: 'pve1,pve2' },
            { name: 'PVE_INSECURE_SKIP_VERIFY', value: 'true' },
            { name: 'PVE_TOKEN_SECRET', valueFrom: { secretKeyRef: { name: 's', key: 't' } } },
          ],
        },
      }) + secret('s', { t: 'x' }),
      { NODE_SELECTOR: 'pve1,pve2', INSECURE_SKIP_VERIFY: 'true', TOKEN_SECRET: 'x' },
    ],
  ])('%s', async (_, text, want) => {
    expect(await variablesIn(text)).toEqual(want);
  });

  const unknown = cluster(
    { username: 'ops@pve', tokenID: 'tf', tokenSecret: ref('t') },
    { insecureSkipTLSVerify: true },
  );

  test('a mounted Secret, where the manifests have none', async () => {
    const asked: string[] = [];
    const mounted = (namespace: string, name: string) => {
      asked.push(`${namespace}/${name}`);
      return new Map([['t', 'x']]);
    };
    expect(await variablesIn(unknown, { mounted })).toEqual({ TOKEN_ID: 'ops@pve!tf', TOKEN_SECRET: 'x' });
    expect(await variablesIn(unknown + secret('s', { t: 'y' }), { mounted })).toMatchObject({
      TOKEN_SECRET: 'y',
    });
    expect(asked).toEqual(['default/s']);
  });

  test('the environment, where the Secret is nowhere: then all of them come from there', async () => {
    expect(await variablesIn(unknown, { hasCredentials: () => true })).toEqual({});
  });
});

describe('the Secrets of machines', () => {
  const secrets = secret('s', { pw: 'hunter2', data: '#cloud-config' });
  test('a spec names a variable, and the value is beside it', async () => {
    const { problems, wanted, machineVariables } = await saidIn(
      CLUSTER + secrets + manifest('Machine', 'web', { cloudInit: { user: 'ops', passwordFrom: ref('pw') } }),
    );
    expect(problems).toEqual([]);
    expect(wanted[0]?.state.machines[0]?.cloudInit).toEqual({
      user: 'ops',
      passwordFrom: { environment: 'SECRET_DEFAULT_S_PW' },
    });
    expect(Object.fromEntries(machineVariables)).toEqual({ SECRET_DEFAULT_S_PW: 'hunter2' });
  });

  test('user data of a Secret', async () => {
    const { wanted, machineVariables } = await saidIn(
      CLUSTER + secrets + manifest('VirtualMachine', 'web', { userData: { cloudInit: ref('data') } }),
    );
    expect(wanted[0]?.state.machines[0]?.cloudInit).toEqual({
      userDataFrom: { environment: 'SECRET_DEFAULT_S_DATA' },
    });
    expect(machineVariables.get('SECRET_DEFAULT_S_DATA')).toBe('#cloud-config');
  });

  test('two keys whose names are alike have a variable each', async () => {
    const one = { cloudInit: { passwordFrom: ref('a-b') } };
    const other = { cloudInit: { passwordFrom: ref('a.b') } };
    const { machineVariables } = await saidIn(
      CLUSTER +
        secret('s', { 'a-b': '1', 'a.b': '2' }) +
        manifest('Machine', 'x', one) +
        manifest('Machine', 'y', other),
    );
    expect([...machineVariables.values()].sort()).toEqual(['1', '2']);
  });

  test('one that is nowhere is told', async () => {
    const { problems } = await saidIn(
      CLUSTER + manifest('Machine', 'web', { cloudInit: { passwordFrom: ref('pw') } }),
      { hasCredentials: () => true },
    );
    expect(problems.join()).toMatch(/cloudInit\.passwordFrom\.secretRef\.name: "s" names no secret/);
  });
});
