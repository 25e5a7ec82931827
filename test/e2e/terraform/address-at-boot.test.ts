import { TerraformOutput, type TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { defaultWorld } from '../../../simulator';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

/** A machine with a static address. Its outputs: what its guest tells, and whether a restart is due. */
const withAddress =
  (address: string, props: MachineProps = {}) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    const web = new Machine(stack, 'web', {
      image: Image.fromTemplate('ubuntu-22.04'),
      networks: [{ name: 'lan', ipv4: { address: `${address}/24`, gateway: '10.0.0.1' } }],
      agent: true,
      ...props,
    });
    new TerraformOutput(stack, 'addresses', { value: web.ipAddresses, staticId: true });
    new TerraformOutput(stack, 'restart', { value: web.restartRequired, staticId: true });
  };

describeEachEngine('a static address that is changed', engine => {
  let lab: Deployment;
  /** A cluster whose time runs 20 times as fast, and whose agents begin 20 s after the boot. */
  beforeEach(async () => {
    const world = defaultWorld(3);
    for (const { system } of Object.values(world.guests))
      Object.assign(system, { bootMs: 0, agentMs: 20_000 });
    lab = await deployment(engine, { world, timeScale: 20 });
  });
  afterEach(() => lab.close());

  test('is told as waiting until the restart, also by later plans, and then is the one of the guest', async () => {
    await lab.synth(withAddress('10.0.0.10'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.outputs()).toMatchObject({ addresses: ['10.0.0.10'], restart: false });

    await lab.synth(withAddress('10.0.0.11'));
    const changed = await lab.apply();
    expect(changed).toMatchObject({ code: 0 });
    expect(changed.text).toContain('waits for a restart: networks[lan].ipv4.');
    expect(await lab.outputs()).toMatchObject({ addresses: ['10.0.0.10'], restart: true });
    const { code, text } = await lab.plan();
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text.replace(/\s*│?\s+/g, ' ')).toMatch(
      /machine web: 10\.0\.0\.10 is what it has now\. With the next restart of guest \d+ on pve\d comes: networks\[lan\] gw=10\.0\.0\.1,ip=10\.0\.0\.11\/24\. Restart it/,
    );

    await lab.synth(withAddress('10.0.0.11', { restart: 'whenNeeded' }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.outputs()).toMatchObject({ addresses: ['10.0.0.11'], restart: false });
    expect(await lab.plan()).toMatchObject({ code: 0 });
  }, 240_000);

  test.each([
    ['never comes', { agent: false }, {}],
    ['answers nonsense', { agentSays: 'nonsense' as const }, { agentMs: 0 }],
  ])(
    'is not told where the agent %s after the restart: the apply fails, and no output names another',
    async (_, says, more) => {
      await lab.synth(withAddress('10.0.0.10'));
      expect(await lab.apply()).toMatchObject({ code: 0 });
      Object.assign(lab.guest('web')!.system, says, more);
      const restarts: MachineProps = { restart: 'whenNeeded', timeouts: { agent: '2s' } };
      await lab.synth(withAddress('10.0.0.11', restarts));
      expect(await lab.apply()).toMatchObject({ code: 1 });
      expect(lab.guest('web')!.pending).toEqual({});
      Object.assign(lab.guest('web')!.system, { agent: true, agentMs: 0, agentSays: undefined });
      expect(await lab.apply()).toMatchObject({ code: 0 });
      expect(await lab.outputs()).toMatchObject({ addresses: ['10.0.0.11'], restart: false });
    },
    240_000,
  );
});
