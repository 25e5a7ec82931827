import type { TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { SMALL } from '../../support/terraform/lab-stack';

/** Three machines, the later ones said first. */
function chain(stack: TerraformStack): void {
  new ProxmoxCluster(stack, 'lab');
  new Machine(stack, 'third', { image: Image.fromMachine('second'), power: 'stopped' });
  new Machine(stack, 'second', { image: Image.fromMachine('web'), power: 'stopped' });
  new Machine(stack, 'web', SMALL);
}

/** A template of an image of the simulated world, and two clones of it. */
function ofTemplate(stack: TerraformStack): void {
  new ProxmoxCluster(stack, 'lab');
  const base = new Machine(stack, 'base', {
    image: Image.fromUrl(UBUNTU, { checksum: `sha256:${'a'.repeat(64)}` }),
    disks: [{ name: 'root', storage: 'shared' }],
    asTemplate: true,
  });
  for (const id of ['one', 'two'])
    new Machine(stack, id, { image: Image.fromMachine(base), power: 'stopped' });
}

const UBUNTU = 'https://cloud-images.ubuntu.com/jammy/current/jammy-server-cloudimg-amd64.img';

describeEachEngine('clones of machines that are new in the same apply', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(() => lab.close());

  test('are made in their order by one apply, and nothing is left for the next', async () => {
    await lab.synth(chain);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(['web', 'second', 'third'].map(name => lab.guest(name) !== undefined)).toEqual([true, true, true]);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a template is made of an image in the same apply, its clones are linked, and all leave in one apply', async () => {
    await lab.synth(ofTemplate);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const base = lab.guest('base');
    expect(base?.config['template']).toBe('1');
    for (const id of ['one', 'two']) {
      expect(lab.guest(id)?.config['scsi0']).toContain(`base-${base?.vmid}-disk-0`);
    }
    expect(await lab.plan()).toMatchObject({ code: 0 });
    await lab.synth(stack => void new ProxmoxCluster(stack, 'lab'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect([lab.guest('base'), lab.guest('one')]).toEqual([undefined, undefined]);
  });
});
