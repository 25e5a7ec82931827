import type { TerraformStack } from 'cdktf';
import { Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, SMALL } from '../../support/terraform/lab-stack';

const GATE = failOnWords('destroy,rebuild,lost-volume');

const stackOf =
  (web: MachineProps, owner?: string) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab', owner === undefined ? {} : { owner });
    new Machine(stack, 'web', { ...SMALL, ...web });
  };

describeEachEngine('a plan that replaces a registry entry', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());

  const made = async (web: MachineProps, owner?: string): Promise<string | undefined> => {
    await lab.synth(stackOf(web, owner));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    return lab.guest('web')!.config['smbios1'];
  };
  const isThere = (uuid: string | undefined): boolean =>
    Object.values(lab.world.guests).some(({ config }) => config['smbios1'] === uuid);
  const stopsAt = async (): Promise<string[]> => {
    await lab.run('plan', '-input=false', '-out=plan.bin', `-replace=${entry('web')}`);
    return failures(reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan'), GATE);
  };

  test('of a machine whose apply is refused for it alone destroys it: the gate stops', async () => {
    const data = { name: 'data', size: '1Gi', storage: 'local-lvm' } as const;
    const uuid = await made({ disks: [{ name: 'root', slot: 'scsi0' }, data] });
    const { node, vmid } = lab.guest('web')!;
    await lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/resize`, { disk: 'scsi1', size: '5G' });
    expect(await stopsAt()).toEqual(['destroy (1)', 'lost-volume (2)']);
    expect(await lab.run('apply', '-input=false', 'plan.bin')).toMatchObject({ code: 1 });
    expect(isThere(uuid)).toBe(false);
  });

  test('and changes the owner destroys the machine of the former owner: the gate stops', async () => {
    const uuid = await made({}, 'team/one');
    await lab.synth(stackOf({ name: 'web2' }, 'team/two'));
    expect(await stopsAt()).toEqual(['rebuild (1)', 'lost-volume (1)']);
    expect(await lab.run('apply', '-input=false', 'plan.bin')).toMatchObject({ code: 0 });
    expect(isThere(uuid)).toBe(false);
  });
});
