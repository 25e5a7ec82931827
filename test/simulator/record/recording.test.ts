import type { Exchange } from '../../../simulator/record/proxy/exchange';
import { Recording } from '../../../simulator/record/proxy/recording';
import { scenarioOf } from '../../../simulator/record/proxy/scenario';

const TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

function exchange(method: string, path: string, more: Partial<Exchange> = {}): Exchange {
  const usual = { query: '', headers: TYPE, body: '', status: 200, reason: 'OK', answer: '{"data":null}' };
  return { method, path, ...usual, ...more };
}

function textOf(...exchanges: Exchange[]): string {
  const recording = new Recording(() => undefined);
  exchanges.forEach(each => recording.add(each));
  return JSON.stringify(scenarioOf('x', recording).file);
}

const send = (path: string, fields: Record<string, string>): Exchange =>
  exchange('POST', path, { body: new URLSearchParams(fields).toString() });
const read = (path: string, data: unknown): Exchange =>
  exchange('GET', path, { answer: JSON.stringify({ data }) });

const AGENT = '/nodes/pve1/qemu/100/agent';

it.each([
  send('/nodes/pve1/qemu/100/remote_migrate', {
    'target-endpoint': 'host=a,apitoken=PVEAPIToken=a@pve!t=HUSH1',
  }),
  send('/access/domains', { 'client-key': 'HUSH1' }),
  send('/cluster/acme/account', { 'eab-hmac-key': 'HUSH1', 'eab-kid': 'HUSH1' }),
  send('/cluster/acme/plugins', { data: 'HUSH1' }),
  send('/cluster/notifications/endpoints/webhook', {
    header: 'HUSH1',
    url: 'HUSH1',
    secret: 'HUSH1',
    body: 'HUSH1',
  }),
  send('/storage', { options: 'username=a,password=HUSH1', keyring: 'HUSH1', 'encryption-key': 'HUSH1' }),
  send('/nodes/pve1/qemu/100/config', { args: '-x HUSH1' }),
  send('/nodes/pve1/qemu/100/monitor', { command: 'HUSH1' }),
  send(`${AGENT}/file-write`, { content: 'HUSH1', file: '/x' }),
  send(`${AGENT}/exec`, { command: 'HUSH1', 'input-data': 'HUSH1' }),
  send('/nodes/pve1/storage/local/download-url', { url: 'https://me:HUSH1@a.example/x.iso' }),
  read('/storage/far', { options: 'password=HUSH1' }),
  read('/cluster/acme/plugins/x', { data: 'HUSH1' }),
  read('/cluster/notifications/endpoints/webhook/x', { header: ['name=a,value=HUSH1'], url: 'HUSH1' }),
  read('/nodes/pve1/qemu/100/config', { args: '-x HUSH1' }),
  read('/nodes/pve1/qemu/100/pending', [{ key: 'args', value: '-x HUSH1' }]),
  read('/cluster/sdn/dns/x', { key: 'HUSH1' }),
])('hides what %j holds', each => {
  expect(textOf(each)).not.toContain('HUSH1');
});

it('keeps what is no secret', () => {
  const row = { key: 'cores', value: 2 };
  expect(textOf(read('/nodes/pve1/qemu/100/pending', [row]))).toContain(JSON.stringify(row));
  expect(textOf(read('/storage', [{ content: 'iso' }]))).toContain('"content":"iso"');
});

it('keeps looks that come again once, and their secrets', () => {
  const recording = new Recording(() => undefined, { exchanges: 3, bytes: 2 ** 20 });
  for (let count = 0; count < 100; count += 1) recording.add(read('/a', { token: `secret-${count}` }));
  recording.add(send('/b', {}));
  recording.add(read('/a', {}));
  expect(recording.exchanges.map(({ path, isRepeated }) => [path, isRepeated])).toEqual([
    ['/a', true],
    ['/b', undefined],
    ['/a', undefined],
  ]);
  expect([recording.folded, recording.lost]).toEqual([99, 0]);
  expect(recording.secrets.has('secret-5')).toBe(true);
});

it('keeps the look that first saw a task end', () => {
  const upid = 'UPID:pve1:00000001:00000001:00000001:qmstart:100:root@pam:';
  const look = (status: string): Exchange => read(`/nodes/pve1/tasks/${upid}/status`, { status });
  const recording = new Recording(() => undefined);
  recording.add(exchange('POST', '/x', { answer: JSON.stringify({ data: upid }) }));
  ['running', 'running', 'stopped', 'stopped'].forEach(status => recording.add(look(status)));
  const { steps } = scenarioOf('x', recording);
  expect([steps, recording.exchanges.length]).toEqual([2, 2]);
});

it.each([
  { exchanges: 2, bytes: 2 ** 20 },
  { exchanges: 100, bytes: 5000 },
])('says once that it is full, and takes nothing more: %j', most => {
  const said: string[] = [];
  const recording = new Recording(text => said.push(text), most);
  for (const path of ['/a', '/b', '/c', '/d', '/a']) recording.add(read(path, null));
  expect(recording.exchanges.map(({ path }) => path)).toEqual(['/a', '/b']);
  expect(recording.lost).toBe(3);
  expect(said).toEqual([expect.stringContaining('the recording is full (2 requests')]);
});
