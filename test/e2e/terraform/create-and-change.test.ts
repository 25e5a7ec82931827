import { TerraformOutput } from 'cdktf';
import { Construct } from 'constructs';
import { Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { labStack, revision, SMALL } from '../../support/terraform/lab-stack';

const web: MachineProps = { ...SMALL, tags: ['front'] };

// The rows play after each other on one stack.
describeEachEngine('a machine that changes', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine, { lagMs: 3000 });
  });
  afterAll(() => lab.close());

  const uuid = (name: string) => lab.guest(name)?.config['smbios1'];
  const place = (name: string): string => {
    const { node, vmid } = lab.guest(name)!;
    return `/nodes/${node}/qemu/${vmid}`;
  };

  test('create: one observe, one apply a machine; then at rest', async () => {
    await lab.synth(labStack({ web, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db', 'web']);
    lab.writes();
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });

  test('a changed spec: the same guest, changed in place; a restart that is not allowed waits at rest', async () => {
    const before = uuid('web');
    await lab.synth(stack => {
      labStack({ web: { ...web, memory: '2Gi' }, db: SMALL })(stack);
      new TerraformOutput(stack, 'waits', {
        value: '${jsondecode(data.external.facts_lab_web.result.restartRequired)}',
      });
    });
    const planned = await lab.planned();
    expect(planned.actions).toEqual({ [revision('web')]: 'delete+create' });
    expect(planned.triggers(revision('web'))).toEqual(['spec', 'token']);
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(uuid('web')).toBe(before);
    expect(lab.writes()).toEqual([`POST ${place('web')}/config`]);
    expect(await lab.outputs()).toMatchObject({ waits: true });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });

  test('changed by hand in Proxmox: only the token differs, apply repairs it', async () => {
    await lab.synth(labStack({ web: { ...web, memory: '2Gi' }, db: SMALL }));
    const { tags = '' } = lab.guest('web')!.config;
    await lab.byHand('PUT', `${place('web')}/config`, { tags: `${tags};blue` });
    expect((await lab.planned()).triggers(revision('web'))).toEqual(['token']);
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guest('web')?.config['tags']).toBe(tags);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('deleted in Proxmox: it is made again', async () => {
    const before = uuid('db');
    await lab.byHand('POST', `${place('db')}/status/stop`);
    await lab.byHand('DELETE', place('db'));
    expect(lab.guest('db')).toBeUndefined();
    expect((await lab.planned()).actions).toEqual({ [revision('db')]: 'delete+create' });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(uuid('db')).not.toBe(before);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a construct that moves in the tree changes nothing; a new name changes the name', async () => {
    const before = uuid('web');
    const moved = (props: MachineProps) =>
      lab.synth(stack => {
        new ProxmoxCluster(stack, 'lab');
        const tier = new Construct(stack, 'tier');
        for (const machine of [
          new Machine(tier, 'web', props),
          new Machine(new Construct(tier, 'deep'), 'db', SMALL),
        ]) {
          new TerraformOutput(stack, `vmid-${machine.machineId}`, { value: machine.vmid, staticId: true });
        }
      });
    await moved({ ...web, memory: '2Gi' });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    lab.writes();
    await moved({ ...web, memory: '2Gi', name: 'front.example.com' } as MachineProps);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(uuid('front.example.com')).toBe(before);
    expect(lab.writes()).toEqual([`PUT ${place('front.example.com')}/config`]);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('rebuildOn that comes and goes touches nothing', async () => {
    for (const rebuildOn of [['image'], undefined]) {
      await lab.synth(labStack({ web: { ...web, memory: '2Gi', rebuildOn } as MachineProps, db: SMALL }));
      // the name is the id's again
      if (rebuildOn === undefined) expect(lab.guest('web')).toBeDefined();
      expect(await lab.apply()).toMatchObject({ code: 0 });
      const writes = lab.writes();
      if (rebuildOn === undefined) expect(writes).toEqual([]);
    }
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a saved plan is applied as planned, not as the program has become since', async () => {
    await lab.synth(labStack({ web: { ...web, memory: '2Gi', description: 'planned' }, db: SMALL }));
    await lab.planned();
    await lab.synth(labStack({ web: { ...web, memory: '2Gi', description: 'later' }, db: SMALL }));
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guest('web')?.config['description']).toMatch(/^planned\n/);
  });

  test('Proxmox changed since the plan, and now it costs more: apply refuses', async () => {
    const wanted = { ...web, memory: '2Gi', description: 'cheap', restart: 'whenNeeded' } as MachineProps;
    await lab.synth(labStack({ web: wanted, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    await lab.synth(labStack({ web: { ...wanted, description: 'still cheap' }, db: SMALL }));
    await lab.planned();
    await lab.byHand('PUT', `${place('web')}/config`, { memory: '1024' });
    await lab.byHand('POST', `${place('web')}/status/stop`);
    await lab.byHand('POST', `${place('web')}/status/start`);
    // a guest that still boots does not shut down
    lab.guest('web')!.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
    lab.writes();
    const refused = await lab.apply('plan.bin');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain(
      'changed since the plan: it showed "live" at worst, and now it would be "restart"',
    );
    expect(refused.text).toContain('Plan again');
    expect(lab.writes()).toEqual([]);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});
