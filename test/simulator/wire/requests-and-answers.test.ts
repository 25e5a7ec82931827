import type { Simulator } from '../../../simulator';
import type { RawAnswer, RawConnection } from '../../support/api/raw-connection';
import { connectPlain, connectSecure } from '../../support/api/raw-connection';
import { recordedWorld } from '../../support/cluster/recorded-world';
import { authorizationOf } from '../../support/cluster/ask';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';

let simulator: Simulator;
let open: RawConnection[] = [];

beforeAll(async () => {
  simulator = await startCluster({ world: recordedWorld() });
});
afterEach(() => {
  open.forEach(connection => connection.close());
  open = [];
});
afterAll(() => simulator.close());

async function connection(): Promise<RawConnection> {
  const each = await connectSecure(simulator.url, simulator.ca);
  open.push(each);
  return each;
}

interface Message {
  headers?: string[];
  body?: string | Buffer;
  version?: string;
}

/** A whole request, by root's token. */
function message(
  method: string,
  path: string,
  { headers = [], body, version = '1.1' }: Message = {},
): Buffer {
  const content = Buffer.from(body ?? '');
  const length = body === undefined ? [] : [`Content-Length: ${content.length}`];
  const lines = [
    `${method} ${path} HTTP/${version}`,
    `Authorization: ${authorizationOf(TOKEN)}`,
    ...headers,
    ...length,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]);
}

async function ask(method: string, path: string, options: Message = {}): Promise<RawAnswer> {
  const each = await connection();
  const answer = await each.send(message(method, path, options)).next();
  if (!answer) throw new Error('the connection was closed without an answer');
  return answer;
}

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';

/** Writes a role, and says what its request answered. Roles take a list and are easily read back. */
const putUser = (body: string, type = FORM_TYPE): Promise<RawAnswer> =>
  ask('PUT', '/api2/json/access/users/nobody@pve', { headers: [type], body });

async function readUser(): Promise<Record<string, unknown>> {
  const { body } = await ask('GET', '/api2/json/access/users/nobody@pve');
  return JSON.parse(body.toString()).data;
}

const errorsOf = (answer: RawAnswer): unknown => JSON.parse(answer.body.toString()).errors;

describe('the connection', () => {
  it('is TLS, with a certificate that its authority vouches for', async () => {
    const answer = await ask('GET', '/api2/json/version');
    expect([answer.status, answer.reason]).toEqual([200, 'OK']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      server: 'pve-api-daemon/3.0',
      connection: 'Keep-Alive',
      pragma: 'no-cache',
      'cache-control': 'max-age=0',
    });
  });

  it.each([
    ['GET', 301, 'Moved Permanently'],
    ['HEAD', 301, 'Moved Permanently'],
    ['POST', 308, 'Permanent Redirect'],
    ['DELETE', 308, 'Permanent Redirect'],
  ])('sends a plain %s to https with %i', async (method, status, reason) => {
    const plain = await connectPlain(simulator.url);
    open.push(plain);
    const answer = await plain
      .send(`${method} /api2/json/version?a=1 HTTP/1.1\r\nHost: pve:8006\r\n\r\n`)
      .next();
    expect(answer).toMatchObject({ status, reason });
    expect(answer?.headers).toMatchObject({
      location: 'https://pve:8006/api2/json/version?a=1',
      connection: status >= 400 ? 'close' : 'Keep-Alive',
    });
  });

  it('stays open from request to request, also when they come at once', async () => {
    const each = await connection();
    each.send(Buffer.concat([message('GET', '/api2/json/version'), message('GET', '/api2/json/nodes')]));
    expect((await each.next())?.body.toString()).toContain('repoid');
    expect((await each.next())?.body.toString()).toContain('node/pve1');
  });

  it('closes after 100 requests', async () => {
    const each = await connection();
    const seen: string[] = [];
    for (let count = 0; count < 100; count += 1) {
      const answer = await each.send(message('GET', '/api2/json/version')).next();
      seen.push(answer?.headers['connection'] ?? 'none');
    }
    await each.closed;
    expect(seen.slice(0, 99).every(value => value === 'Keep-Alive')).toBe(true);
    expect(seen[99]).toBe('close');
  });

  it('closes after an error', async () => {
    const each = await connection();
    const answer = await each.send(message('GET', '/api2/json/foo')).next();
    expect(answer?.headers['connection']).toBe('close');
    await each.closed;
  });

  it.each<[string, Message]>([
    ['the client asks for it', { headers: ['Connection: close'] }],
    ['the client speaks HTTP/1.0', { version: '1.0' }],
  ])('closes when %s', async (_, options) => {
    const each = await connection();
    const answer = await each.send(message('GET', '/api2/json/version', options)).next();
    expect(answer?.headers['connection']).toBe('close');
    await each.closed;
  });

  it('closes when it has been silent for long enough, also while the clock is held', async () => {
    // longer than a handshake takes on a busy machine
    const patient = await startCluster({ world: recordedWorld(), idleMs: 500, timeScale: 'held' });
    const idle = await connectSecure(patient.url, patient.ca);
    await idle.closed;
    const half = await connectSecure(patient.url, patient.ca);
    await half.send('GET /api2/json/version HTTP/1.1\r\nHost: a').closed;
    await patient.close();
  });
});

describe('a request head', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'bad request'],
    ['HTTP/2', 'GET / HTTP/2.0\r\n\r\n', 506, 'http protocol version 2.0 not supported'],
    ['a line without a colon', 'GET / HTTP/1.1\r\nbad line\r\n\r\n', 506, 'unable to parse request header'],
  ])('with %s is refused', async (_, bytes, status, reason) => {
    const each = await connection();
    expect(await each.send(bytes).next()).toMatchObject({ status, reason });
  });

  const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `X-${index}: 1`);

  it('may have 62 lines and not 63: the empty one counts too', async () => {
    // message() adds one line of its own
    expect((await ask('GET', '/api2/json/version', { headers: lines(61) })).status).toBe(200);
    const each = await connection();
    expect(
      await each.send(message('GET', '/api2/json/version', { headers: lines(62) })).next(),
    ).toBeUndefined();
  });

  it('may have less than 8 KiB', async () => {
    const headers = (bytes: number): string[] => [`X-Long: ${'x'.repeat(bytes)}`];
    expect((await ask('GET', '/api2/json/version', { headers: headers(8000) })).status).toBe(200);
    const each = await connection();
    expect(
      await each.send(message('GET', '/api2/json/version', { headers: headers(8192) })).next(),
    ).toBeUndefined();
  });

  it('never ends in a crash, whatever the bytes', async () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
    const pieces = [
      'GET ',
      '/api2/json/',
      ' HTTP/1.1',
      '\r\n',
      '\n',
      '\0',
      ':',
      'Content-Length: 5',
      '%zz',
      '{',
      '\xff',
    ];
    for (let round = 0; round < 150; round += 1) {
      const bytes = Array.from({ length: 30 }, () =>
        random() < 0.5 ? pieces[Math.floor(random() * pieces.length)]! : String.fromCharCode(random() * 256),
      ).join('');
      const each = round % 2 === 0 ? await connection() : await connectPlain(simulator.url);
      open.push(each);
      each.send(Buffer.from(bytes, 'latin1'));
      each.close();
    }
    expect((await ask('GET', '/api2/json/version')).status).toBe(200);
  });
});

describe('the method', () => {
  it.each(['HEAD', 'PATCH', 'OPTIONS', 'get'])('%s is not available', async method => {
    const answer = await ask(method, '/api2/json/version');
    expect(answer).toMatchObject({ status: 501, reason: `method '${method}' not available` });
    expect(answer.body).toHaveLength(0);
  });

  it.each(['GET', 'DELETE'])('%s takes no body', async method => {
    const answer = await ask(method, '/api2/json/pools/x', { body: 'purge=1' });
    expect(answer).toMatchObject({ status: 501, reason: `Unexpected content for method '${method}'` });
    expect(answer.body.toString()).toBe(`Unexpected content for method '${method}'`);
  });
});

describe('the path', () => {
  it.each(['/api2/json/version/', '/api2//json/version', '/api2/json//version', '/api2/json/%76ersion'])(
    '%s leads to the version',
    async path => {
      expect((await ask('GET', path)).status).toBe(200);
    },
  );

  it.each([
    ['GET', '/api2/json/foo', 'GET /foo'],
    ['PUT', '/api2/json/version', 'PUT /version'],
    ['GET', '/api2/json/nodes/pve1/qemu/100/foo', 'GET /nodes/pve1/qemu/100/foo'],
  ])('%s %s is not implemented', async (method, path, named) => {
    const answer = await ask(method, path);
    expect(answer).toMatchObject({ status: 501, reason: `Method '${named}' not implemented` });
    expect(JSON.parse(answer.body.toString())).toEqual({
      data: null,
      message: `Method '${named}' not implemented`,
    });
  });

  it.each([
    ['/api2/version', 'no formatter for uri /, version'],
    ['/api2', 'no such uri'],
    ['/nowhere', "no such file '/nowhere'"],
  ])('%s is nothing', async (path, reason) => {
    const answer = await ask('GET', path);
    expect(answer).toMatchObject({ status: 501, reason });
    expect(answer.body.toString()).toBe(reason);
  });
});

describe('a body', () => {
  it.each([
    ['a form', 'comment=one', FORM_TYPE, 'one'],
    ['without a type', 'comment=two', 'X-None: 1', 'two'],
    ['JSON', '{"comment":"three"}', JSON_TYPE, 'three'],
    ['JSON with a charset', '{"comment":"four"}', `${JSON_TYPE};charset=utf-8`, 'four'],
    ['with a second =, which ends the value', 'comment=a=b=c', FORM_TYPE, 'a'],
    ['with a ;, which ends the pair', 'comment=order;firstname=net0', FORM_TYPE, 'order'],
    ['with escapes', 'comment=a%3Bb%3D+%C5%BC', FORM_TYPE, 'a;b= ż'],
    ['with bare letters beside escapes', 'comment=日 %E6%9C%AC', FORM_TYPE, '日 本'],
    ['with a null, which is absent', '{"comment":null,"firstname":"x"}', JSON_TYPE, 'before'],
  ])('%s is read', async (_, body, type, comment) => {
    await putUser('comment=before');
    expect(await putUser(body, type)).toMatchObject({ status: 200, reason: 'OK' });
    expect((await readUser())['comment']).toBe(comment);
  });

  it('of JSON may hold booleans and numbers', async () => {
    expect((await putUser('{"enable":false,"expire":4}', JSON_TYPE)).status).toBe(200);
    expect(await readUser()).toMatchObject({ enable: 0, expire: 4 });
    expect((await putUser('{"enable":true,"expire":0}', JSON_TYPE)).status).toBe(200);
    expect(await readUser()).toMatchObject({ enable: 1, expire: 0 });
  });

  it('of JSON may hold an array where a list is expected', async () => {
    const body = '{"path":"/vms","roles":["PVEVMUser","PVEVMAdmin"],"users":["nobody@pve"]}';
    expect((await ask('PUT', '/api2/json/access/acl', { headers: [JSON_TYPE], body })).status).toBe(200);
    const held = simulator.world.access.acl.filter(({ ugid }) => ugid === 'nobody@pve');
    expect(held.map(({ roleid }) => roleid).sort()).toEqual(['PVEVMAdmin', 'PVEVMUser']);
  });

  it.each([
    ['an object', '{"comment":{"a":1}}', JSON_TYPE, { comment: "type check ('string') failed - got HASH" }],
    [
      'a repeated key',
      'comment=a&comment=b',
      FORM_TYPE,
      { comment: "type check ('string') failed - got ARRAY" },
    ],
    ...['true', 'yes', 'on', 'TRUE', '2', ''].map((value): [string, string, string, object] => [
      `'${value}' as a boolean`,
      `enable=${value}`,
      FORM_TYPE,
      { enable: `type check ('boolean') failed - got '${value}'` },
    ]),
  ])('with %s is refused', async (_, body, type, errors) => {
    const answer = await putUser(body, type);
    expect(answer).toMatchObject({ status: 400, reason: 'Parameter verification failed.' });
    expect(errorsOf(answer)).toEqual(errors);
  });

  it.each([
    [
      '',
      500,
      /^malformed JSON string, neither tag, array, object, number, string or atom, at character offset 0 \(before "\(end of string\)"\) at \S+ line \d+\.$/,
    ],
    ['{"a":', 500, /^malformed JSON string, /],
    ['[]', 500, /^Not a HASH reference /],
  ])('of JSON that is %p answers in plain text', async (body, status, reason) => {
    const answer = await putUser(body, JSON_TYPE);
    expect(answer.status).toBe(status);
    expect(answer.reason).toMatch(reason);
    expect(answer.body.toString()).toBe(`${answer.reason}\n`);
  });

  it('of another type is not implemented', async () => {
    const answer = await putUser('comment=a', 'Content-Type: text/plain');
    expect(answer).toMatchObject({
      status: 506,
      reason: "upload 'Content-Type 'text/plain' not implemented",
    });
    expect(answer.body.toString()).toBe(answer.reason);
  });

  it('may have 512 KiB and not a byte more', async () => {
    const limit = 512 * 1024;
    const most = await putUser(`comment=${'x'.repeat(limit - 8)}`);
    expect(errorsOf(most)).toEqual({ comment: 'value may only be 2048 characters long' });
    const each = await connection();
    each.send(
      `PUT /api2/json/version HTTP/1.1\r\nAuthorization: ${authorizationOf(TOKEN)}\r\nContent-Length: ${limit + 1}\r\n\r\n`,
    );
    expect(await each.next()).toMatchObject({ status: 501, reason: 'for data too large' });
  });

  it('in chunks is not supported', async () => {
    const answer = await ask('PUT', '/api2/json/version', { headers: ['Transfer-Encoding: chunked'] });
    expect(answer).toMatchObject({ status: 501, reason: 'chunked transfer encoding not supported' });
  });

  it('is never asked for with 100 Continue', async () => {
    const each = await connection();
    const whole = message('PUT', '/api2/json/access/users/nobody@pve', {
      headers: ['Expect: 100-continue'],
      body: 'comment=waited',
    });
    each.send(whole.subarray(0, -5)).send(whole.subarray(-5));
    expect((await each.next())?.status).toBe(200);
  });

  it('loses against the query', async () => {
    const path = '/api2/json/access/users/nobody@pve?comment=query';
    expect((await ask('PUT', path, { headers: [FORM_TYPE], body: 'comment=body' })).status).toBe(200);
    expect((await readUser())['comment']).toBe('query');
  });

  it('may repeat the path and not contradict it', async () => {
    expect((await putUser('userid=nobody@pve&comment=same')).status).toBe(200);
    expect(errorsOf(await putUser('userid=tf@pve'))).toEqual({
      userid: 'duplicate parameter (already defined in URI) with conflicting values!',
    });
  });
});

describe('an answer', () => {
  it('is compressed when it is long and the client accepts that', async () => {
    const path = '/api2/json/access/roles';
    const plain = await ask('GET', path);
    const packed = await ask('GET', path, { headers: ['Accept-Encoding: deflate, gzip'] });
    const short = await ask('GET', '/api2/json/version', { headers: ['Accept-Encoding: gzip'] });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(short.headers['content-encoding']).toBeUndefined();
    expect(packed.body.length).toBeLessThan(plain.body.length);
  });

  it('has its keys in an order that the seed decides', async () => {
    const answers = async (seed: number): Promise<string[]> => {
      const other = await startCluster({ world: recordedWorld(), seed });
      const each = await connectSecure(other.url, other.ca);
      const bodies: string[] = [];
      for (let count = 0; count < 8; count += 1)
        bodies.push(String((await each.send(message('GET', '/api2/json/version')).next())?.body));
      await other.close();
      return bodies;
    };
    const [first, again, another] = [await answers(1), await answers(1), await answers(2)];
    expect(again).toEqual(first);
    expect(another).not.toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(
      new Set(first.map(body => JSON.stringify(Object.entries(JSON.parse(body).data).sort()))).size,
    ).toBe(1);
  });

  it('may have any letters in its reason, and only one line of them', async () => {
    const wide = await ask('GET', '/api2/json/nodes/%E6%97%A5/qemu');
    expect(wide.reason).toBe(
      "hostname lookup '日' failed - failed to get address info for: 日: Name or service not known",
    );
    const split = await ask('GET', '/api2/json/nodes/a%0D%0AX-Injected:%201/qemu');
    expect(split.headers['x-injected']).toBeUndefined();
    expect(split.reason).toBe("hostname lookup 'a ");
  });

  it('in the extjs format always says 200', async () => {
    expect(JSON.parse((await ask('GET', '/api2/extjs/version')).body.toString())).toMatchObject({
      success: 1,
      data: { release: '9.2' },
    });
    const failed = await ask('PUT', '/api2/extjs/access/users/nobody@pve', {
      headers: [FORM_TYPE],
      body: 'bogus=1',
    });
    expect([failed.status, failed.reason]).toEqual([200, 'OK']);
    expect(JSON.parse(failed.body.toString())).toEqual({
      success: 0,
      status: '400',
      data: null,
      message: 'Parameter verification failed.\n',
      errors: {
        bogus: 'property is not defined in schema and the schema does not allow additional properties',
      },
    });
  });
});

describe('the order of the checks', () => {
  const as = (user: string, path: string, body = 'bogus=1'): Promise<RawAnswer> =>
    connection().then(async each => {
      const head = `POST ${path} HTTP/1.1\r\nAuthorization: ${user}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      return (await each.send(head).next())!;
    });
  const nobody = 'PVEAPIToken=nobody@pve!t1=66666666-6666-4666-8666-666666666666';

  it.each([
    ['who', 'none', '/api2/json/foo', 401],
    ['what', nobody, '/api2/json/foo', 501],
    ['whether he may', nobody, '/api2/json/nodes/nowhere/status', 403],
    ['where', authorizationOf(TOKEN), '/api2/json/nodes/nowhere/status', 500],
    ['with what', authorizationOf(TOKEN), '/api2/json/nodes/pve1/status', 400],
  ])('asks %s in its turn', async (_, user, path, status) => {
    expect((await as(user, path)).status).toBe(status);
  });
});
