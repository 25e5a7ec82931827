import { TerraformOutput, type TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../constructs';
import { deployment, type Deployment } from '../support/deployment';
import { describeEachEngine } from '../support/engines';

const small: MachineProps = { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' };

function machines(wanted: Record<string, MachineProps>, outputs = false) {
  return (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    for (const [id, props] of Object.entries(wanted)) {
      const machine = new Machine(stack, id, props);
      if (outputs) new TerraformOutput(stack, `vmid-${id}`, { value: machine.vmid, staticId: true });
    }
  };
}

describeEachEngine('a stack', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());

  test('create; plan again: no changes; change in place; destroy', async () => {
    await lab.synth(machines({ web: small, db: small }, true));
    const created = await lab.apply();
    expect(created).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    const vmids = await lab.outputs();
    expect(Object.values(vmids).sort()).toEqual([10000, 10001]);
    const uuid = lab.guest('web')?.config['smbios1'];
    await lab.synth(machines({ web: { ...small, memory: '2Gi' }, db: small }, true));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guest('web')?.config['smbios1']).toBe(uuid);
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guest('web')).toBeUndefined();
  }, 60_000);
});
