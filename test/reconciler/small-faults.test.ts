import { createServer, connect } from 'node:net';
import { onMessages } from '../../reconciler/client/messages';
import { errorOf } from '../../reconciler/pve/answers/read-answer';
import { parseDesiredState, parseMachine } from '../../spec';

test('objects in the errors of an answer are told as JSON', () => {
  const text = JSON.stringify({
    errors: { cores: { code: 7, why: 'too many' }, memory: 'is wrong', sockets: null },
  });
  const error = errorOf(
    { method: 'PUT', path: '/x' },
    { status: 400, reason: 'no', text },
    { masked: said => said },
  );
  expect(error.message).toContain('{"code":7,"why":"too many"}');
  expect(error.message).toContain('is wrong');
  expect(error.message).not.toContain('[object');
});

test.each<[string, object]>([
  ['description', { description: 'a \ud83d b' }],
  ['tags', { tags: ['x\udc00'] }],
])('half of a character in %s is refused with its field', (field, more) => {
  const parsed = parseMachine({ id: 'web', image: { blank: true }, ...more });
  expect(parsed.ok).toBe(false);
  const { problems } = parsed as { problems: { path: string; reason: string }[] };
  expect(problems[0]).toMatchObject({
    path: expect.stringContaining(field),
    reason: expect.stringContaining('half of a character'),
  });
});

test('a whole character of two halves is fine', () => {
  const machine = { id: 'web', image: { blank: true }, description: '\u{1f600}' };
  expect(
    parseDesiredState({ version: 1, owner: 'o', cluster: { name: 'lab' }, machines: [machine] }).ok,
  ).toBe(true);
});

test.each(['SSH-2.0-OpenSSH_9.2\n', 'null\n', '"hello"\n', '{"what":1}\n'])(
  'a socket that speaks %j is left, without a fault',
  async text => {
    const server = createServer(socket => socket.on('error', () => undefined).write(text));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    const taken: unknown[] = [];
    onMessages(socket, message => taken.push(message));
    await new Promise(resolve => socket.once('close', resolve));
    server.close();
    expect(taken).toEqual([]);
  },
);
