import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState } from '../../../spec';
import { runLine } from '../../reconciler/walk/live';
import { foreignWrites, marked } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desiredJson, errorsOf, lab, type Json } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { killedAt } from '../../support/processes/killed-runs';
import { OwnProcesses } from '../../support/processes/own-processes';
import { EVERY } from '../../support/turns';

/** Longer than any test: the request hangs until the cluster is closed. */
const FOR_EVER = 3_600_000;

const disk = qcow2(2 ** 31);
const checksum = sha256(disk);
let processes: OwnProcesses;
let server: ImageServer;
let folder: string;
beforeAll(async () => {
  processes = new OwnProcesses();
  folder = mkdtempSync(path.join(tmpdir(), 'images-'));
  writeFileSync(path.join(folder, 'disk.qcow2'), disk);
});
afterAll(() => {
  processes.end();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => void (server = await imageServer({ '/disk.qcow2': disk })));
afterEach(() => server.close());

/** A desired state, and the templates and machines that come of it. */
interface Flow {
  document: () => Json;
  made: string[];
}

const digits = checksum.slice(7, 17);
const address = () => ({ url: server.url('/disk.qcow2'), checksum });
const file = () => ({ file: path.join(folder, 'disk.qcow2'), checksum });
const clone = (node: string): Json => ({
  ...{ id: `on-${node}`, image: { machine: 'debian' }, placement: { nodes: [node] }, power: 'stopped' },
});
const prepared = { name: 'debian', diskStorage: 'local-lvm', nodes: ['pve1', 'pve2'] };

const FLOWS: Record<string, Flow> = {
  'a machine of an address': {
    document: () =>
      desiredJson([{ id: 'web', image: address(), disks: [{ name: 'root', storage: 'local-lvm' }] }]),
    made: ['web'],
  },
  'a template on each of two nodes, and a clone of each': {
    document: () => ({
      ...desiredJson([clone('pve1'), clone('pve2')]),
      images: [{ ...prepared, ...address() }],
    }),
    made: [`debian-${digits}-pve1`, `debian-${digits}-pve2`, 'on-pve1', 'on-pve2'],
  },
  'a template of a local file, and a clone': {
    document: () => ({
      ...desiredJson([clone('pve1')]),
      images: [{ ...prepared, ...file(), nodes: ['pve1'] }],
    }),
    made: [`debian-${digits}-pve1`, 'on-pve1'],
  },
};

type Death = { k: number; work: 'done' | 'not-done'; methods?: string[] };
const writing = { methods: ['POST', 'PUT', 'DELETE'] };
const SOME: Death[] = [
  { k: 0, work: 'done', ...writing },
  { k: 3, work: 'done', ...writing },
];

/** One run dies, the next brings everything about, and gc names what is left. Whether the run lived that long. */
async function dies({ document, made }: Flow, { k, ...met }: Death): Promise<boolean> {
  const parsed = parseDesiredState(document());
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const cluster = await lab({ taskMs: 100 });
  const { work, ...kinds } = met;
  const effect = { kind: 'slow', ms: FOR_EVER, work } as const;
  const downloads = server.downloads();
  cluster.simulator.faults.add({ path: '/**', ...kinds, after: k, effect });
  const wasKilled = await killedAt(cluster, processes.document(cluster.simulator, document()));
  expect({ met: { k, ...met }, errors: errorsOf(await cluster.run(parsed.value)) }).toEqual({
    met: { k, ...met },
    errors: [],
  });
  for (const id of made) {
    const [guest, ...more] = marked(cluster.world, id);
    expect({ k, id, more, mark: guest?.config['description'] }).toEqual({
      ...{ k, id, more: [], mark: expect.not.stringContaining('"b":1') as string },
    });
    expect(guest?.config['template']).toBe(id.startsWith('debian-') ? '1' : undefined);
  }
  const perNode = cluster.world.volumes.filter(({ content }) => content === 'import');
  expect(server.downloads() - downloads).toBeLessThanOrEqual(1);
  const { out } = await runLine(
    ['gc', '--spec', '-', '--json'],
    programAccess(cluster.simulator),
    JSON.stringify(document()),
  );
  const named = (JSON.parse(out) as { files: { volume: string }[] }).files.map(({ volume }) => volume);
  // the file that is wanted is there once; whatever stands beside it is told
  expect(perNode.map(({ volid }) => volid).filter(volid => !named.includes(volid))).toHaveLength(1);
  expect([brokenInvariants(cluster.simulator.sim), foreignWrites(cluster)]).toEqual([[], []]);
  await cluster.close();
  return !wasKilled;
}

/** In the gate a run dies at a few of its writes; with KILLS=every at each request, before it is done and after. */
describe.each(Object.entries(FLOWS))('%s', (_, flow) => {
  if (!EVERY) {
    it.each(SOME)('ends alike when the run is killed at write $k, $work', async death => {
      await dies(flow, death);
    });
    return;
  }
  it.each([{ work: 'not-done' as const }, { work: 'done' as const, ...writing }])(
    'ends alike when the run is killed at each request ($work)',
    async met => {
      let k = 0;
      while (!(await dies(flow, { k, ...met }))) k += 1;
      console.info(`${k} deaths`);
    },
    1_800_000,
  );
});
