import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Identity } from '../../wire/certificate';
import { fingerprintOf, newIdentity } from '../../wire/certificate';
import { besideText, checkOut, writeOut } from '../file';
import type { RecordOptions } from '../options';
import type { Trust } from '../server/trust';
import { TrustingAgent } from '../server/trust';
import { shown } from '../shown';
import type { Exchange } from './exchange';
import { handOn } from './hand-on';
import { Recording } from './recording';
import { refused } from './refused';
import { scenarioOf } from './scenario';

const CONNECTIONS = 16;

/** Starts the proxy, says how to reach it, and resolves with what ends it and writes the file. */
export async function startProxy(
  options: RecordOptions,
  server: URL,
  trust: Trust,
): Promise<() => Promise<void>> {
  const { out, force, listen } = options;
  checkOut(out, force);
  const warn = (text: string): void => void process.stderr.write(`pve-simulator: ${text}\n`);
  const recording = new Recording(warn);
  const way = {
    server,
    agent: new TrustingAgent(server, trust, CONNECTIONS),
    warn,
    keep: (exchange: Exchange) => recording.add(exchange),
  };
  const identity = newIdentity([]);
  const proxy = createServer(
    { key: identity.key, cert: `${identity.cert}${identity.ca}` },
    (incoming, response) => {
      if (!refused(incoming, response)) handOn(way, incoming, response);
    },
  );
  // consoles are no part of a scenario
  proxy.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 501 consoles are not handed on\r\nconnection: close\r\n\r\n'),
  );
  await new Promise<void>((resolve, reject) =>
    proxy.once('error', reject).listen(listen.port, listen.host, resolve),
  );
  const forget = sayWhere(proxy, identity, options);
  return async () => {
    await new Promise<void>(resolve => {
      proxy.close(() => resolve());
      proxy.closeAllConnections();
    });
    way.agent.destroy();
    forget();
    write(recording, out, force);
  };
}

/** Prints how to reach the proxy, with a file of its authority, and gives what removes that file. */
function sayWhere(proxy: Server, identity: Identity, { listen: { host }, out }: RecordOptions): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pve-simulator-'));
  const caFile = join(folder, 'proxy-ca.pem');
  writeFileSync(caFile, identity.ca);
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${portOf(proxy.address())}`;
  const line = { url, caFile, fingerprint: fingerprintOf(identity), out, pid: process.pid };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return () => rmSync(folder, { recursive: true, force: true });
}

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen on a port');
  return address.port;
}

function write(recording: Recording, out: string, force: boolean): void {
  const scenario = scenarioOf(basename(out).replace(/\.json$/, ''), recording);
  const written = writeOut(out, `${JSON.stringify(scenario.file, null, 1)}\n`, force);
  const { steps, passedOver, leftOut } = scenario;
  const { lost } = recording;
  const lines = [
    `${shown(written)} is written, with ${steps} steps. Secrets are replaced, names and addresses are not: look through it before you hand it on.`,
    ...besideText(out, written).map(shown),
    ...(passedOver > 0 ? [`${passedOver} reads are no steps: they saw a moment, or were repeated.`] : []),
    ...leftOut.slice(0, 20).map(text => `Left out, a scenario has no words for it: ${shown(text)}`),
    ...(lost > 0 ? [`${lost} requests are left out: they came when the recording was full.`] : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
