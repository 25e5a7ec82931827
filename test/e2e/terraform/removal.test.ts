import { RemovedCluster, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, labStack, revision, SMALL } from '../../support/terraform/lab-stack';

// The rows play after each other on one stack.
describeEachEngine('a machine that leaves', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine, { lagMs: 3000 });
  });
  afterAll(() => lab.close());

  const at = (vmid: number): MachineProps => ({ ...SMALL, vmid }) as MachineProps;

  test('its creation fails, then it leaves the program: what was begun of it goes', async () => {
    await lab.synth(labStack({ a: at(500), half: SMALL }));
    const id = lab.simulator.faults.add({
      methods: ['POST', 'PUT'],
      path: '/nodes/*/qemu/10000/config',
      effect: { kind: 'answer', status: 403, text: 'Permission check failed' },
    });
    expect(await lab.apply()).toMatchObject({ code: 1 });
    expect(lab.guests()).toEqual(['a', 'half']);
    lab.simulator.faults.remove(id);
    await lab.synth(labStack({ a: at(500) }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['a']);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('one leaves and another comes with its vmid, in one run', async () => {
    await lab.synth(labStack({ b: at(500) }));
    const planned = await lab.planned();
    expect(planned.actions).toMatchObject({ [entry('a')]: 'delete', [entry('b')]: 'create' });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['b']);
    expect(lab.guest('b')?.vmid).toBe(500);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('the last machine leaves; the registry stays, empty', async () => {
    await lab.synth(labStack({}));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(await lab.state()).toEqual(['data.external.observe_lab']);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('terraform destroy while the API is down: the entries stay and can be retried, also without a refresh', async () => {
    await lab.synth(labStack({ a: SMALL, b: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const endpoint = lab.access['PVE_ENDPOINT']!;
    lab.access['PVE_ENDPOINT'] = 'https://127.0.0.1:1';
    expect(await lab.destroy()).toMatchObject({ code: 1 });
    const failed = await lab.destroy('-refresh=false');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.text).toContain('127.0.0.1:1');
    expect(failed.text).toContain('Running again is safe');
    lab.access['PVE_ENDPOINT'] = endpoint;
    expect(lab.guests()).toEqual(['a', 'b']);
    expect(await lab.state()).toEqual(expect.arrayContaining([entry('a'), entry('b')]));
    // one of both fails again: the other goes
    lab.simulator.faults.add({
      methods: ['DELETE'],
      path: `/nodes/*/qemu/${lab.guest('a')!.vmid}`,
      count: 1,
      effect: { kind: 'answer', status: 403, text: 'Permission check failed' },
    });
    expect(await lab.destroy('-refresh=false')).toMatchObject({ code: 1 });
    expect(lab.guests()).toEqual(['a']);
    expect(await lab.state()).toEqual([entry('a')]);
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
  });

  test('a destroy that a kept volume stops half-way: its remedy applies that machine alone, and then it goes', async () => {
    const root = { disks: [{ name: 'root', size: '10Gi' }] };
    const both = { disks: [...root.disks, { name: 'data', size: '1Gi' }] };
    await lab.synth(labStack({ a: { ...SMALL, ...both }, b: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    await lab.synth(labStack({ a: { ...SMALL, ...root }, b: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const refused = await lab.destroy();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.text.replace(/[\s│]+/g, ' ')).toContain(
      'terraform apply -target=null_resource.machine_CLUSTER_a',
    );
    expect(lab.guests()).toEqual(['a']);
    await lab.synth(labStack({ a: { ...SMALL, ...root, keptVolumes: 'destroy' }, b: SMALL }));
    expect(await lab.apply(`-target=${revision('a')}`)).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['a']);
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
  });

  test('the cluster leaves the program: RemovedCluster destroys its machines', async () => {
    await lab.synth(labStack({ old: SMALL, b: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    // a renamed entry still holds the former id
    await lab.synth(labStack({ a: { ...SMALL, formerIds: ['old'] }, b: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['a', 'b']);
    await lab.synth(stack => void new RemovedCluster(stack, 'lab'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(await lab.state()).toEqual(['data.external.observe_lab']);
    expect(await lab.plan()).toMatchObject({ code: 0 });
    await lab.synth(stack => void new ProxmoxCluster(stack, 'lab'));
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});
