import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentsOf } from '../../support/manifests/documents-of';
import type { Simulator } from '../../../simulator';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { startCluster, TOKEN } from '../../support/cluster/start-cluster';
import { runLine } from '../walk/live';

const folder = mkdtempSync(join(tmpdir(), 'manifests '));
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startCluster();
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

/** The documents of a folder, with the address and the token of the simulator. */
function placed(name: string): string {
  const from = join(__dirname, 'documents', name);
  for (const file of readdirSync(from)) {
    const text = readFileSync(join(from, file), 'utf8')
      .replaceAll('ENDPOINT', simulator.url)
      .replaceAll('TOKEN_ID', TOKEN.id)
      .replaceAll('TOKEN_SECRET', TOKEN.secret);
    writeFileSync(join(folder, `${name}-${file}`), text);
  }
  return folder;
}

/** `Machine line-2/press-control`. */
function nameOf(json: unknown): string {
  const { kind, metadata } = json as { kind: string; metadata: { name: string; namespace: string } };
  return `${kind} ${metadata.namespace}/${metadata.name}`;
}

/** Only what no manifest says: whom to trust, and how often to look. */
const environment = () => {
  const { PVE_CA_BUNDLE: ca } = programAccess(simulator);
  const cluster = { PROXMOX_DEFAULT_CLUSTER: 'harbour' };
  return { ...cluster, PVE_FACTORY_CA_BUNDLE: ca, PVE_HARBOUR_CA_BUNDLE: ca, PVE_TASK_POLL_INTERVAL: '5ms' };
};
const ours = (name: string) =>
  Object.values(simulator.world.guests).find(({ config }) => config['name'] === name);

test('documents of both kinds: the first run makes the machines, the second writes nothing', async () => {
  placed('operator');
  const place = placed('provider');
  const planned = await runLine(['plan', '--manifests', place, '--check'], environment());
  expect(planned).toMatchObject({ code: 4 });
  expect(takeWrites(simulator)).toEqual([]);

  const first = await runLine(['reconcile', '--manifests', place], environment());
  expect(first).toMatchObject({ code: 0, said: expect.stringContaining('5 machines are as wanted') });
  expect(takeWrites(simulator).length).toBeGreaterThan(0);

  const second = await runLine(['reconcile', '--manifests', place], environment());
  expect(second).toMatchObject({ code: 0, said: expect.stringContaining('5 machines are as wanted') });
  expect(takeWrites(simulator)).toEqual([]);

  expect(ours('press-control-2')).toMatchObject({
    vmid: 20400,
    node: 'pve2',
    config: {
      cores: '2',
      sockets: '2',
      memory: '3072',
      net0: expect.stringMatching(/^virtio=02:16:3E:00:04:01,bridge=vmbr1,firewall=1,tag=204$/) as string,
      virtio0: expect.stringMatching(/^local-lvm:.*cache=writeback/) as string,
    },
  });
  expect(ours('gauge')).toMatchObject({
    vmid: 20401,
    config: { memory: '1024', scsi0: expect.stringContaining('size=12G') as string },
  });
  expect(ours('customs')).toMatchObject({
    config: {
      ipconfig0: 'gw=192.0.2.1,ip=192.0.2.40/24',
      nameserver: '192.0.2.2 192.0.2.3',
      ipconfig1: 'ip=198.51.100.40/24',
    },
  });
  expect(ours('tide')).toMatchObject({ running: null, config: { bios: 'ovmf', cores: '4' } });
});

test('a copy of a machine that is there', async () => {
  const place = placed('copies');
  expect(await runLine(['reconcile', '--manifests', place], environment())).toMatchObject({ code: 0 });
  expect(ours('customs-copy')).toMatchObject({ config: { cores: '2', memory: '2048' } });
  takeWrites(simulator);
  expect(await runLine(['reconcile', '--manifests', place], environment())).toMatchObject({ code: 0 });
  expect(takeWrites(simulator)).toEqual([]);
});

test('status tells how each stands, in the shape of its manifest', async () => {
  const { code, out } = await runLine(['status', '--manifests', folder, '-o', 'yaml'], environment());
  expect(code).toBe(0);
  const documents = await documentsOf(out, 'status');
  const told = new Map(documents.map(({ json }) => [nameOf(json), json]));
  expect([...told.keys()].sort()).toEqual([
    'Machine line-2/press-control',
    'Provider default/harbour',
    'ProxmoxCluster default/factory',
    'ProxmoxNode default/first',
    'ProxmoxVirtualMachine line-2/gauge',
    'VMClone default/customs-copy',
    'VMClone default/tide-copy',
    'VirtualMachine default/customs',
    'VirtualMachine default/tide',
  ]);
  expect(documents).toHaveLength(told.size);
  expect(told.get('Machine line-2/press-control')).toMatchObject({
    apiVersion: 'vitistack.io/v1alpha1',
    status: {
      phase: 'Running',
      vmid: 20400,
      node: 'pve2',
      ipAddresses: expect.any(Array) as string[],
      lastUpdated: expect.stringMatching(/^\d{4}-/) as string,
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'VMCreated', status: 'True', reason: 'CreationSucceeded' }),
      ]) as unknown,
    },
  });
  expect(told.get('VirtualMachine default/tide')).toMatchObject({ status: { phase: 'Stopped' } });
  expect(told.get('ProxmoxCluster default/factory')).toMatchObject({
    status: { ready: true, version: '9.2.11', nodes: [{ name: 'pve1', ready: true }, {}, {}] },
  });
  expect(told.get('ProxmoxNode default/first')).toMatchObject({
    status: {
      ready: true,
      vmCount: expect.any(Number) as number,
      resources: { memory: { used: expect.any(Number) as number } },
    },
  });
});

test('status of two desired states is YAML too: a document each', async () => {
  const state = (owner: string): string =>
    `version: 1\nowner: ${owner}\ncluster: {name: lab}\nmachines: [{id: ${owner}, image: {blank: true}}]\n`;
  const line = ['status', '--spec', '-', '-o', 'yaml'];
  const { out } = await runLine(line, programAccess(simulator), `${state('one')}---\n${state('two')}`);
  const documents = await documentsOf(out, 'status');
  expect(documents.map(({ json }) => json)).toMatchObject([
    { machines: { one: { phase: 'Pending' } } },
    { machines: { two: { phase: 'Pending' } } },
  ]);
});

test.each([
  [['--owner', ''], /--owner is empty: give the first part of the owner, or leave it out\./],
  [
    ['--secrets', '/nowhere/to be found'],
    /--secrets '\/nowhere\/to be found' is no folder that can be read\. Name/,
  ],
])('%j is refused before anything is read', async (words, says) => {
  const ran = await runLine(['plan', '--manifests', placed('provider'), ...words], environment());
  expect(ran).toMatchObject({ code: 2, said: expect.stringMatching(says) });
});

test('a snapshot is taken of the machine that it names', async () => {
  const file = join(folder, 'snapshot.txt');
  const machine =
    'apiVersion: infra.virtrigaud.io/v1beta1\nkind: VirtualMachine\nmetadata: {name: buoy}\nspec: {}\n';
  const snapshot =
    'apiVersion: infra.virtrigaud.io/v1beta1\nkind: VMSnapshot\nmetadata: {name: before}\nspec: {vmRef: {name: buoy}}\n';
  writeFileSync(file, `${machine}---\n${snapshot}`);
  const around = { ...programAccess(simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
  const ran = await runLine(['plan', '--manifests', file], around);
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('then take snapshot before') });
});

test('a machine with UEFI on a template in qcow2 can have its snapshot, and the second run writes nothing', async () => {
  const file = join(folder, 'uefi.txt');
  const head = 'apiVersion: infra.virtrigaud.io/v1beta1\n';
  const texts = [
    'kind: VMClass\nmetadata: {name: broad}\nspec: {cpus: 2, memory: 1Gi, spec: {machine: q35, bios: uefi}}\n',
    'kind: VirtualMachine\nmetadata: {name: jetty}\nspec: {template: ubuntu-22.04, classRef: {name: broad}}\n',
    'kind: VMSnapshot\nmetadata: {name: before}\nspec: {vmRef: {name: jetty}}\n',
  ];
  writeFileSync(file, texts.map(text => `${head}${text}`).join('---\n'));
  const around = { ...programAccess(simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
  const line = ['reconcile', '--manifests', file];
  takeWrites(simulator);
  expect(await runLine(line, around)).toMatchObject({ code: 0 });
  expect(Object.keys(ours('jetty')?.snapshots ?? {})).toEqual(['before']);
  takeWrites(simulator);
  expect(await runLine(line, around)).toMatchObject({ code: 0 });
  expect(takeWrites(simulator)).toEqual([]);
});

describe('cloud-init data', () => {
  const machine = (inner: string): string =>
    `apiVersion: infra.virtrigaud.io/v1beta1\nkind: VirtualMachine\nmetadata: {name: buoy}\nspec: {template: ubuntu-22.04, userData: {cloudInit: {${inner}}}}\n`;
  const plan = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    const access = { ...programAccess(simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
    return runLine(['plan', '--manifests', join(folder, name)], access);
  };

  test('is planned, in the text or by a Secret, and a Secret is not shown', async () => {
    const inline = await plan('data.txt', machine('inline: "#cloud-config\\npackages: [nginx]"'));
    expect(inline).toMatchObject({ code: 0, out: expect.stringContaining('an ISO with its data on') });
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: seed}\nstringData: {all: "#cloud-config\\n# kept-to-itself"}\n';
    const ran = await plan('secret.txt', `${machine('secretRef: {name: seed, key: all}')}---\n${secret}`);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('an ISO with its data on') });
    expect(`${ran.out}${ran.said}`).not.toContain('kept-to-itself');
  });

  test('of no kind that cloud-init knows is refused at its place', async () => {
    const ran = await plan('kind.txt', machine('inline: "packages: [nginx]"'));
    expect(ran).toMatchObject({
      code: 2,
      said: expect.stringContaining('begins with no line that cloud-init knows'),
    });
  });
});
