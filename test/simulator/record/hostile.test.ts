import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { loadWorld } from '../../../simulator';
import { newIdentity } from '../../../simulator/wire/certificate';
import type { Received } from '../../support/api/answering-server';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { ask } from '../../support/simulator/ask-simulator';

const program = new SimulatorProgram();
afterAll(() => program.remove());

const identity = newIdentity([]);
const LOGIN = { PVE_TOKEN_ID: 'a@pve!t', PVE_TOKEN_SECRET: '12345678-1234-4234-8234-123456789abc' };

async function recordFrom(answer: (request: Received, response: ServerResponse) => void, out: string) {
  const { url, received, close } = await answeringServer(answer, identity);
  writeFileSync(program.file('ca.pem'), identity.ca);
  const args = ['record', '--endpoint', url, '--ca', program.file('ca.pem'), '--out', out];
  try {
    return { ...(await program.run(args, LOGIN)), received };
  } finally {
    await close();
  }
}

const STATUS = [
  { type: 'cluster', name: 'lab', quorate: 1 },
  { type: 'node', name: 'pve1', nodeid: 1, online: 1, local: 1, ip: '192.0.2.1' },
  { type: 'node', name: 'pve2', nodeid: 2, online: 0, ip: '192.0.2.2' },
];
const GUESTS = [
  { vmid: 100, type: 'qemu', node: 'pve1', name: 'a' },
  { vmid: 101, type: 'qemu', node: 'pve2', name: 'b', tags: 'x' },
];

it('escapes what others wrote, and loads what it made of wrong types', async () => {
  const evil = '\u001b[2J\u202eevil\r\n';
  const odd: Record<string, unknown> = {
    '/version': { release: 9, version: { toString: 1 } },
    '/cluster/status': [
      ...STATUS,
      null,
      7,
      'x',
      { type: 'node', name: '../..', online: 1 },
      { type: 'node', name: 'pve1' },
    ],
    '/cluster/resources?type=vm': [
      ...GUESTS,
      { vmid: '-1', type: 'qemu', node: 'pve1' },
      { vmid: 100, type: 'lxc', node: 'pve1' },
      [],
    ],
    '/storage': [
      { storage: `x${evil}`, type: 'dir' },
      { storage: 'far', type: evil },
      { storage: 'data', type: 'dir', content: 'images', path: '/data', password: 'pw', nodes: 'pve1,pve9' },
    ],
    '/nodes/pve1/storage': [
      { storage: 'data', active: 1, total: -5 },
      { storage: '__proto__', active: 1 },
    ],
    '/nodes/pve1/storage/data/content': [
      { volid: 'data:100/vm-100-disk-0.raw', size: '1e400' },
      { volid: `data:${evil}` },
      { volid: 'other:100/x.raw', size: 1 },
    ],
    '/nodes/pve1/qemu/100/pending': [
      { key: 'name', value: 'a' },
      { key: '__proto__', value: 'x' },
      { key: evil, value: 'x' },
      { key: 'cores', value: { a: 1 } },
      { key: 'args', value: '-secret hush' },
      { key: 'scsi0', value: 'data:100/vm-100-disk-1.raw,size=9999999999999T' },
      { key: 'scsi1', value: 'gone:vm-100-disk-1,size=1G' },
      { key: 'description', value: evil },
    ],
    '/nodes/pve1/qemu/100/snapshot': [
      { name: '__proto__' },
      { name: 'one' },
      { name: 'current', parent: 'one' },
    ],
    '/nodes/pve1/qemu/100/snapshot/one/config': { parent: 'gone', snaptime: -1, cores: 2 },
    '/nodes/pve1/qemu/100/status/current': { status: 'running', uptime: 'long', pid: 0 },
    '/pools': [{ poolid: 'p' }, { poolid: 5 }],
    '/pools?poolid=p': [{ members: [{ vmid: 100 }, { vmid: 100 }, { vmid: 7 }] }],
    '/access/users?full=1': [
      { userid: 'x@nowhere' },
      { userid: evil },
      { userid: 'a@pve', tokens: [{ tokenid: 't' }, { tokenid: 9 }] },
    ],
    '/access/acl': [{ path: '/', type: 'user', ugid: 'who@pve', roleid: 'PVEAdmin' }],
    '/cluster/ha/resources': [{ sid: 'vm:100', state: evil }, { sid: 'vm:5' }],
    '/cluster/options': { migration: [1], 'tag-style': 'x' },
  };
  const { code, output, errors } = await recordFrom(({ url }, response) => {
    const path = url.replace('/api2/json', '');
    if (path in odd) answerData(response, odd[path]);
    else response.writeHead(403, 'Permission check failed (/, Sys.Audit)').end('{"data":null}');
  }, 'odd.json');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(output).toMatch(/Missing privileges:\n {2}Sys\.Audit on \/\n/);
  expect(output).toMatch(/the node pve2 is offline/);
  expect(output).toMatch(/guest 101 could not be read/);
  expect(output).toMatch(/guest 100: left out of its configuration: args/);
  const text = readFileSync(program.file('odd.json'), 'utf8');
  expect(text).not.toMatch(/hush|"pw"|evil/);
  const world = loadWorld(JSON.parse(text));
  expect(Object.keys(world.guests)).toEqual(['100', '101']);
  expect(world.nodes.map(({ online }) => online)).toEqual([true, false]);
  const { ready } = await program.startReady(['--world', program.file('odd.json')]);
  expect((await ask(ready, 'GET', '/cluster/resources')).status).toBe(200);
});

it('writes nothing when the login ends midway, and says that running again is safe', async () => {
  let answers = 0;
  const { code, errors, received } = await recordFrom(({ url }, response) => {
    answers += 1;
    if (answers > 6) response.writeHead(401, 'permission denied - token expired').end();
    else answerData(response, url.endsWith('/cluster/status') ? STATUS : []);
  }, 'ended.json');
  expect(code).toBe(1);
  expect(errors).toMatch(
    /the token ended while it was being used \(401 .*Nothing was written; running again is safe/,
  );
  expect(existsSync(program.file('ended.json'))).toBe(false);
  expect(received.every(({ method }) => method === 'GET')).toBe(true);
});

it('stops reading a huge answer, and goes on without it', async () => {
  const { code, output } = await recordFrom(({ url }, response) => {
    if (url.endsWith('/cluster/status')) return answerData(response, STATUS);
    if (!url.includes('/cluster/resources')) return answerData(response, []);
    response.writeHead(200);
    const piece = Buffer.alloc(2 ** 20, ' ');
    const pour = (): void => {
      if (!response.destroyed && !response.writableEnded) response.write(piece, () => setImmediate(pour));
    };
    pour();
  }, 'huge.json');
  expect(code).toBe(0);
  expect(output).toMatch(/GET \/cluster\/resources\?type=vm: the answer is larger than 64 MiB/);
});

it('makes no world of a server that is no Proxmox', async () => {
  const { code, errors } = await recordFrom(
    (_, response) => response.writeHead(200).end('<html>hello'),
    'page.json',
  );
  expect(code).toBe(1);
  expect(errors).toMatch(/the server names no nodes/);
  expect(existsSync(program.file('page.json'))).toBe(false);
});
