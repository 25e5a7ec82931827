import type { Action } from '../../../reconciler/action';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState } from '../../../spec';
import { marked } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import type { Json, Lab } from '../../support/cluster/lab';
import { desiredJson, lab, labWorld } from '../../support/cluster/lab';

const disk = qcow2(2 ** 30);
const NODES = ['pve1', 'pve2', 'pve3'];
/** Where the root disk is wanted: not said, on a storage of each node, on shared storage, on one that pve1 alone has. */
const STORAGES = [undefined, 'local-lvm', 'shared', 'fast'];

let cluster: Lab;
let server: ImageServer;
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk });
  const world = labWorld();
  const fast = { storage: 'fast', type: 'dir', path: '/fast', content: 'images', shared: false };
  world.storages.push({ ...fast, nodes: ['pve1'], enabled: true, total: 2 ** 40 });
  cluster = await lab({ world, taskMs: 0 });
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const prepared = (fields: Json): Json[] => [
  { name: 'debian', url: server.url('/debian.qcow2'), checksum: sha256(disk), ...fields },
];

/** What a machine is made from, and what is made ready for it. */
const KINDS: Record<string, { image: () => Json; images?: () => Json[] }> = {
  'a template on shared storage': { image: () => ({ template: 'ubuntu-22.04' }) },
  'a template on storage of its node': { image: () => ({ template: 'debian-12' }) },
  'an image made ready on shared storage': {
    image: () => ({ machine: 'debian' }),
    images: () => prepared({ diskStorage: 'shared' }),
  },
  'an image made ready on one node': {
    image: () => ({ machine: 'debian' }),
    images: () => prepared({ diskStorage: 'local-lvm', nodes: ['pve1'] }),
  },
  'an image made ready on two nodes': {
    image: () => ({ machine: 'debian' }),
    images: () => prepared({ diskStorage: 'local-lvm', nodes: ['pve1', 'pve2'] }),
  },
  'an address': { image: () => ({ url: server.url('/debian.qcow2'), checksum: sha256(disk) }) },
};

interface Cell {
  node: string;
  storage: string | undefined;
  machine: Json;
}

const cellsOf = (image: Json): Cell[] =>
  NODES.flatMap((node, n) =>
    STORAGES.slice(image['url'] === undefined ? 0 : 1).map((storage, s) => {
      const disks = storage === undefined ? {} : { disks: [{ name: 'root', storage }] };
      const machine = { id: `m${n}${s}`, image, placement: { nodes: [node] }, memory: '64Mi', ...disks };
      return { node, storage, machine };
    }),
  );

/** How each machine came to its node, as its plan said it; or that it was refused, with every refusal checked. */
async function outcomes(kind: string, clone: string | undefined): Promise<string[]> {
  const { image, images } = KINDS[kind]!;
  const cells = cellsOf({ ...image(), ...(clone === undefined ? {} : { clone }) });
  const machines = cells.map(({ machine }) => machine);
  const parsed = parseDesiredState({ ...desiredJson(machines), ...(images && { images: images() }) });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const endings = await cluster.run(parsed.value);
  return cells.map(({ node, storage, machine }) => {
    const ending = endings.find(each => each.machine === machine['id']);
    const [guest] = marked(cluster.world, String(machine['id']));
    if (ending && 'error' in ending) {
      expect(guest).toBeUndefined();
      expect(String(ending.error)).toMatch(SAYS_WHAT_LACKS);
      return 'r';
    }
    expect([guest?.node, guest?.running === null]).toEqual([node, false]);
    if (storage !== undefined) expect(guest?.config['scsi0']).toMatch(new RegExp(`^${storage}:`));
    return wayOf(String(machine['id']));
  });
}

const SAYS_WHAT_LACKS =
  /the template is on pve\d, on storage that is not shared, and |a linked clone |storage '?\w+'? |linked/;

/** The way that the first plan named, which is the one that the run then went. */
function wayOf(machine: string): string {
  const events = cluster.events.filter(event => 'machine' in event && event.machine === machine);
  const plans = events.flatMap(event => (event.kind === 'planned' ? [event.plan.actions] : []));
  const planned = plans.find(actions => actions.length > 0) ?? [];
  const done = events.flatMap(event => (event.kind === 'started' ? [event.action] : []));
  expect(planned.flatMap(stepOf)).toEqual(done.flatMap(stepOf));
  return WAYS[done.flatMap(stepOf).join(' ')] ?? '?';
}

/** s: over shared storage, b: beside its source, m: beside its source and then moved, i: imported. */
const WAYS: Record<string, string> = { over: 's', beside: 'b', 'beside move': 'm', import: 'i' };

function stepOf(action: Action): string[] {
  if (action.kind === 'migrate') return ['move'];
  if (action.kind === 'create') return ['import'];
  if (action.kind !== 'clone') return [];
  return [action.source.node === action.node ? 'beside' : 'over'];
}

/** For each node, the ways of the four storages; r: refused. */
const TABLE: [keyof typeof KINDS, 'linked' | 'full' | undefined, string][] = [
  ['a template on shared storage', undefined, 'bbbb smsr smsr'],
  ['a template on shared storage', 'linked', 'brbr srsr srsr'],
  ['a template on shared storage', 'full', 'bbbb smsr smsr'],
  ['a template on storage of its node', undefined, 'bbbb mmmr mmmr'],
  ['a template on storage of its node', 'linked', 'bbrr rrrr rrrr'],
  ['a template on storage of its node', 'full', 'bbbb mmmr mmmr'],
  ['an image made ready on shared storage', undefined, 'bbbb smsr smsr'],
  ['an image made ready on shared storage', 'linked', 'brbr srsr srsr'],
  ['an image made ready on shared storage', 'full', 'bbbb smsr smsr'],
  ['an image made ready on one node', undefined, 'bbbb mmmr mmmr'],
  ['an image made ready on one node', 'linked', 'bbrr rrrr rrrr'],
  ['an image made ready on one node', 'full', 'bbbb mmmr mmmr'],
  ['an image made ready on two nodes', undefined, 'bbbb bbbr mmmr'],
  ['an image made ready on two nodes', 'linked', 'bbrr bbrr rrrr'],
  ['an image made ready on two nodes', 'full', 'bbbb bbbr mmmr'],
  ['an address', undefined, 'iii iir iir'],
];

test.each(TABLE)(
  '%s, clone: %s: each machine runs on its node, or is refused with what lacks (%s)',
  async (kind, clone, ways) => {
    expect((await outcomes(kind, clone)).join('')).toBe(ways.replaceAll(' ', ''));
  },
);
