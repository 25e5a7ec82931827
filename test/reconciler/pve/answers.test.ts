import type { Pve } from '../../../reconciler/pve';
import * as pve from '../../../reconciler/pve';
import { PveError, connect } from '../../../reconciler/pve';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

type Told = { status?: number; data?: unknown; body?: string };

/** What a call makes of one answer, whatever is asked. A task that is looked at has ended, well unless told otherwise. */
async function told<T>(answer: Told, call: (client: Pve) => Promise<T>, exitstatus = 'OK'): Promise<T> {
  const server = await answeringServer(({ url }, response) => {
    if (url.includes('/tasks/')) return answerData(response, { status: 'stopped', exitstatus });
    if (answer.body === undefined && answer.status === undefined) return answerData(response, answer.data);
    return void response.writeHead(answer.status ?? 200).end(answer.body ?? '{"data":null}');
  });
  const client = connect(pveConfig(server.url));
  try {
    return await call(client);
  } finally {
    await client.close();
    await server.close();
  }
}

const guest = { node: 'a', vmid: 7 };
const wait = { timeoutMs: 1_000 };
const qemu = { type: 'qemu', vmid: 7, node: 'a' };

describe('what servers that mean well say in their own way is understood', () => {
  const rows: [string, unknown, (client: Pve) => Promise<unknown>, unknown][] = [
    ...[0, 1, '0', '1', true, false, '', null].map(
      (template): [string, unknown, (client: Pve) => Promise<unknown>, unknown] => [
        `template: ${JSON.stringify(template)} in a node's list`,
        [{ vmid: '7', status: 'stopped', template }],
        async client => (await pve.listGuests(client, 'a'))[0]?.template === true,
        template === 1 || template === '1' || template === true,
      ],
    ),
    [
      'switches and numbers of the cluster listing, and empty texts',
      [{ ...qemu, vmid: '7', template: true, maxmem: '64', lock: '', hastate: '', tags: null, more: {} }],
      async client => (await pve.listResources(client)).guests,
      [{ ...qemu, template: true, maxmem: 64 }],
    ],
    [
      'rows of kinds that nobody knows',
      [{ type: 'network', network: 'z' }, { type: 'newer' }, { type: 'node', node: 'a', cpu: '0.5' }],
      client => pve.listResources(client),
      { guests: [], storages: [], nodes: [{ type: 'node', node: 'a', cpu: 0.5 }] },
    ],
    [
      'tasks that have ended among the active ones',
      [
        { upid: 'u1', type: 'qmclone', id: 7, status: 'RUNNING' },
        { upid: 'u2', type: 'qmstart', id: '8', endtime: 1_700_000_000, status: 'OK' },
        { upid: 'u3', type: 'qmstart', id: '9', status: 'command failed' },
        { upid: 'u4', type: 'qmstart', id: '', endtime: 0, status: '' },
      ],
      async client => (await pve.listActiveTasks(client, 'a')).map(({ upid, id }) => [upid, id]),
      [
        ['u1', '7'],
        ['u4', undefined],
      ],
    ],
    [
      'a configuration of numbers and switches',
      [
        { key: 'cores', value: 2 },
        { key: 'onboot', value: true },
        { key: 'memory', value: '512', pending: 1024 },
        { key: 'tablet', value: 0, delete: true },
        { key: 'cpu', value: 'host', delete: 0 },
        { key: 'digest', value: 'd1' },
      ],
      client => pve.readConfig(client, guest),
      {
        digest: 'd1',
        current: { cores: '2', onboot: '1', memory: '512', tablet: '0', cpu: 'host' },
        pending: { memory: '1024', tablet: null },
      },
    ],
    [
      'a lock that is none, in a configuration',
      [
        { key: 'lock', value: '' },
        { key: 'digest', value: 'd1' },
      ],
      client => pve.readConfig(client, guest),
      { digest: 'd1', current: {}, pending: {} },
    ],
    ...[null, ''].map((lock): [string, unknown, (client: Pve) => Promise<unknown>, unknown] => [
      `a lock that is none, in the status: ${JSON.stringify(lock)}`,
      { status: 'stopped', lock },
      async client => (await pve.readStatus(client, guest)).lock,
      undefined,
    ]),
    ['nothing where PVE lists privileges', [], client => pve.readPermissions(client), {}],
    [
      'a path without privileges',
      { '/': null, '/vms': { 'VM.Audit': 1, 'VM.Clone': null } },
      client => pve.readPermissions(client),
      { '/': {}, '/vms': { 'VM.Audit': 1 } },
    ],
    ['no options at all', null, client => pve.readDatacenterOptions(client), {}],
    [
      'options that are not set',
      { mac_prefix: null, 'allowed-tags': null, 'next-id': { lower: 200 } },
      client => pve.readDatacenterOptions(client),
      { 'next-id': { lower: 200 } },
    ],
    [
      'guests whose state is not told',
      [{ vmid: 7 }, { vmid: 8, status: null }],
      client => pve.listGuests(client, 'a'),
      [{ vmid: 7 }, { vmid: 8 }],
    ],
    [
      'nodes without their names beside a quorum',
      [{ type: 'cluster', name: 'lab', quorate: 1 }, { type: 'node' }],
      client => pve.readClusterStatus(client),
      { clusterName: 'lab', quorate: true },
    ],
    [
      'privileges as JSON switches',
      { '/': { 'VM.Audit': true, 'VM.Clone': '0' } },
      client => pve.readPermissions(client),
      { '/': { 'VM.Audit': 1, 'VM.Clone': 0 } },
    ],
    [
      'a quorum as a JSON switch',
      [
        { type: 'cluster', name: 'lab', quorate: false },
        { type: 'node', name: 'a' },
      ],
      client => pve.readClusterStatus(client),
      { clusterName: 'lab', quorate: false },
    ],
    [
      'a single node',
      [{ type: 'node', name: 'a' }],
      client => pve.readClusterStatus(client),
      { clusterName: undefined, quorate: true },
    ],
    [
      'tags as one text, an id range of texts',
      { 'next-id': { lower: '200', upper: 300 }, 'registered-tags': 'a;b' },
      client => pve.readDatacenterOptions(client),
      { 'next-id': { lower: 200, upper: 300 }, 'registered-tags': ['a', 'b'] },
    ],
    [
      'storages',
      [{ storage: 's', type: 'dir', content: 'images', shared: false, active: '1', avail: '12' }],
      client => pve.listStorages(client, 'a'),
      [{ storage: 's', type: 'dir', content: 'images', shared: false, active: true, avail: 12 }],
    ],
    [
      'a storage of which only the name is told takes what is asked of it',
      [{ storage: 's' }],
      client => pve.listStorages(client, 'a'),
      [{ storage: 's', type: '', content: 'images,import,iso' }],
    ],
    [
      'a bridge without a name beside another',
      [{ type: 'bridge' }, { iface: 'vmbr0' }],
      client => pve.listBridges(client, 'a'),
      ['vmbr0'],
    ],
    [
      'a pool without a name beside another',
      [{ comment: 'x' }, { poolid: 'prod' }],
      client => pve.listPools(client),
      ['prod'],
    ],
    [
      'a quorum of a cluster without a name',
      [{ type: 'cluster', quorate: 1 }],
      client => pve.readClusterStatus(client),
      { clusterName: undefined, quorate: true },
    ],
    [
      'what an agent says of which a part is no answer',
      {
        result: [
          7,
          { name: 'eth0', 'ip-addresses': [null, { 'ip-address': '10.0.0.1', prefix: 'x' }] },
          { name: 'lo' },
        ],
      },
      client => pve.readInterfaces(client, guest),
      [
        { name: 'eth0', 'ip-addresses': [{ 'ip-address': '10.0.0.1' }] },
        { name: 'lo', 'ip-addresses': [] },
      ],
    ],
    [
      'an agent that says nothing that can be read',
      7,
      async c => typeof (await pve.readInterfaces(c, guest)),
      'string',
    ],
    [
      'lists of backup jobs, also of one number, and those that name nobody',
      [
        { id: 'a', vmid: 7, exclude: null },
        { id: 'b', vmid: '', all: 1 },
      ],
      client => pve.listBackupJobs(client),
      [{ id: 'a', vmid: '7' }, { id: 'b' }],
    ],
    [
      'replication jobs',
      [{ id: '7-0', guest: '7', jobnum: 0, target: 'b', disable: 1 }],
      client => pve.listReplicationJobs(client),
      [{ id: '7-0', guest: 7, target: 'b' }],
    ],
    ['a write that tells nothing', undefined, client => pve.writeConfig(client, guest, { cores: 2 }), null],
  ];
  test.each(rows)('%s', async (_, data, call, expected) => {
    expect(await told({ data }, call)).toEqual(expected);
  });
});

test('a write that a server does as a task is waited for', async () => {
  const upid = 'UPID:a:0012ABCD:qmconfig:7:root@pam:1700000000:';
  const write = (client: Pve) => pve.writeConfig(client, guest, { cores: 2 });
  expect(await told({ data: upid }, write)).toBeNull();
  await expect(told({ data: upid }, write, 'no space left')).rejects.toMatchObject({
    task: { upid, exitStatus: 'no space left' },
  });
});

describe('a server without a list of what waits for a restart', () => {
  const read = async (digests: { later: string; now: string }) => {
    const server = await answeringServer(({ url }, response) => {
      if (url.endsWith('/pending')) return void response.writeHead(501).end('{"data":null}');
      const now = { cores: 2, tablet: 0, name: 'web', protection: true, lock: '', digest: digests.now };
      answerData(
        response,
        url.includes('current=1') ? now : { cores: 4, name: 'web', protection: true, digest: digests.later },
      );
    });
    const client = connect(pveConfig(server.url));
    try {
      return await pve.readConfig(client, guest);
    } finally {
      await client.close();
      await server.close();
    }
  };

  test('what waits is what differs between its two configurations', async () => {
    expect(await read({ later: 'd1', now: 'd1' })).toEqual({
      digest: 'd1',
      current: { cores: '2', tablet: '0', name: 'web', protection: '1' },
      pending: { cores: '4', tablet: null },
    });
  });

  test('two that somebody changed in between are no configuration', async () => {
    await expect(read({ later: 'd2', now: 'd1' })).rejects.toMatchObject({ kind: 'changed' });
  });
});

describe('what decides a write is there, or the answer is unreadable', () => {
  const reads: [string, Told, (client: Pve) => Promise<unknown>, string][] = [
    ['a configuration of nothing', { data: [] }, c => pve.readConfig(c, guest), 'digest'],
    ['no digest', { data: [{ key: 'cores', value: 2 }] }, c => pve.readConfig(c, guest), 'digest'],
    ['an empty digest', { data: [{ key: 'digest', value: '' }] }, c => pve.readConfig(c, guest), 'digest'],
    ['null for a configuration', { data: null }, c => pve.readConfig(c, guest), 'data: expected a list'],
    [
      'an object for a configuration',
      { data: { cores: 2 } },
      c => pve.readConfig(c, guest),
      'data: expected a list',
    ],
    ['a row without a key', { data: [{ value: 2 }] }, c => pve.readConfig(c, guest), 'data.0.key'],
    [
      'a value that is a list',
      { data: [{ key: 'net0', value: [] }] },
      c => pve.readConfig(c, guest),
      'data.0.value',
    ],
    ['null for the resources', { data: null }, c => pve.listResources(c), 'data: expected a list'],
    [
      'a row that does not say what it is',
      { data: [{ vmid: 7, node: 'a' }] },
      c => pve.listResources(c),
      'data.0.type',
    ],
    ['a row that is text', { data: ['qemu/7'] }, c => pve.listResources(c), 'data.0'],
    [
      'a guest without a node',
      { data: [{ type: 'qemu', vmid: 7 }] },
      c => pve.listResources(c),
      'data.0.node',
    ],
    ['a guest with half an id', { data: [{ ...qemu, vmid: 7.5 }] }, c => pve.listResources(c), 'data.0.vmid'],
    [
      'a guest with an id too large',
      { data: [{ ...qemu, vmid: 1e300 }] },
      c => pve.listResources(c),
      'data.0.vmid',
    ],
    ['tags that are no text', { data: [{ ...qemu, tags: ['a'] }] }, c => pve.listResources(c), 'data.0.tags'],
    [
      'a guest without an id',
      { data: [{ name: 'a', status: 'stopped' }] },
      c => pve.listGuests(c, 'a'),
      'data.0.vmid',
    ],
    [
      'a cluster that does not tell its quorum',
      { data: [{ type: 'cluster', name: 'l' }] },
      c => pve.readClusterStatus(c),
      'data.0.quorate',
    ],
    [
      'a state that nobody knows',
      { data: { status: 'odd' } },
      c => pve.readStatus(c, guest),
      'data.status: expected running or stopped',
    ],
    [
      'privileges in a list',
      { data: [{ path: '/' }] },
      c => pve.readPermissions(c),
      'data: expected an object',
    ],
    [
      'a migration without its disks',
      { data: { local_resources: [] } },
      c => pve.readMigration(c, guest),
      'data.local_disks',
    ],
    ['a volume without its name', { data: [{ vmid: 7 }] }, c => pve.listImages(c, 'a', 's'), 'data.0.volid'],
    [
      'a snapshot without its name',
      { data: [{ parent: 'x' }] },
      c => pve.listSnapshots(c, guest),
      'data.0.name',
    ],
    ['a page', { body: '<html>Welcome</html>' }, c => pve.listResources(c), 'no JSON'],
    ['a list', { body: '[]' }, c => pve.listResources(c), 'no JSON object'],
    ['a redirection', { status: 302, body: '' }, c => pve.listResources(c), 'another address'],
  ];
  test.each(reads)('%s', async (_, answer, call, place) => {
    const error = await told(answer, call).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PveError);
    expect(error).toMatchObject({ kind: 'unreadable' });
    expect(String(error)).toContain(place);
    expect(String(error)).toMatch(/GET \//);
  });

  const tasks: [string, (client: Pve) => Promise<unknown>][] = [
    ['create', c => pve.createGuest(c, 'a', { vmid: 7 }, wait)],
    ['clone', c => pve.cloneGuest(c, guest, { newid: 8 }, wait)],
    ['start', c => pve.changePower(c, guest, 'start', {}, wait)],
    ['stop', c => pve.changePower(c, guest, 'stop', {}, wait)],
    ['move', c => pve.moveDisk(c, guest, { disk: 'scsi0', storage: 's' }, wait)],
    ['migrate', c => pve.migrateGuest(c, guest, { target: 'b' }, wait)],
    ['delete', c => pve.deleteGuest(c, guest, wait)],
  ];
  const noTasks: Told[] = [
    { data: null },
    { data: '' },
    { data: 'OK' },
    { data: { upid: 'x' } },
    { data: 'UPID:a:1' },
    { body: '{}' },
    { body: '<html>' },
  ];
  test.each(tasks)('%s that answers without a task is not taken for done', async (_, call) => {
    for (const answer of noTasks) {
      const error = await told(answer, call).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ kind: 'unreadable' });
      expect(String(error)).toContain('may have done it');
    }
  });

  test('a slow write is done without a task when it is quick, and by nothing else', async () => {
    const write = (client: Pve) => pve.writeConfigSlowly(client, guest, { scsi1: 'local:1' }, wait);
    expect(await told({ data: null }, write)).toEqual({ warnings: 0 });
    for (const answer of noTasks.slice(1)) {
      await expect(told(answer, write)).rejects.toMatchObject({ kind: 'unreadable' });
    }
  });
});
