import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { marked, writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState } from '../../../spec';

const first = qcow2(2 ** 31);
const second = qcow2(2 ** 31, 'second');
let cluster: Lab;
let server: ImageServer;
let before: (request: string) => Promise<unknown>;
beforeEach(async () => {
  before = () => Promise.resolve();
  server = await imageServer({ '/first.qcow2': first, '/second.qcow2': second });
  cluster = await lab({ before: async ({ method, path }) => void (await before(`${method} ${path}`)) });
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const UBUNTU = { template: 'ubuntu-22.04' };
const DEBIAN = { template: 'debian-12' };
const machine = (id: string, image: Json, more: Json = {}): Json => ({
  ...{ id, image, power: 'stopped', onImageChange: 'keep', ...more },
});
const run = async (line: string[], document: Json) =>
  runLine(
    [...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(document),
  );
const bring = async (document: Json) => {
  const parsed = parseDesiredState(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return errorsOf(await cluster.run(parsed.value));
};
const all = (...machines: Json[]) => desiredJson(machines);
const numberOf = (id: string) => marked(cluster.world, id)[0]?.vmid;

const STAYS =
  'stays on template ubuntu-22.04, which it was made from; image is template debian-12 now (onImageChange: "keep"). To make it anew from that, with its disks: give it onImageChange: "rebuild"';

describe('onImageChange: keep', () => {
  it('of three machines the new one takes the new image, two stay and say so', async () => {
    expect(await bring(all(machine('a', UBUNTU), machine('b', UBUNTU)))).toEqual([]);
    const were = [numberOf('a'), numberOf('b')];
    const document = all(...['a', 'b', 'c'].map(id => machine(id, DEBIAN)));
    const planned = await run(['plan', '--check'], document);
    expect(planned.code).toBe(4);
    expect(planned.out).toContain(`a: in sync\n  note: ${STAYS}`);
    expect(planned.out).toMatch(/1 to change, 2 in sync, 0 refused/);
    cluster.simulator.ledger.reset();
    const made = await run(['reconcile'], document);
    expect([made.code, made.said.split(STAYS).length]).toEqual([0, 3]);
    expect(writes(cluster.simulator).filter(line => /\/clone$/.test(line))).toEqual([
      'POST /nodes/pve1/qemu/9001/clone',
    ]);
    expect([numberOf('a'), numberOf('b')]).toEqual(were);
    cluster.simulator.ledger.reset();
    expect((await run(['plan', '--check'], document)).code).toBe(0);
    expect((await run(['reconcile'], document)).code).toBe(0);
    expect(writes(cluster.simulator)).toEqual([]);
  });

  it('is told to programs: as notes of a plan, in the outputs and their condition', async () => {
    expect(await bring(all(machine('web', UBUNTU)))).toEqual([]);
    const document = all(machine('web', DEBIAN));
    const { machines } = JSON.parse((await run(['plan', '--json'], document)).out) as {
      machines: { notes: string[]; actions: unknown[] }[];
    };
    expect(machines[0]).toMatchObject({ notes: [expect.stringContaining(STAYS)], actions: [], changes: [] });
    const told = await run(['status'], document);
    expect([told.code, told.said]).toEqual([0, expect.stringContaining(`web: ${STAYS}`)]);
    for (const line of [
      ['status', '-o', 'json'],
      ['reconcile', '--json'],
    ]) {
      const outputs = (JSON.parse((await run(line, document)).out) as { machines: Json }).machines['web'];
      expect(outputs).toMatchObject({ madeFrom: 'template ubuntu-22.04', restartRequired: false });
      expect((outputs as { conditions: Json[] }).conditions[0]).toMatchObject({
        ...{ type: 'Ready', status: 'True' },
        message: expect.stringContaining(STAYS),
      });
    }
  });

  it('ends by the printed remedy: it is made anew from the new image', async () => {
    expect(await bring(all(machine('web', UBUNTU)))).toEqual([]);
    const document = all(machine('web', DEBIAN, { onImageChange: 'rebuild' }));
    expect((await run(['plan'], document)).out).toContain(
      'image: template ubuntu-22.04 -> template debian-12',
    );
    expect((await run(['reconcile'], document)).code).toBe(0);
    const after = all(machine('web', DEBIAN));
    expect((await run(['plan'], after)).out).toBe('web: in sync\n0 to change, 1 in sync, 0 refused.\n');
    expect((await run(['status', '-o', 'json'], after)).out).toContain('"madeFrom": "template debian-12"');
  });

  it('does not hinder a rebuild for another reason, which takes the new image and says so', async () => {
    const small = { rebuildOn: ['vmid'], vmid: 20_001 };
    expect(await bring(all(machine('web', UBUNTU, small)))).toEqual([]);
    const document = all(machine('web', DEBIAN, { ...small, vmid: 20_002 }));
    expect((await run(['plan'], document)).out).toContain(
      'note: it is made anew from template debian-12; it was made from template ubuntu-22.04',
    );
    expect(await bring(document)).toEqual([]);
    expect((await run(['status', '-o', 'json'], document)).out).toContain('"madeFrom": "template debian-12"');
  });

  it('holds its own disk sizes, whatever the size of the new image', async () => {
    const disks = (size: string) => ({ disks: [{ name: 'root', size }] });
    expect(await bring(all(machine('web', UBUNTU, disks('40Gi'))))).toEqual([]);
    const vmid = numberOf('web')!;
    expect((await run(['plan', '--check'], all(machine('web', DEBIAN, disks('40Gi'))))).code).toBe(0);
    expect(await bring(all(machine('web', DEBIAN, disks('41Gi'))))).toEqual([]);
    expect(cluster.world.guests[vmid]?.config['scsi0']).toContain('size=41G');
    const shrunk = await bring(all(machine('web', DEBIAN, disks('30Gi'))));
    expect(shrunk.join()).toContain('has 41Gi and cannot shrink to 30Gi');
  });

  it.each<[string, Json]>([
    ['a template that is nowhere', { template: 'not-there' }],
    ['a template by its number', { template: 9999 }],
    ['a template by its tag', { template: { tag: 'golden' } }],
    ['a machine that is nowhere', { machine: 'other' }],
    ['a snapshot', { template: 'ubuntu-22.04', snapshot: 'clean' }],
    ['an ISO', { iso: 'local:iso/not-there.iso' }],
    ['an address', { url: 'http://192.0.2.1/new.qcow2', checksum: sha256(second) }],
    ['a file', { file: '/nowhere/new.qcow2', checksum: sha256(second) }],
    ['nothing', { blank: true }],
  ])('asks nothing of the new image: %s', async (_, image) => {
    expect(await bring(all(machine('web', UBUNTU)))).toEqual([]);
    const others = image['machine'] === undefined ? [] : [machine('other', UBUNTU, { mode: 'paused' })];
    const [storage] = marked(cluster.world, 'web')[0]!.config['scsi0']!.split(':');
    const root = image['checksum'] === undefined ? {} : { disks: [{ name: 'root', storage }] };
    expect(await bring(all(machine('web', UBUNTU, root)))).toEqual([]);
    const document = all(machine('web', image, root), ...others);
    const { code, out } = await run(['plan', '--check'], document);
    expect([code, out]).toEqual([0, expect.stringContaining('note: stays on template ubuntu-22.04')]);
    cluster.simulator.ledger.reset();
    expect(await bring(document)).toEqual([]);
    expect(writes(cluster.simulator)).toEqual([]);
  });

  it('of a mark that remembers no image: it stays, and nothing is claimed', async () => {
    expect(await bring(all(machine('web', UBUNTU)))).toEqual([]);
    const { config } = cluster.world.guests[numberOf('web')!]!;
    config['description'] = config['description']!.replace(/,"i":"[^"]*"/, '');
    const { code, out } = await run(['plan', '--check'], all(machine('web', DEBIAN)));
    expect([code, out]).toEqual([0, 'web: in sync\n0 to change, 1 in sync, 0 refused.\n']);
  });

  it('of one whose template somebody deletes between plan and apply', async () => {
    const full = machine('web', { ...UBUNTU, clone: 'full' });
    expect(await bring(all(full))).toEqual([]);
    const document = all(machine('web', DEBIAN, { description: 'new' }));
    expect((await run(['plan'], document)).out).toContain(STAYS);
    before = async request => {
      if (request !== `GET /nodes/${marked(cluster.world, 'web')[0]!.node}/qemu/${numberOf('web')}/pending`)
        return;
      before = () => Promise.resolve();
      for (const { vmid, node, config } of Object.values(cluster.world.guests))
        if (/^(ubuntu-22.04|debian-12)$/.test(config['name'] ?? ''))
          await administratorOf(cluster)('DELETE', `/nodes/${node}/qemu/${vmid}`);
    };
    const vmid = numberOf('web');
    expect((await run(['reconcile'], document)).code).toBe(0);
    expect([numberOf('web'), marked(cluster.world, 'web')[0]?.config['description']]).toEqual([
      vmid,
      expect.stringMatching(/^new\n/),
    ]);
  });
});

describe('a prepared image gets another content', () => {
  const prepared = (bytes: Buffer, file: string): Json => ({
    ...{ name: 'golden', url: server.url(file), checksum: sha256(bytes), diskStorage: 'shared' },
  });
  const document = (image: Json, ...machines: Json[]) => ({ ...all(...machines), images: [image] });
  const templates = () =>
    Object.values(cluster.world.guests)
      .filter(({ config, vmid }) => config['template'] === '1' && vmid > 90_000)
      .map(({ config }) => config['name']);
  const nameOf = (bytes: Buffer) => `golden-${sha256(bytes).slice(7, 17)}`;

  it('the former template stays for who needs it, who is named, and goes by gc once nobody does', async () => {
    const golden = { machine: 'golden' };
    const old = prepared(first, '/first.qcow2');
    const newer = prepared(second, '/second.qcow2');
    expect(await bring(document(old, machine('web', golden)))).toEqual([]);
    const web = numberOf('web');

    const rolled = document(newer, machine('web', golden), machine('new', golden));
    const { code, said } = await run(['reconcile'], rolled);
    expect([code, numberOf('web')]).toEqual([0, web]);
    expect(said).toContain(`web: stays on machine ${nameOf(first)}, which it was made from`);
    expect(templates().sort()).toEqual([nameOf(first), nameOf(second)].sort());
    expect(said).toMatch(
      new RegExp(
        `orphan ${nameOf(first)}: .*It is needed and stays: linked clones of it are VM ${web}\\. .*gc .*--yes`,
      ),
    );
    const kept = await run(['gc', '--yes'], rolled);
    expect(kept.out).toMatch(new RegExp(`${nameOf(first)}.*${web}`));
    expect(templates()).toHaveLength(2);

    const anew = document(
      newer,
      machine('web', golden, { onImageChange: 'rebuild' }),
      machine('new', golden),
    );
    expect((await run(['reconcile'], anew)).code).toBe(0);
    const gone = await run(['gc', '--yes', '--count', '1'], rolled);
    expect([gone.out + gone.said, templates()]).toEqual([
      expect.stringContaining(nameOf(first)),
      [nameOf(second)],
    ]);
    expect(templates()).toEqual([nameOf(second)]);
    expect((await run(['plan', '--check'], rolled)).code).toBe(0);
  });
});

describe('the new template goes while the machine is stopped to be made anew', () => {
  const act = (method: string, form?: Record<string, string>) =>
    administratorOf(cluster)(method, `/nodes/pve1/qemu/9001${form ? '/config' : ''}`, form);
  const during = (power: string, does: () => Promise<unknown> | undefined): void => {
    const request = power === 'running' ? /status\/shutdown$/ : /^GET \/nodes\/\w+\/tasks$/;
    before = async asked => {
      if (!request.test(asked)) return;
      before = () => Promise.resolve();
      await does();
    };
  };

  it.each<[string, string, () => Promise<unknown> | undefined, string]>([
    ['running', 'deletes', () => act('DELETE'), 'which is not there any more'],
    ['stopped', 'deletes', () => act('DELETE'), 'which is not there any more'],
    ['running', 'renames', () => act('PUT', { name: 'other' }), `which is called 'other' now`],
    [
      'running',
      'makes a guest of',
      () => void delete cluster.world.guests[9001]?.config['template'],
      'which is no template any more',
    ],
  ])('of a %s machine, somebody %s it: the machine stays as it was', async (power, _, does, why) => {
    const running = { power, shutdownTimeout: '1s', onImageChange: 'rebuild' };
    expect(await bring(all(machine('web', UBUNTU, running)))).toEqual([]);
    const uuid = marked(cluster.world, 'web')[0]!.config['smbios1'];
    during(power, does);
    const said = (await bring(all(machine('web', DEBIAN, running)))).join();
    expect(said).toContain(
      `it was to be made anew from VM 9001 on pve1, ${why}. The machine was not destroyed.`,
    );
    const [after] = marked(cluster.world, 'web');
    expect([after?.config['smbios1'], after?.running != null]).toEqual([uuid, power === 'running']);
    expect(writes(cluster.simulator).filter(line => /^DELETE .*qemu\/10/.test(line))).toEqual([]);
  });
});

describe('the disk of the new template has another size', () => {
  /** Somebody grows the disk of a template by hand. */
  const grown = async (vmid: number, size: string): Promise<void> => {
    const { node } = cluster.world.guests[vmid]!;
    await administratorOf(cluster)('PUT', `/nodes/${node}/qemu/${vmid}/resize`, { disk: 'scsi0', size });
  };
  const sized = (image: Json, size: string | undefined, onImageChange: string): Json =>
    all(machine('web', image, { disks: [{ name: 'root', ...(size && { size }) }], onImageChange }));
  const uuid = () => marked(cluster.world, 'web')[0]?.config['smbios1'];

  it.each<[string, string, string | undefined, string, [number, RegExp, string]]>([
    [
      'larger than the spec says: refused',
      '60G',
      '40Gi',
      'rebuild',
      [3, /has 60Gi and cannot shrink to 40Gi/, '40G'],
    ],
    ['larger, and the spec says no size', '60G', undefined, 'rebuild', [4, /would destroy it/, '60G']],
    ['smaller than the spec says: it grows', '20G', '40Gi', 'rebuild', [4, /would destroy it/, '40G']],
    ['larger, and the machine is kept', '60G', '40Gi', 'keep', [0, /in sync/, '40G']],
  ])('%s', async (_, template, size, policy, [exit, want, then]) => {
    expect(await bring(sized(UBUNTU, size, 'keep'))).toEqual([]);
    const was = uuid();
    await grown(9001, template);
    const { code, out } = await run(['plan', '--check'], sized(DEBIAN, size, policy));
    expect([code, out]).toEqual([exit, expect.stringMatching(want)]);
    // what is refused takes nothing with it
    expect(out.includes('LOST')).toBe(false);
    expect(await bring(sized(DEBIAN, size, policy))).toHaveLength(exit === 3 ? 1 : 0);
    const disk = cluster.world.guests[numberOf('web')!]?.config['scsi0'];
    expect([uuid() === was, disk]).toEqual([exit !== 4, expect.stringContaining(`size=${then}`)]);
  });
});
