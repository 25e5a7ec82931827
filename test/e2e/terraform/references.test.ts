import { Resource } from '@cdktf/provider-null/lib/resource';
import { TerraformOutput, type TerraformStack } from 'cdktf';
import { Machine, ProxmoxCluster } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, revision, SMALL } from '../../support/terraform/lab-stack';

/** `app` reads `web`, which reads nothing; `note` reads a resource of the user's. */
const chain =
  (memory: string, color: string) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    const paint = new Resource(stack, 'paint', { triggers: { color } });
    const web = new Machine(stack, 'web', { ...SMALL, memory });
    const app = new Machine(stack, 'app', { ...SMALL, description: `asks ${web.vmid} on ${web.nodeName}` });
    const note = new Machine(stack, 'note', { ...SMALL, description: `painted ${paint.id}` });
    [web, app, note].forEach(({ machineId, vmid }) => {
      new TerraformOutput(stack, `vmid-${machineId}`, { value: vmid, staticId: true });
    });
  };

const described = (lab: Deployment, name: string) => lab.guest(name)?.config['description']?.split('\n')[0];

// The rows play after each other on one stack.
describeEachEngine('a machine that reads others', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(() => lab.close());

  test('what is unknown defers the machine that reads it, and no other', async () => {
    await lab.synth(chain('1Gi', 'red'));
    const planned = await lab.planned();
    expect(planned.deferred.filter(address => address.includes('.observe_')).sort()).toEqual([
      'data.external.observe_lab_app',
      'data.external.observe_lab_note',
    ]);
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    const { vmid, node } = lab.guest('web')!;
    expect(described(lab, 'app')).toBe(`asks ${vmid} on ${node}`);
    expect(described(lab, 'note')).toMatch(/^painted \d+$/);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('the machine that is read changes: who reads it is unknown until apply, which does nothing to it', async () => {
    await lab.synth(chain('2Gi', 'red'));
    const planned = await lab.planned();
    expect(planned.actions).toEqual({
      [revision('web')]: 'delete+create',
      [revision('app')]: 'delete+create',
    });
    lab.writes();
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    const { node, vmid } = lab.guest('web')!;
    expect(lab.writes()).toEqual([`POST /nodes/${node}/qemu/${vmid}/config`]);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a resource that is read changes: only who reads it follows', async () => {
    await lab.synth(chain('2Gi', 'blue'));
    const before = described(lab, 'note');
    const planned = await lab.planned();
    expect(Object.keys(planned.actions).sort()).toEqual(['null_resource.paint', revision('note')].sort());
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(described(lab, 'note')).not.toBe(before);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});

const watched =
  (memory: string) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    const web = new Machine(stack, 'web', { ...SMALL, memory });
    new Resource(stack, 'reader', {
      triggers: { vmid: `${web.vmid}` },
      lifecycle: { createBeforeDestroy: true },
    });
  };

// Terraform makes create_before_destroy of all that such a resource reads.
describeEachEngine('a resource with create_before_destroy that reads a machine', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(watched('1Gi'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
  });
  afterAll(() => lab.close());

  test('a change is as without it: the same guest, then at rest', async () => {
    const uuid = lab.guest('web')?.config['smbios1'];
    await lab.synth(watched('2Gi'));
    expect((await lab.planned()).actions[revision('web')]).toBe('create+delete');
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guest('web')?.config['smbios1']).toBe(uuid);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('an entry that somebody has replaced is forgotten, not destroyed: the machine stays, and is refused', async () => {
    const replaced = await lab.apply(`-replace=${entry('web')}`);
    expect(replaced.code).toBe(1);
    expect(replaced.text).toContain('belongs to another Terraform state of the same owner');
    expect(lab.guests()).toEqual(['web']);
  });

  test('a machine that leaves is destroyed', async () => {
    const fresh = await deployment(engine);
    await fresh.synth(watched('1Gi'));
    expect(await fresh.apply()).toMatchObject({ code: 0 });
    await fresh.synth(stack => void new ProxmoxCluster(stack, 'lab'));
    expect(await fresh.apply()).toMatchObject({ code: 0 });
    expect(fresh.guests()).toEqual([]);
    await fresh.close();
  });
});
