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
});
