import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesAccess } from '../../../reconciler/kubernetes/api/access';

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

const accessOf = (cluster: object, user: object, more: object = {}) => {
  const file = join(folder, 'config');
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'now' },
    contexts: [{ name: 'now', context: { cluster: 'lab', user: 'daemon' } }],
    clusters: [{ name: 'lab', cluster: { server: 'https://k8s.example.com:6443', ...cluster } }],
    users: [{ name: 'daemon', user }],
    ...more,
  };
  writeFileSync(file, JSON.stringify(config));
  return kubernetesAccess({ KUBECONFIG: file });
};

test('a token, a file with one, which is read anew, and a certificate', async () => {
  const plain = await accessOf({}, { token: 'secret' });
  expect([plain.server, plain.token()]).toEqual(['https://k8s.example.com:6443', 'secret']);

  writeFileSync(join(folder, 'token'), 'first\n');
  const { token } = await accessOf({}, { tokenFile: 'token' });
  expect(token()).toBe('first');
  writeFileSync(join(folder, 'token'), 'second\n');
  expect(token()).toBe('second');

  const data = (text: string): string => Buffer.from(text).toString('base64');
  const user = { 'client-certificate-data': data('cert'), 'client-key-data': data('key') };
  expect(await accessOf({ 'certificate-authority-data': data('ca') }, user)).toMatchObject({
    ...{ ca: 'ca', cert: 'cert', key: 'key' },
  });
});

test.each<[what: string, cluster: object, user: object, more: object, says: string]>([
  ['a program that logs in', {}, { exec: { command: 'aws' } }, {}, 'user daemon: exec is not read here'],
  ['a password', {}, { username: 'a', password: 'secret' }, {}, 'username, password is not read here'],
  ['somebody else', {}, { token: 'secret', as: 'admin' }, {}, 'as is not read here'],
  [
    'no check of the certificate',
    { 'insecure-skip-tls-verify': true },
    { token: 't' },
    {},
    'insecure-skip-tls-verify',
  ],
  ['a proxy', { 'proxy-url': 'http://p' }, { token: 't' }, {}, 'proxy-url'],
  ['no login', {}, {}, {}, 'has neither token nor client-certificate'],
  ['no TLS', { server: 'http://k8s.example.com' }, { token: 't' }, {}, 'allowed: https://host:port'],
  [
    'no context',
    {},
    { token: 't' },
    { 'current-context': 'other' },
    'contexts has no "other"; there are: now',
  ],
])('%s is refused by name', async (_, cluster, user, more, says) => {
  const refused = accessOf(cluster, user, more);
  await expect(refused).rejects.toThrow(says);
  await expect(refused).rejects.not.toThrow('secret');
});

test('in a pod the service account is used, and its files must be there', async () => {
  const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  await expect(kubernetesAccess(pod)).rejects.toThrow(
    '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt cannot be read',
  );
});
