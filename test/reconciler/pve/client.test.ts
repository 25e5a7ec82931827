import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Pve, PveConfig } from '../../../reconciler/pve';
import {
  PveError,
  canSnapshot,
  connect,
  listBridges,
  listGuests,
  listStorages,
  readConfig,
  readDatacenterOptions,
} from '../../../reconciler/pve';
import type { Received } from '../../support/api/answering-server';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { guest } from '../../support/reconciler/observed';
import { seeGuest } from '../../../reconciler/outputs/read-guest';
import { pveConfig } from '../../support/reconciler/pve-config';
import type { ServerResponse } from 'node:http';

type Answer = (request: Received, response: ServerResponse) => void;

async function against(
  answer: Answer,
  work: (pve: Pve, received: Received[], url: string) => Promise<void>,
  changes: Partial<PveConfig> = {},
) {
  const server = await answeringServer(answer);
  const pve = connect(pveConfig(server.url, changes));
  try {
    await work(pve, server.received, server.url);
  } finally {
    await pve.close();
    await server.close();
  }
}

const version = { method: 'GET', path: '/version', answer: z.object({ release: z.string() }) } as const;
const edit = {
  method: 'PUT',
  path: '/nodes/a/qemu/1/config',
  params: { cores: 2 },
  answer: z.null(),
} as const;

async function failure(work: Promise<unknown>): Promise<PveError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PveError)) throw error;
  return error;
}

describe('one request', () => {
  test('a read carries the token, no body, and its parameters in the query', () =>
    against(
      (_, response) => answerData(response, { release: '9.2', other: 1 }),
      async (pve, received) => {
        expect(await pve.call({ ...version, params: { type: 'vm', full: true, left: undefined } })).toEqual({
          release: '9.2',
        });
        expect(received[0]).toMatchObject({
          method: 'GET',
          url: '/api2/json/version?type=vm&full=1',
          body: '',
        });
        expect(received[0]?.headers.authorization).toBe('PVEAPIToken=tester@pve!t1=secret');
      },
    ));

  test('a write escapes what Proxmox would cut', () =>
    against(
      (_, response) => answerData(response, null),
      async (pve, received) => {
        await pve.call({ ...edit, params: { description: 'a=b;c&d é' } });
        expect(received[0]?.body).toBe('description=a%3Db%3Bc%26d+%C3%A9');
        expect(received[0]?.headers['transfer-encoding']).toBeUndefined();
      },
    ));

  test('an answer of another shape is unreadable and names the place', () =>
    against(
      (_, response) => answerData(response, { release: 9 }),
      async pve => {
        const error = await failure(pve.call(version));
        expect(error.kind).toBe('unreadable');
        expect(error.message).toContain('data.release');
      },
    ));
});

describe('a refusal', () => {
  test.each([
    [
      'a missing guest',
      500,
      "Configuration file 'nodes/a/qemu-server/1.conf' does not exist",
      {},
      'not-found',
    ],
    ['a taken id', 500, "unable to create VM 1 - VM 1 already exists on node 'b'", {}, 'already-exists'],
    ['a stale digest', 500, 'checksum mismatch (file change by other user?)', {}, 'changed'],
    ['a lock', 500, 'VM is locked (clone)', {}, 'locked'],
    ['no quorum', 500, 'cluster not ready - no quorum?', {}, 'no-quorum'],
    ['a privilege', 403, 'Permission check failed (/vms/1, VM.Audit)', {}, 'denied'],
    ['a value', 400, 'Parameter verification failed.', { cores: 'type check' }, 'invalid'],
    ['anything else', 500, 'got no worker upid', {}, 'failed'],
  ])('%s', (_, status, text, errors, kind) =>
    against(
      (_request, response) =>
        response.writeHead(status, text).end(JSON.stringify({ data: null, message: `${text}\n`, errors })),
      async pve => {
        const error = await failure(pve.call(edit));
        expect(error.kind).toBe(kind);
        expect(error.message).toContain(text);
        Object.keys(errors).forEach(parameter => expect(error.message).toContain(`${parameter}: `));
      },
    ),
  );

  test('of an old server is read from the reason phrase', () =>
    against(
      (_, response) => response.writeHead(500, 'VM is locked (backup)').end('{"data":null}'),
      async pve => expect((await failure(pve.call(edit))).kind).toBe('locked'),
    ));
});

describe('a refusal in the words of another server', () => {
  test.each([
    ['plain text', 400, 'Bad Request', 'vmid 100 is taken\n', 'Bad Request: vmid 100 is taken', 'invalid'],
    ['a list', 500, 'Internal Server Error', '{"errors":["no handler"]}', 'Error: no handler', 'failed'],
    ['a detail', 404, 'Not Found', '{"detail":"VM 7 not found"}', 'Not Found: VM 7 not found', 'not-found'],
    ['an error', 409, 'Conflict', '{"error":"VM 7 already exists"}', '7 already exists', 'already-exists'],
    ['the reason again', 500, 'it broke', 'it broke\nat line 3', '500 it broke | at line 3.', 'failed'],
    ['a long trace', 500, 'Error', 'x'.repeat(9_000), `Error: ${'x'.repeat(300)}.`, 'failed'],
    ['no such method', 405, 'Method Not Allowed', '{"data":null}', 'no such request', 'not-implemented'],
  ])('%s', (_, status, reason, body, said, kind) =>
    against(
      (_request, response) => response.writeHead(status, reason).end(body),
      async pve => {
        const error = await failure(pve.call(edit));
        expect([error.kind, error.message]).toEqual([kind, expect.stringContaining(said)]);
      },
    ),
  );
});

describe('a server that is no whole Proxmox', () => {
  const without = (what: string, work: (pve: Pve, received: Received[]) => Promise<void>) =>
    against(({ url }, response) => {
      if (url.includes(what)) return response.writeHead(404, 'Not Found').end('<h1>Not Found</h1>');
      return answerData(response, { digest: 'd', cores: 2, name: 'web' });
    }, work);

  test('is asked for the configuration where it does not tell what waits', () =>
    without('/pending', async (pve, received) => {
      const config = await readConfig(pve, { node: 'a', vmid: 1 });
      expect(config).toEqual({ digest: 'd', current: { cores: '2', name: 'web' }, pending: {} });
      expect(received.at(-1)?.url).toBe('/api2/json/nodes/a/qemu/1/config?current=1');
    }));

  test('is seen without snapshots where it has no list of them', () =>
    against(
      ({ url }, response) =>
        url.includes('/snapshot')
          ? response.writeHead(501, 'Not Implemented').end('{"data":null}')
          : answerData(response, { status: 'stopped' }),
      async pve => {
        const seen = await seeGuest(pve, guest({ cores: '2' }));
        expect(seen).toMatchObject({ powerState: 'stopped', snapshots: [] });
      },
    ));

  test('is not taken to have lost a guest of which it tells neither', () =>
    without('/qemu/', async pve => {
      const error = await failure(readConfig(pve, { node: 'a', vmid: 1 }));
      expect(error.kind).toBe('not-found');
      expect(error.message).toContain('/config');
    }));

  test('is asked for a snapshot where it does not tell whether it can take one', () =>
    without('/feature', async pve => expect(await canSnapshot(pve, { node: 'a', vmid: 1 })).toBe(true)));

  test('has no request, where every cluster has one', () =>
    without('/', async pve => {
      const nodes = [listBridges(pve, 'a'), listStorages(pve, 'a'), listGuests(pve, 'a')];
      for (const reading of [readDatacenterOptions(pve), ...nodes])
        expect((await failure(reading)).kind).toBe('not-implemented');
    }));
});

describe('no answer', () => {
  test('a read is sent again until it is answered', () => {
    let lost = 2;
    return against(
      (request, response) => {
        if (lost-- > 0) request.method === 'GET' && response.destroy();
        else answerData(response, { release: '9.2' });
      },
      async (pve, received) => {
        await pve.call(version);
        expect(received).toHaveLength(3);
      },
    );
  });

  test.each([408, 429, 502, 503, 504, 520, 530])(
    'a read that a proxy in front answers with %i is sent again',
    status => {
      const answers = [status, status, 200];
      return against(
        (_, response) => {
          const next = answers.shift();
          if (next === 200) answerData(response, { release: '9.2' });
          else response.writeHead(status).end('<html>');
        },
        async pve => expect(await pve.call(version)).toEqual({ release: '9.2' }),
      );
    },
  );

  test.each([
    ['the connection breaks', (response: ServerResponse) => response.destroy()],
    [
      'the proxy gives up',
      (response: ServerResponse) => response.writeHead(596, 'Connection timed out').end(),
    ],
    [
      'a proxy in front gives up',
      (response: ServerResponse) => response.writeHead(504, 'Gateway Timeout').end(),
    ],
  ])('a write is never sent again: %s', (_, lose) =>
    against(
      (_request, response) => void lose(response),
      async (pve, received) => {
        expect((await failure(pve.call(edit))).kind).toBe('unknown-outcome');
        expect(received).toHaveLength(1);
      },
    ),
  );

  test('a write that never left goes to the next endpoint', () =>
    against(
      (_, response) => answerData(response, null),
      async (_, received, url) => {
        const pve = connect(pveConfig('http://127.0.0.1:1', { endpoints: ['http://127.0.0.1:1', url] }));
        await pve.call(edit);
        await pve.call(edit);
        await pve.close();
        expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(2);
      },
    ));

  test('nobody listens: unreachable, with the address', async () => {
    const pve = connect(pveConfig('http://127.0.0.1:1'));
    const error = await failure(pve.call(edit));
    await pve.close();
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('127.0.0.1:1');
  });
});

test('a pin where no certificate is shown: nothing is sent, and the connection is closed', async () => {
  let sent = 0;
  const server = createServer(socket => socket.on('data', ({ length }) => (sent += length)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const came = once(server, 'connection') as Promise<[Socket]>;
  const { port } = server.address() as AddressInfo;
  const tls = { insecure: false, fingerprint: 'ab'.repeat(32) };
  const pve = connect(pveConfig(`http://127.0.0.1:${port}`, { tls }));
  expect((await failure(pve.call(edit))).message).toContain('not a TLS connection');
  const [socket] = await came;
  if (!socket.closed) await once(socket, 'close');
  expect(sent).toBe(0);
  await pve.close();
  server.close();
});

describe('an answer has its limits', () => {
  test('in time, the repeats of a read included', () =>
    against(
      (_, response) => response.destroy(),
      async (pve, received) => {
        expect((await failure(pve.call(version))).kind).toBe('unreachable');
        expect(received.length).toBeLessThan(6);
      },
      { requestTimeoutMs: 400 },
    ));

  test('in time: a write that is answered too late has an unknown outcome', () =>
    against(
      (_, response) => void response.writeHead(200).write('{"data":'),
      async pve => {
        const error = await failure(pve.call(edit));
        expect(error.kind).toBe('unknown-outcome');
        expect(error.message).toContain('no whole answer came within 0.3 s');
      },
      { requestTimeoutMs: 300 },
    ));

  const large = { data: { release: 'x'.repeat(2 ** 20) } };
  test('in size, by what is asked for', () =>
    against(
      (_, response) => response.writeHead(200).end(JSON.stringify(large)),
      async pve => {
        const error = await failure(pve.call(version));
        expect(error.kind).toBe('unreadable');
        expect(error.message).toContain('more than 1048576 bytes');
        expect(await pve.call({ ...version, path: '/nodes/a/qemu' })).toEqual(large.data);
      },
    ));
});

describe('an answer that was compressed on the way', () => {
  const coded = (encoding: string, body: Buffer, work: (pve: Pve, received: Received[]) => Promise<void>) =>
    against((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body), work);
  const text = Buffer.from('{"data":{"release":"9.2"}}');

  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
  ])('is read as it was before: %s', (encoding, body) =>
    coded(encoding, body, async (pve, received) => {
      expect(await pve.call(version)).toEqual({ release: '9.2' });
      expect(received[0]?.headers['accept-encoding']).toBe('identity');
    }),
  );

  test.each([
    ['zstd', text],
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, 20)],
  ])('and cannot be read is unreadable: %s', (encoding, body) =>
    coded(encoding, body, async pve => {
      const error = await failure(pve.call(version));
      expect(error.kind).toBe('unreadable');
      expect(error.message).toContain('compressed in a way that cannot be undone');
    }),
  );

  test('gives its connection back when nobody knows how it was compressed', () =>
    coded('zstd', Buffer.alloc(2 ** 19), async pve => {
      for (let calls = 0; calls < 40; calls += 1)
        expect((await failure(pve.call(version))).kind).toBe('unreadable');
    }));

  test('has its limit in size as it was before', () =>
    coded('gzip', gzipSync(Buffer.alloc(2 ** 24, 'x')), async pve => {
      expect((await failure(pve.call(version))).message).toContain('more than 1048576 bytes');
    }));
});

describe('a secret that Proxmox repeats is masked', () => {
  const password = '$6$salt$hash/of.it';
  const said = (text: string, response: ServerResponse): void =>
    void response
      .writeHead(400, 'Parameter verification failed.')
      .end(
        JSON.stringify({ data: null, message: text, errors: { cipassword: `bad value ${text}`, more: 7 } }),
      );

  test.each([
    ['as it was sent', password],
    ['as it stands in a form', new URLSearchParams({ cipassword: password }).toString()],
    ['as it stands in a path', encodeURIComponent(password)],
  ])('a password of a machine, %s', (_, text) =>
    against(
      (_request, response) => said(`got '${text}'`, response),
      async pve => {
        const error = await failure(pve.call({ ...edit, params: { cipassword: password } }));
        expect(error.message).toContain('(secret)');
        expect(JSON.stringify([error.message, error.stack, error.facts])).not.toContain('hash');
      },
    ),
  );

  test('across the end of what is shown of a long text', () =>
    against(
      (_request, response) => response.writeHead(500, 'Error').end(`${'x'.repeat(292)} ${password}`),
      async pve => {
        const error = await failure(pve.call({ ...edit, params: { cipassword: password } }));
        expect(error.message).not.toContain(password.slice(0, 4));
      },
    ));

  test('a token, in every text', () =>
    against(
      (_, response) => said('PVEAPIToken=tester@pve!t1=secret', response),
      async pve => {
        const { message } = await failure(pve.call(edit));
        expect(message).not.toContain('=secret');
        expect(message).toContain('tester@pve!t1=(secret)');
      },
    ));

  test('a ticket and what belongs to it', () =>
    against(
      ({ url, headers }, response) => {
        if (!url.endsWith('/ticket')) return said(JSON.stringify(headers), response);
        return answerData(response, {
          ticket: 'PVE:tester@pve:4711::x+/==',
          CSRFPreventionToken: '4712:csrf',
        });
      },
      async pve => {
        const { message, facts } = await failure(pve.call(edit));
        expect(message + JSON.stringify(facts)).not.toMatch(/4711|4712|pass-word/);
      },
      { credentials: { kind: 'password', username: 'tester@pve', password: 'pass-word' } },
    ));

  test.each([
    ['PVE:tester@pve:4711::x+/==', 'PVE:tester@pve:4711::x+/=='],
    ['PVE:a%41;b@pve:4711::x+/==', 'PVE%3Aa%2541%3Bb%40pve%3A4711%3A%3Ax%2B%2F%3D%3D'],
  ])('the ticket %s goes into its cookie as %s', (ticket, cookie) =>
    against(
      ({ url }, response) =>
        answerData(response, url.endsWith('/ticket') ? { ticket, CSRFPreventionToken: 'csrf' } : null),
      async (pve, received) => {
        await pve.call(edit);
        expect(received.at(-1)?.headers.cookie).toBe(`PVEAuthCookie=${cookie}`);
      },
      { credentials: { kind: 'password', username: 'tester@pve', password: 'pass-word' } },
    ),
  );
});

describe('a password', () => {
  const login = (ticket: string) => ({
    ticket,
    CSRFPreventionToken: `csrf-of-${ticket}`,
    username: 'tester@pve',
  });
  const credentials = { kind: 'password', username: 'tester@pve', password: 'secret' } as const;

  test('logs in once for many requests at once, and sends the CSRF token with writes only', () =>
    against(
      ({ url }, response) => answerData(response, url.endsWith('/ticket') ? login('T1') : null),
      async (pve, received) => {
        await Promise.all([pve.call(edit), pve.call(edit), pve.call({ ...edit, method: 'GET', params: {} })]);
        expect(received.filter(({ url }) => url.endsWith('/ticket'))).toHaveLength(1);
        const tokens = received.slice(1).map(({ method, headers }) => [method, headers.csrfpreventiontoken]);
        expect(tokens.sort()).toEqual([
          ['GET', undefined],
          ['PUT', 'csrf-of-T1'],
          ['PUT', 'csrf-of-T1'],
        ]);
      },
      { credentials },
    ));

  test('logs in again once when the ticket is refused, and sends the write again', () => {
    let tickets = 0;
    return against(
      ({ url, headers }, response) => {
        if (url.endsWith('/ticket')) answerData(response, login(`T${(tickets += 1)}`));
        else if (headers.cookie?.includes('T1'))
          response.writeHead(401, 'permission denied - invalid PVE ticket').end();
        else answerData(response, null);
      },
      async (pve, received) => {
        await pve.call(edit);
        expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(2);
      },
      { credentials },
    );
  });

  test('answers a second factor with a code', () =>
    against(
      ({ url, body }, response) => {
        if (!url.endsWith('/ticket')) return answerData(response, null);
        const form = new URLSearchParams(body);
        if (form.get('tfa-challenge') === 'half' && /^totp:\d{6}$/.test(form.get('password') ?? ''))
          return answerData(response, login('T2'));
        return answerData(response, { ticket: 'half', NeedTFA: 1 });
      },
      async (pve, received) => {
        await pve.call(edit);
        expect(received.at(-1)?.headers.cookie).toBe('PVEAuthCookie=T2');
      },
      { credentials: { ...credentials, totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
    ));

  test('is wrong: unauthenticated, and never printed', () =>
    against(
      (_, response) => response.writeHead(401, 'authentication failure').end('{"data":null}'),
      async pve => {
        const error = await failure(pve.call(edit));
        expect(error.kind).toBe('unauthenticated');
        expect(JSON.stringify([error.message, error.stack, error.facts])).not.toContain('secret');
      },
      { credentials },
    ));
});
