import { reviewPlan } from '../../../reconciler/review/review-plan';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const small = { image: { template: 'ubuntu-22.04' }, memory: '1Gi' };
const disk = qcow2(2 ** 31);
const newer = qcow2(2 ** 32);
const template = `debian-${sha256(disk).slice(7, 17)}`;
const CONFIGURATION = `
variable "call" { type = any }
module "lab" {
  source       = "./proxmox"
  owner        = "lab"
  cluster      = { name = "lab" }
  machines     = try(var.call.machines, {})
  nodes        = try(var.call.nodes, {})
  images       = try(var.call.images, {})
  snapshots    = try(var.call.snapshots, {})
  own_observer = try(var.call.own, [])
}
`;

describeEachEngine('what a call of the module says besides its machines', engine => {
  let lab: PlainHcl;
  let server: ImageServer;
  beforeAll(async () => {
    server = await imageServer({ '/debian.qcow2': disk, '/newer.qcow2': newer });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    lab = await plainHcl(engine);
    lab.write(CONFIGURATION);
    await done('init');
  });
  afterEach(() => lab.close());

  async function done(...args: string[]): Promise<void> {
    const { code, text } = await lab.run(...args, '-input=false');
    if (code !== 0) throw new Error(text.slice(-6000));
  }
  const say = (call: object): void => lab.put('call.auto.tfvars.json', JSON.stringify({ call }));
  /** Applies what is said; the next plan is empty. */
  const settle = async (call: object): Promise<void> => {
    say(call);
    await done('apply', '-auto-approve');
    const { code, text } = await lab.plan();
    if (code !== 0) throw new Error(text.slice(-6000));
  };
  const refused = async (call: object): Promise<string> => {
    say(call);
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    return text.replace(/[\s│]+/g, ' ');
  };
  /** What the review says of a plan: each machine, and of its snapshots. */
  const reviewed = async (call: object): Promise<string[]> => {
    say(call);
    await done('plan', '-out=plan.bin');
    const { machines } = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    return machines.flatMap(({ id, verdict, snapshots }) => [
      `${id}: ${verdict}`,
      ...snapshots.map(({ does, name }) => `${does} ${name}`),
    ]);
  };
  const image = () => ({
    url: server.url('/debian.qcow2'),
    checksum: sha256(disk),
    diskStorage: 'local-lvm',
    storage: null,
  });

  test('nodes: what is placed keeps to them, alone and together', async () => {
    const nodes = { pve1: { schedulable: false }, pve2: { maxVMs: 50 }, pve3: { schedulable: false } };
    await settle({ nodes, machines: { web: small, db: small, own: small }, own: ['own'] });
    expect(['web', 'db', 'own'].map(id => lab.guest(id)?.node)).toEqual(['pve2', 'pve2', 'pve2']);
    const { actions } = await lab.planned();
    expect(actions).toEqual({});
    expect(await refused({ nodes: { pve2: { maxVM: 1 } }, machines: { web: small } })).toContain(
      'Did you mean "maxVMs"?',
    );
    expect(await refused({ nodes: { pve2: { nodeName: 'pve1' } }, machines: { web: small } })).toContain(
      'its key and the call say that',
    );
  }, 120_000);

  test('snapshots: taken with the machine, described, deleted when they leave, gone with the machine', async () => {
    const clean = { web: { clean: { description: 'one' } } };
    expect(await reviewed({ machines: { web: small, db: small }, snapshots: clean })).toEqual([
      'db: create',
      'web: create',
      'take clean',
    ]);
    await settle({ machines: { web: small, db: small }, snapshots: clean });
    const held = () => lab.guest('web')?.snapshots ?? {};
    expect(held()['clean']?.description).toMatch(/^one\n<!-- pvr:\{.*"m":"web".*\} -->$/);

    await settle({
      machines: { web: small, db: small },
      snapshots: { web: { clean: { description: 'two' } } },
    });
    expect(held()['clean']?.description).toMatch(/^two\n/);
    const other = {
      machines: { web: small, db: small },
      snapshots: { web: { other: { onDestroy: 'keep' } } },
    };
    expect(await reviewed(other)).toEqual(['web: change', 'delete clean', 'take other', 'db: unchanged']);
    await settle(other);
    expect(Object.keys(held())).toEqual(['other']);
    // one that leaves goes before its machine does
    await settle({ machines: { db: small } });
    expect(lab.guests()).toEqual(['db']);

    const wrong = { machines: { db: small }, snapshots: { web: { a1: {} } } };
    expect(await refused(wrong)).toContain('Snapshots are of machines that the call does not have: web.');
    const mistyped = { machines: { db: small }, snapshots: { db: { a1: { memory: true } } } };
    expect(await refused(mistyped)).toContain('is no known field');
  }, 180_000);

  test('images: a template first, then its clones; other content is another template; all go together', async () => {
    const machines = {
      web: { image: { machine: 'debian' } },
      own: { image: { machine: 'debian' } },
      db: small,
    };
    const call = { images: { debian: image() }, machines, own: ['own'] };
    expect(await reviewed(call)).toEqual(['db: create', `${template}: create`, 'own: create', 'web: create']);
    await settle(call);
    expect(lab.guests()).toEqual(['db', template, 'own', 'web'].sort());
    expect(lab.guest(template)?.config['template']).toBe('1');
    expect(Object.keys((await lab.planned()).actions)).toEqual([]);
    expect(await reviewed({ ...call, machines: { ...machines, db: { ...small, memory: '2Gi' } } })).toEqual(
      expect.arrayContaining(['db: waits', 'web: unchanged', 'own: unchanged', `${template}: unchanged`]),
    );
    const other = { ...image(), url: server.url('/newer.qcow2'), checksum: sha256(newer) };
    expect(await refused({ ...call, images: { debian: other } })).toContain(
      'give image "debian" its former checksum again',
    );
    await settle({ ...call, images: { debian: image(), newer: other } });
    expect(lab.guests()).toContain(`newer-${sha256(newer).slice(7, 17)}`);
    await done('destroy', '-auto-approve');
    expect(lab.guests()).toEqual([]);
  }, 180_000);

  test('an image that is wrong is refused by its name and field; one that stands there is not built', async () => {
    const machines = { web: { image: { machine: 'debian' } } };
    expect(await refused({ images: { debian: { url: server.url('/debian.qcow2') } }, machines })).toMatch(
      /images\[debian\]|images\[0\]/,
    );
    expect(await refused({ images: { web: image() }, machines: { web: small } })).toContain(
      'An image has the name of a machine: web.',
    );
    expect(await refused({ images: { debian: null }, machines })).toContain('An entry is null');
    await settle({ images: { debian: { template: 'ubuntu-22.04' } }, machines });
    expect(lab.guests()).toEqual(['web']);
  }, 120_000);
});
