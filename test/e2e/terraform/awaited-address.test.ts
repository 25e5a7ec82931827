import { TerraformOutput, type TerraformStack } from 'cdktf';
import { defaultWorld } from '../../../simulator';
import type { GuestSystem } from '../../../simulator/world';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const LATE: Partial<GuestSystem> = { bootMs: 0, agentMs: 20_000 };

/** A machine whose first address is an output. */
const reading =
  (props: MachineProps = {}) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    const web = new Machine(stack, 'web', {
      image: Image.fromTemplate('ubuntu-22.04'),
      memory: '1Gi',
      networks: [{ name: 'lan', ipv4: 'dhcp' }],
      agent: true,
      restart: 'whenNeeded',
      ...props,
    });
    new TerraformOutput(stack, 'address', { value: web.primaryIpAddress, staticId: true });
  };

describeEachEngine('an address that is read', engine => {
  let lab: Deployment;
  /** A cluster whose time runs 20 times as fast, and whose templates boot such a system. */
  const open = async (system: Partial<GuestSystem>): Promise<void> => {
    const world = defaultWorld(3);
    for (const guest of Object.values(world.guests)) Object.assign(guest.system, system);
    lab = await deployment(engine, { world, timeScale: 20 });
  };
  afterEach(() => lab.close());

  const system = (changes: Partial<GuestSystem>): void => {
    const guest = lab.guest('web');
    if (guest) guest.system = { ...guest.system, ...changes };
  };
  const byHand = (verb: string): Promise<void> => {
    const { node, vmid } = lab.guest('web')!;
    return lab.byHand('POST', `/nodes/${node}/qemu/${vmid}/status/${verb}`, {});
  };
  const address = async (): Promise<unknown> => (await lab.outputs())['address'];

  test('an agent that starts 20 s after the guest is waited for, after a creation and after a restart', async () => {
    await open(LATE);
    await lab.synth(reading());
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const first = await address();
    expect(first).toMatch(/^10(\.\d+){3}$/);
    expect(await lab.plan()).toMatchObject({ code: 0 });

    await lab.synth(reading({ memory: '2Gi' }));
    const changed = await lab.apply();
    expect(changed).toMatchObject({ code: 0 });
    expect(changed.text).toContain('restart');
    expect(await address()).toBe(first);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  }, 240_000);

  test('a plan while the agent is silent tells the last known address as such, and changes nothing', async () => {
    await open({ bootMs: 0 });
    await lab.synth(reading());
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const first = await address();
    system({ agentMs: 24 * 3_600_000 });
    await byHand('reset');
    lab.writes();
    const { code, text } = await lab.plan();
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toMatch(/Warning: Check block assertion failed/);
    expect(text.replace(/\s*│?\s+/g, ' ')).toContain(
      `machine web: ${String(first)} is what was last known: guest ${lab.guest('web')?.vmid} on`,
    );
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await address()).toBe(first);
    expect(lab.writes()).toEqual([]);
  }, 240_000);

  test.each<[string, Partial<GuestSystem>, RegExp]>([
    ['never starts', { agent: false }, /no agent answers.*QEMU guest agent is not running/s],
    [
      'answers nonsense',
      { agentSays: 'nonsense' },
      /the agent answers, and no card of the guest has an? [^,.]*address yet/,
    ],
    [
      'tells link-local addresses alone',
      { agentSays: 'link-local' },
      /no card of the guest has an? [^,.]*address yet/,
    ],
  ])(
    'an agent that %s fails the apply once the time is up, and no plan',
    async (_, says, why) => {
      await open({ bootMs: 0, ...says });
      await lab.synth(reading({ timeouts: { agent: '2s' } }));
      const failed = await lab.apply();
      expect(failed).toMatchObject({ code: 1 });
      const said = failed.text.replace(/\s*│?\s+/g, ' ');
      expect(said).toMatch(why);
      for (const part of ['is read, and is not known', 'qemu-guest-agent', 'timeouts.agent', 'stays'])
        expect(said).toContain(part);
      expect(lab.guest('web')?.running).toBeTruthy();

      const { vmid } = lab.guest('web')!;
      expect(await lab.plan()).toMatchObject({ code: 2 });
      expect(await lab.apply()).toMatchObject({ code: 1 });
      system({ agent: true });
      delete lab.guest('web')?.system.agentSays;
      expect(await lab.apply()).toMatchObject({ code: 0 });
      expect(lab.guest('web')?.vmid).toBe(vmid);
      expect(await address()).toMatch(/^10(\.\d+){3}$/);
      expect(await lab.plan()).toMatchObject({ code: 0 });
    },
    240_000,
  );

  test('a restart after which no agent comes fails, and so does the next apply until one answers', async () => {
    await open({ bootMs: 0 });
    await lab.synth(reading({ timeouts: { agent: '2s' } }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const first = await address();
    system({ agentMs: 24 * 3_600_000 });
    await lab.synth(reading({ timeouts: { agent: '2s' }, memory: '2Gi' }));
    expect(await lab.apply()).toMatchObject({ code: 1 });
    expect(lab.guest('web')?.config['memory']).toBe('2048');
    expect(await lab.plan()).toMatchObject({ code: 2 });
    expect(await lab.apply()).toMatchObject({ code: 1 });
    system({ agentMs: 0 });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await address()).toBe(first);
  }, 240_000);

  test.each<[string, Partial<GuestSystem>, 0 | 1]>([
    ['starts late', { bootMs: 0, agentMs: 20_000 }, 0],
    ['is silent', { agentMs: 24 * 3_600_000 }, 1],
    ['answers nonsense', { agentSays: 'nonsense' }, 1],
  ])(
    'a mark that somebody deletes while the agent %s is written again, and the address is waited for',
    async (_, says, code) => {
      await open({ bootMs: 0 });
      await lab.synth(reading({ timeouts: { agent: code === 0 ? '5m' : '2s' } }));
      expect(await lab.apply()).toMatchObject({ code: 0 });
      const [first, { node, vmid }] = [await address(), lab.guest('web')!];
      system(says);
      await byHand('reset');
      await lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/config`, { description: 'Ask Bert.' });
      expect(await lab.plan()).toMatchObject({ code: 2 });
      const applied = await lab.apply();
      expect(applied).toMatchObject({ code });
      expect(applied.text).toContain('the mark was edited away; it is written again');
      expect(lab.guest('web')?.config['description']).toMatch(/^Ask Bert\.\n<!-- pvr:/);
      system({ agentMs: 0 });
      delete lab.guest('web')?.system.agentSays;
      expect(await lab.apply()).toMatchObject({ code: 0 });
      expect([await address(), lab.guest('web')?.vmid]).toEqual([first, vmid]);
      expect(await lab.plan()).toMatchObject({ code: 0 });
    },
    240_000,
  );
});
