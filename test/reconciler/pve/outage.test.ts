import { createServer, type AddressInfo, type Socket } from 'node:net';
import * as z from 'zod';
import { PveError, connect } from '../../../reconciler/pve';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { openGate } from '../../support/api/gate';
import { pveConfig } from '../../support/reconciler/pve-config';
import { runLine } from '../walk/live';

const read = { method: 'GET', path: '/version', answer: z.null() } as const;
const write = {
  method: 'PUT',
  path: '/nodes/a/qemu/1/config',
  params: { cores: 2, digest: 'abc' },
  answer: z.null(),
} as const;
const uncompared = { method: 'DELETE', path: '/nodes/a/qemu/1', answer: z.null() } as const;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function behindGate() {
  const server = await answeringServer((_, response) => answerData(response, null));
  const gate = await openGate(server.url);
  const pve = connect(pveConfig(gate.url));
  const interrupt = new AbortController();
  const lines: string[] = [];
  let heard: () => void = () => undefined;
  const told = new Promise<void>(resolve => (heard = resolve));
  pve.tellWaits(text => {
    lines.push(text);
    heard();
  }, interrupt.signal);
  ends.push(server.close, gate.close, () => pve.close());
  return { gate, pve, server, lines, told, interrupt };
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test('a server that is started anew is waited for, by reads and by writes with a digest, with one line', async () => {
  const { gate, pve, server, lines, told } = await behindGate();
  await pve.call(read);
  await gate.close();
  const work = Promise.all([pve.call(read), pve.call(write), pve.call(write)]);
  await told;
  await gate.open();
  expect(await work).toEqual([null, null, null]);
  expect(server.received.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  expect(lines).toEqual([
    expect.stringMatching(
      /^waits for Proxmox since 2\S+Z, at most 30s: http:\S+: the connection was refused, .*\. Nothing was sent\.$/,
    ),
  ]);
});

test('before anything has answered, the address may be wrong: that is told soon', async () => {
  const { gate, pve, lines } = await behindGate();
  await gate.close();
  expect(await outcome(pve.call(write))).toBeInstanceOf(PveError);
  expect(await outcome(pve.call(read))).toBeInstanceOf(PveError);
  expect(lines).toEqual([]);
});

test('a write that Proxmox compares with no reading is not waited for: what led to it may not be true any more', async () => {
  const { gate, pve, server } = await behindGate();
  await pve.call(read);
  await gate.close();
  expect(await outcome(pve.call(uncompared))).toMatchObject({ kind: 'unreachable' });
  await gate.open();
  expect(await pve.call(read)).toBeNull();
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

test('an address that is known to be right is waited for from the first request on', async () => {
  const { gate, pve, told } = await behindGate();
  await gate.close();
  pve.trust();
  const work = pve.call(write);
  await told;
  await gate.open();
  expect(await work).toBeNull();
});

test('an interrupt ends the wait, also that of a request which nobody else ends', async () => {
  const { gate, pve, told, interrupt } = await behindGate();
  await pve.call(read);
  await gate.close();
  const work = [outcome(pve.call(write)), outcome(pve.until(interrupt.signal).call(write))];
  await told;
  const reason = new Error('interrupted');
  interrupt.abort(reason);
  expect(await Promise.all(work)).toEqual([expect.any(PveError), reason]);
});

describe('a host that takes connections and says nothing', () => {
  const silentHost = async (): Promise<string> => {
    const server = createServer();
    const sockets = new Set<Socket>();
    server.on('connection', socket => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      sockets.forEach(socket => socket.destroy());
      await new Promise(resolve => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test('one line says for whom several requests wait, and for how long at most', async () => {
    const url = await silentHost();
    const pve = connect({ ...pveConfig(url), requestTimeoutMs: 6_000 });
    ends.push(() => pve.close());
    const lines: string[] = [];
    pve.tellWaits(text => lines.push(text), new AbortController().signal);
    await Promise.all([outcome(pve.call(read)), outcome(pve.call(read))]);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^waits for Proxmox since 2\\S+Z, at most 6s: ${url} has not answered yet\\.$`),
      ),
    ]);
  });

  test.each(['status', 'doctor'])('%s says so on stderr, and what it prints is JSON alone', async verb => {
    const url = await silentHost();
    const env = {
      ...{ PVE_ENDPOINT: url, PVE_TOKEN_ID: 'a@pve!b', PVE_TOKEN_SECRET: 'secret-of-it' },
      PVE_REQUEST_TIMEOUT: '6s',
    };
    const { out, said } = await runLine(
      [verb, '--spec', '-', '--json'],
      env,
      '{"version":1,"owner":"o","cluster":{"name":"lab"},"machines":[]}',
    );
    expect(said.match(/waits for Proxmox since .*has not answered yet/g)).toHaveLength(1);
    expect(out).not.toContain('has not answered yet');
  });
});
