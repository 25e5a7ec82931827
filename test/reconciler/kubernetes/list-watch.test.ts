import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubernetesClient, type Json } from '../../../reconciler/kubernetes/api/client';
import { ListWatch } from '../../../reconciler/kubernetes/api/list-watch';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const list = (version: string, names: string[], next?: string): Answer =>
  json(200, {
    apiVersion: 'v1',
    kind: 'MachineList',
    metadata: { resourceVersion: version, ...(next && { continue: next }) },
    items: names.map(name => ({ metadata: { name } })),
  });
const event = (type: string, name: string, version: string): object => ({
  type,
  object: { metadata: { name, resourceVersion: version } },
});
/** A watch that tells these and then ends, breaks, or stays open. */
const watch =
  (events: object[], end: 'ends' | 'breaks' | 'stays'): Answer =>
  response => {
    response.writeHead(200);
    const text = events.map(each => `${JSON.stringify(each)}\n`).join('');
    // in two parts, so that an event comes in pieces
    response.write(text.slice(0, 7));
    setTimeout(() => {
      response.write(text.slice(7));
      if (end === 'ends') response.end();
      if (end === 'breaks') setTimeout(() => response.destroy(), 20);
    }, 10);
  };

let server: Server;
let stop: AbortController;
afterEach(async () => {
  stop.abort();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

/** Answers one request after the other; gives what was asked, and what the listener was told. */
async function told(answers: Answer[], isEnough: (lines: string[]) => boolean, token = () => 'a') {
  const asked: string[] = [];
  const tokens: string[] = [];
  server = createServer((request, response) => {
    asked.push((request.url ?? '').replace('/things', '').replaceAll(/&?(limit|timeoutSeconds)=\d+/g, ''));
    tokens.push(request.headers.authorization ?? '');
    (answers.shift() ?? watch([], 'stays'))(response, request);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubernetesClient({ server: `http://127.0.0.1:${port}`, token });
  const lines: string[] = [];
  const nameOf = (one: Json): string => (one['metadata'] as { name: string }).name;
  stop = new AbortController();
  const watching = new ListWatch(client, '/things', {
    listed: all => void lines.push(`all ${all.map(nameOf).join(' ')}`),
    changed: (type, one) => void lines.push(`${type} ${nameOf(one)}`),
    trouble: error => void (error && lines.push(`trouble ${error.status}`)),
  }).run(stop.signal);
  const end = Date.now() + 20_000;
  while (!isEnough(lines) && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 10));
  stop.abort();
  await watching;
  client.close();
  return { lines, asked, tokens };
}

const has = (line: string) => (lines: string[]) => lines.includes(line);

test('a list of several pages, then events from its version', async () => {
  const { lines, asked } = await told(
    [
      list('5', ['a'], 'more'),
      list('5', ['b']),
      watch([event('ADDED', 'c', '6'), event('DELETED', 'a', '7')], 'stays'),
    ],
    has('DELETED a'),
  );
  expect(lines).toEqual(['all a b', 'ADDED c', 'DELETED a']);
  expect(asked).toEqual(['?', '?&continue=more', '?watch=1&allowWatchBookmarks=true&resourceVersion=5']);
});

const cut: Answer = response => response.destroy();
const busy = json(429, { message: 'busy' });

test.each<[what: string, answer: Answer]>([
  ['asks to wait', busy],
  ['is cut off', cut],
])(
  'a list whose second page %s is read from its first page again, and nothing is watched before',
  async (_, answer) => {
    const { lines, asked } = await told(
      [
        list('5', ['a'], 'more'),
        answer,
        list('9', ['a'], 'more'),
        list('9', ['b']),
        watch([event('ADDED', 'c', '10')], 'stays'),
      ],
      has('ADDED c'),
    );
    expect(lines).toEqual(['all a b', 'ADDED c']);
    expect(asked.slice(2)).toEqual([
      ...['?', '?&continue=more'],
      '?watch=1&allowWatchBookmarks=true&resourceVersion=9',
    ]);
  },
);

test.each(['ends', 'breaks'] as const)('a watch that %s goes on after its last bookmark', async end => {
  const { lines, asked } = await told(
    [
      list('5', []),
      watch([event('BOOKMARK', '', '90')], end),
      watch([event('MODIFIED', 'a', '91')], 'stays'),
    ],
    has('MODIFIED a'),
  );
  expect(lines.filter(line => !line.startsWith('trouble'))).toEqual(['all ', 'MODIFIED a']);
  expect(asked.at(-1)).toContain('resourceVersion=90');
});

test('410, as an answer or as an event, lists anew', async () => {
  const { lines } = await told(
    [
      list('5', ['a']),
      json(410, { message: 'too old' }),
      list('8', ['b']),
      watch([{ type: 'ERROR', object: { code: 410, message: 'too old' } }], 'ends'),
      list('9', ['c']),
    ],
    has('all c'),
  );
  expect(lines).toEqual(['all a', 'all b', 'all c']);
});

test('429 waits as long as the server asks', async () => {
  const started = Date.now();
  const { lines } = await told(
    [json(429, { message: 'busy' }, { 'retry-after': '1' }), list('5', ['a'])],
    has('all a'),
  );
  expect(lines).toEqual(['all a']);
  expect(Date.now() - started).toBeGreaterThan(900);
});

test('a token is read anew for each request', async () => {
  let current = 'old';
  const refuse: Answer = (response, request) => {
    current = 'new';
    json(401, { message: 'Unauthorized' })(response, request);
  };
  const { lines, tokens } = await told([refuse, list('5', ['a'])], has('all a'), () => current);
  expect(lines).toEqual(['trouble 401', 'all a']);
  expect(tokens.slice(0, 2)).toEqual(['Bearer old', 'Bearer new']);
});

/** How often a server is asked within so long. */
async function askedWithin(ms: number, answer: (path: string) => Answer): Promise<number> {
  let asked = 0;
  const answers = { shift: () => (asked++ < 400 ? byPath : undefined) } as unknown as Answer[];
  const byPath: Answer = (response, request) => answer(request.url ?? '')(response, request);
  const end = Date.now() + ms;
  await told(answers, () => Date.now() > end);
  return asked;
}

const whenWatched = (answer: Answer) => (path: string) =>
  path.includes('watch=1') ? answer : list('5', ['a']);

test.each<[what: string, answer: Answer]>([
  ['that ends at once', watch([], 'ends')],
  ['that is refused', json(403, { message: 'no' })],
  ['that is too old', json(410, { message: 'too old' })],
  ['that says that it is too old', watch([{ type: 'ERROR', object: { code: 410, message: 'old' } }], 'ends')],
])('a watch %s is not begun at once, again and again', async (_, answer) => {
  // 0.5 s, 1 s, 2 s, with some luck a half of each
  expect(await askedWithin(2_000, whenWatched(answer))).toBeLessThan(9);
});

test('what cannot even be asked is trouble, and goes on when it can', async () => {
  let tries = 0;
  const { lines } = await told([list('5', ['a'])], has('all a'), () => {
    tries += 1;
    if (tries < 3) throw new Error('the token cannot be read');
    return 'a';
  });
  expect(lines).toContain('all a');
});
