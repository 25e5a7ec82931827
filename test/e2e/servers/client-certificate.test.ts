import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { newIdentity } from '../../../simulator/wire/certificate';
import type { CliLab } from '../../support/processes/cli';
import { cliLab, desiredText, run } from '../../support/processes/cli';

const shown = newIdentity(['client']);
const other = newIdentity(['another client']);
const folder = mkdtempSync(join(tmpdir(), 'client-key-'));
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, shown.key, { mode: 0o600 });

/** A server that hangs up on whoever does not show the one certificate, and hands on what the others ask. */
async function doorBefore({ url, ca }: { url: string; ca: string }) {
  const identity = newIdentity(['door']);
  const { fingerprint256 } = new X509Certificate(shown.cert);
  const options = { key: identity.key, cert: identity.cert, requestCert: true, rejectUnauthorized: false };
  const door = createServer(options, (asked, answer) => {
    const socket = asked.socket as TLSSocket;
    if (socket.getPeerCertificate().fingerprint256 !== fingerprint256) return void socket.destroy();
    const { method = 'GET', url: path, headers } = asked;
    const inner = request(new URL(path ?? '', url), { method, headers, ca }, told => {
      answer.writeHead(told.statusCode ?? 500, told.statusMessage, told.headers);
      told.pipe(answer);
    });
    asked.pipe(inner);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return { door, ca: identity.ca, url: `https://127.0.0.1:${(door.address() as AddressInfo).port}` };
}

let lab: CliLab;
let front: Awaited<ReturnType<typeof doorBefore>>;
beforeAll(async () => {
  lab = await cliLab();
  front = await doorBefore(lab.simulator);
});
afterAll(async () => {
  front.door.closeAllConnections();
  front.door.close();
  await lab.close();
  rmSync(folder, { recursive: true });
});

/** PEM text whose middle is gone. */
const broken = (pem: string): string => pem.replace(/\n[^-]+\n/, '\nAAAA\n');

const plan = (env: Record<string, string>) =>
  run(
    ['plan', '--spec', '-'],
    { ...lab.access, PVE_ENDPOINT: front.url, PVE_CA_BUNDLE: front.ca, ...env },
    desiredText([{ id: 'db', image: { blank: true }, power: 'stopped' }]),
  );

test('a server that asks for a client certificate is shown it, with its key from a file or the environment', async () => {
  expect(await plan({ PVE_CLIENT_CERT: shown.cert, PVE_CLIENT_KEY_FILE: keyFile })).toMatchObject({
    code: 0,
  });
  expect(await plan({ PVE_CLIENT_CERT: shown.cert, PVE_CLIENT_KEY: shown.key })).toMatchObject({ code: 0 });
});

test.each([
  ['none', {}],
  ['another one', { PVE_CLIENT_CERT: other.cert, PVE_CLIENT_KEY: other.key }],
])('%s is not let in', async (_, env) => {
  lab.simulator.ledger.reset();
  const { code, stderr } = await plan(env);
  expect(code).toBe(1);
  expect(stderr).toContain(front.url);
  expect(lab.simulator.ledger.entries()).toEqual([]);
});

test.each([
  [
    "a key that is not the certificate's",
    shown.cert,
    other.key,
    /key does not belong to the client certificate/,
  ],
  ['a key that is none', shown.cert, broken(shown.key), /client key is damaged/],
  ['a certificate that is none', broken(shown.cert), shown.key, /client certificate is damaged/],
])('%s is told before anything is sent, and is in no message', async (_, cert, key, says) => {
  const { code, stderr } = await plan({ PVE_CLIENT_CERT: cert, PVE_CLIENT_KEY: key });
  expect(code).toBe(2);
  expect(stderr).toMatch(says);
  expect(stderr).toContain('PVE_CLIENT_KEY');
  expect(stderr).not.toContain('PRIVATE KEY');
});
