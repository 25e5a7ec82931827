import { runLine } from '../../reconciler/walk/live';
import { programAccess } from '../../support/cluster/program-access';
import { destroyMachine } from '../../../reconciler/apply/destroy/destroy';
import type { Before } from '../../../simulator/control/site';
import { applyEvent } from '../../../simulator/events/apply';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState, templatesOf } from '../../../spec';
import { administratorOf } from '../../support/cluster/administrator';
import { marked, writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { numbersBelow } from '../../support/in-parallel';
import type { Json, Lab } from '../../support/cluster/lab';
import { desiredJson, errorsOf, lab, labWorld } from '../../support/cluster/lab';
import { ADMINISTRATOR } from '../../support/cluster/start-cluster';

const disk = qcow2(2 ** 31);
const other = qcow2(2 ** 31, 'other');
let cluster: Lab;
let server: ImageServer;
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk, '/other.qcow2': other });
  cluster = await lab();
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const image = (fields: Json = {}): Json => ({
  ...{ name: 'debian', url: server.url('/debian.qcow2'), checksum: sha256(disk), diskStorage: 'shared' },
  ...fields,
});
const clone = (id: string, fields: Json = {}): Json => ({
  ...{ id, image: { machine: 'debian' }, power: 'stopped', ...fields },
});
const state = (images: Json[], machines: Json[]) => {
  const parsed = parseDesiredState({ ...desiredJson(machines), images });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};
const bring = async (images: Json[], ...machines: Json[]) =>
  errorsOf(await cluster.run(state(images, machines)));
const templates = () =>
  Object.values(cluster.world.guests).filter(
    ({ config, vmid }) => config['template'] === '1' && vmid > 90_000,
  );

test('twenty machines of one image: one download, one template, twenty linked clones', async () => {
  const all = numbersBelow(20).map(index => clone(`m${index}`));
  expect(await bring([image()], ...all)).toEqual([]);
  const [base] = templates();
  expect(base?.config['name']).toBe(`debian-${sha256(disk).slice(7, 17)}`);
  const clones = all.flatMap(({ id }) => marked(cluster.world, String(id)));
  expect(clones.filter(({ config }) => config['scsi0']?.includes(`base-${base?.vmid}-`))).toHaveLength(20);
  expect([server.downloads(), templates().length]).toEqual([1, 1]);
  cluster.simulator.ledger.reset();
  expect(await bring([image()], ...all)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a template on each of some nodes: each machine is a linked clone of the one beside it', async () => {
  const images = [image({ nodes: ['pve1', 'pve2', 'pve3'], diskStorage: 'local-lvm' })];
  const all = numbersBelow(9).map(index => clone(`m${index}`));
  expect(await bring(images, ...all)).toEqual([]);
  expect(
    templates()
      .map(({ node }) => node)
      .sort(),
  ).toEqual(['pve1', 'pve2', 'pve3']);
  const clones = all.flatMap(({ id }) => marked(cluster.world, String(id)));
  const bases = new Map(templates().map(({ node, vmid }) => [node, vmid]));
  expect(clones).toHaveLength(9);
  expect(new Set(clones.map(({ node }) => node)).size).toBeGreaterThan(1);
  const paths = writes(cluster.simulator).flatMap(
    line => /^POST \/nodes\/(.*)\/qemu\/(\d+)\/clone$/.exec(line) ?? [],
  );
  const sources = paths.filter((_, index) => index % 3 > 0);
  expect(sources).toHaveLength(18);
  expect(
    sources.filter((node, index) => index % 2 === 0 && bases.get(node) !== Number(sources[index + 1])),
  ).toEqual([]);
  expect(await bring(images, ...all)).toEqual([]);
  expect(server.downloads()).toBe(1);
});

test('another node gets a template later, and nothing is done to the machines that are there', async () => {
  const only = (...nodes: string[]) => [image({ nodes, diskStorage: 'local-lvm' })];
  expect(await bring(only('pve1'), clone('web'))).toEqual([]);
  const [before] = marked(cluster.world, 'web');
  const was = { ...before?.config };
  expect(await bring(only('pve1', 'pve2'), clone('web'), clone('db', { node: 'pve2' }))).toEqual([]);
  expect(marked(cluster.world, 'web')[0]?.config).toEqual(was);
  expect(marked(cluster.world, 'db')[0]).toMatchObject({ node: 'pve2' });
  expect(templates()).toHaveLength(2);
});

test('a node that is off gets no template, which is said; the machines are cloned from the others', async () => {
  await cluster.close();
  const world = labWorld();
  for (const node of world.nodes) node.online = node.name !== 'pve3';
  for (const guest of Object.values(world.guests)) if (guest.node === 'pve3') guest.running = null;
  cluster = await lab({ world });
  const images = [image({ nodes: ['pve1', 'pve3'], diskStorage: 'local-lvm' })];
  const errors = await bring(images, clone('a'), clone('b'));
  expect(errors.join('\n')).toContain('pve3');
  expect(errors).toHaveLength(1);
  expect([marked(cluster.world, 'a').length, marked(cluster.world, 'b').length]).toEqual([1, 1]);
});

test('a template whose node is off later stops no clone of the others', async () => {
  const images = [image({ nodes: ['pve1', 'pve3'], diskStorage: 'local-lvm' })];
  expect(await bring(images, clone('web', { node: 'pve1' }))).toEqual([]);
  applyEvent(cluster.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' });
  const errors = await bring(images, clone('web', { node: 'pve1' }), clone('db', { node: 'pve1' }));
  // of the template itself
  expect(errors).toEqual([expect.stringContaining('pve3')]);
  expect(marked(cluster.world, 'db')).toMatchObject([{ node: 'pve1' }]);
});

test('a new content is a new template; the old one stays for its clones', async () => {
  expect(await bring([image()], clone('web'))).toEqual([]);
  const newer = image({ name: 'newer', url: server.url('/other.qcow2'), checksum: sha256(other) });
  expect(await bring([image(), newer], clone('web'), clone('db', { image: { machine: 'newer' } }))).toEqual(
    [],
  );
  expect(templates()).toHaveLength(2);
});

describe('Terraform destroys the former template while its clone stays', () => {
  const leave = async (id: string, { most = '2s', mustHold = false } = {}) => {
    const [base] = templates();
    const held = `{"v":1,"e":"e1","l":"${most}",`;
    if (base) base.config['description'] = base.config['description']?.replace('{"v":1,', held) ?? '';
    return cluster.withRun(run =>
      destroyMachine(run, { owner: 'team/lab', ids: [id], entry: 'e1', mustHold }),
    );
  };
  const former = () => `debian-${sha256(disk).slice(7, 17)}`;

  test('it ends well, names the clone, and no entry holds the template any more', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    expect(await leave(former())).toBe('let-go');
    const [web] = marked(cluster.world, 'web');
    const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(told.join()).toMatch(new RegExp(`linked clones of it: ${web?.vmid}\\..* gc --yes removes it`));
    expect(templates()).toHaveLength(1);
    expect(templates()[0]?.config['description']).not.toContain('"e":');
  });

  test('they go together where somebody removes the last clone directly before the mark is written', async () => {
    await cluster.close();
    let looks = 0;
    let template = 0;
    let clones: string[] = [];
    const before: Before = async ({ method, path, user }) => {
      if (template === 0 || method !== 'GET' || user === ADMINISTRATOR.id) return;
      // its clones are looked for once before the wait, and again in it
      if (path.endsWith('/storage/shared/content')) looks += 1;
      if (looks < 3 || !path.endsWith(`/qemu/${template}/pending`)) return;
      const at = clones.shift();
      if (at !== undefined) expect(await administratorOf(cluster)('DELETE', at)).toBe(true);
    };
    cluster = await lab({ before });
    expect(await bring([image()], clone('web'))).toEqual([]);
    const [web] = marked(cluster.world, 'web');
    clones = [`/nodes/${web?.node}/qemu/${web?.vmid}`];
    template = templates()[0]?.vmid ?? 0;
    expect(await leave(former())).toBe('destroyed');
    expect([clones, templates()]).toEqual([[], []]);
  });

  test('its mark is not written while something waits in it: that would come with it', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    const template = cluster.world.guests[templates()[0]?.vmid ?? 0]!;
    template.pending['cores'] = '4';
    await expect(leave(former(), { mustHold: true })).rejects.toThrow(
      /is not let go: it is off, .*cores .* -> 4/,
    );
    template.pending = {};
    expect(await leave(former(), { mustHold: true })).toBe('let-go');
  });

  test('it ends so where the answer to that was lost, too', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    cluster.simulator.faults.add({
      ...{ methods: ['PUT', 'POST'], path: `/nodes/*/qemu/${templates()[0]?.vmid}/config`, count: 1 },
      effect: { kind: 'reset', work: 'done' },
    });
    expect(await leave(former(), { mustHold: true })).toBe('let-go');
    expect(JSON.stringify(cluster.events)).toMatch(/No Terraform state holds it any more(?!.*left alone)/);
  });

  test('they go together where the clone is destroyed at the same time', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    const [fate] = await Promise.all([leave(former(), { most: '60s' }), cluster.destroy('web')]);
    expect([fate, templates()]).toEqual(['destroyed', []]);
  });

  test('one that the user made is refused, with the clone', async () => {
    const base = { id: 'base', asTemplate: true, image: { blank: true } };
    const root = { disks: [{ name: 'root', storage: 'shared', size: '1Gi' }] };
    expect(await bring([], { ...base, ...root }, clone('web', { image: { machine: 'base' } }))).toEqual([]);
    await expect(leave('base')).rejects.toThrow(/there are linked clones of it: \d+\./);
    expect(templates()[0]?.config['description']).toContain('"e":"e1"');
  });
});

test('an image that is a template already builds nothing', async () => {
  expect(await bring([{ name: 'debian', template: 9000 }], clone('web'))).toEqual([]);
  expect([server.downloads(), templates()]).toEqual([0, []]);
  expect(marked(cluster.world, 'web')).toHaveLength(1);
});

test('a plan says to wait for the replica that the machine is cloned from', async () => {
  const images = [image({ nodes: ['pve1', 'pve2'], diskStorage: 'local-lvm' })];
  const document = { ...desiredJson([clone('web', { placement: { nodes: ['pve2'] } })]), images };
  const access = programAccess(cluster.simulator);
  const { out } = await runLine(['plan', '--spec', '-'], access, JSON.stringify(document));
  const id = `debian-${sha256(disk).slice(7, 17)}`;
  expect(out).toContain(`waits for machine '${id}-pve2', which it is cloned from`);
  expect(out).not.toContain(`waits for machine '${id}-pve1'`);
});

describe('what is said where an image', () => {
  const digits = sha256(disk).slice(7, 17);

  test('has new content: how a machine keeps the former one; that way is no change', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    const renewed = { url: server.url('/other.qcow2'), checksum: sha256(other) };
    expect((await bring([image(renewed)], clone('web'))).join()).toContain(
      `give image "debian" its former checksum again, which begins with "${digits}", and the new content to an image of another name`,
    );
    const both = [image(), image({ name: 'newer', ...renewed })];
    expect(await bring(both, clone('web'), clone('db', { image: { machine: 'newer' } }))).toEqual([]);
  });

  test('of another owner has the same name: what there is, and how to use it; that way works', async () => {
    expect(await bring([image()], clone('web'))).toEqual([]);
    const theirs = async (of: Json) =>
      errorsOf(await cluster.run({ ...state([of], [clone('db')]), owner: 'others' })).join('\n');
    const said = await theirs(image());
    expect(said).toContain(`of owner team/lab, machine debian-${digits}. It is a template of image "debian"`);
    expect(said).toContain(`\`template: "debian-${digits}"\` in it in place of url and checksum`);
    expect(said).not.toContain('Give this machine another');
    expect(await theirs({ name: 'debian', template: `debian-${digits}` })).toBe('');
    expect(templates()).toHaveLength(1);
  });
});

test('two runs at once build one template', async () => {
  const all = [clone('a'), clone('b')];
  expect((await Promise.all([bring([image()], ...all), bring([image()], ...all)])).flat()).toEqual([]);
  expect([server.downloads(), templates().length]).toEqual([1, 1]);
});

test('the templates of an image are machines of their own', () => {
  const wanted = state([image({ nodes: ['pve1'], templateName: 'golden' })], []).machines;
  expect(wanted).toEqual(templatesOf({ ...image({ nodes: ['pve1'], templateName: 'golden' }) } as never));
  expect(wanted).toMatchObject([{ name: 'golden-pve1', node: 'pve1', asTemplate: true }]);
});
