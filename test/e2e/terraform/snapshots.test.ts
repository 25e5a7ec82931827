import type { TerraformStack } from 'cdktf';
import {
  Machine,
  ProxmoxCluster,
  Snapshot,
  type MachineProps,
  type SnapshotProps,
} from '../../../constructs';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { SMALL } from '../../support/terraform/lab-stack';

type Taken = Omit<SnapshotProps, 'machine'>;

/** A stack with the machine `web` and its snapshots, by the ids of their constructs. */
const stackWith =
  (snapshots: Record<string, Taken>, web: MachineProps = {}) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    const machine = new Machine(stack, 'web', { ...SMALL, ...web });
    for (const [id, props] of Object.entries(snapshots)) new Snapshot(stack, id, { machine, ...props });
  };

// The rows play after each other on one stack.
describeEachEngine('snapshots of a machine', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine, { lagMs: 3000 });
  });
  afterAll(() => lab.close());

  const held = () => lab.guest('web')?.snapshots ?? {};
  const names = (): string[] => Object.keys(held()).sort();
  const apply = async (snapshots: Record<string, Taken>, web: MachineProps = {}): Promise<void> => {
    await lab.synth(stackWith(snapshots, web));
    const { code, text } = await lab.apply();
    if (code !== 0) throw new Error(text);
  };
  const settle = async (...wanted: Parameters<typeof apply>): Promise<void> => {
    await apply(...wanted);
    const again = await lab.plan();
    if (again.code !== 0) throw new Error(again.text);
  };

  /** What the review says of a plan: of the machine's snapshots, and of what is lost. */
  const reviewed = async (...[snapshots, web = {}]: Parameters<typeof apply>): Promise<string[]> => {
    await lab.synth(stackWith(snapshots, web));
    const planned = await lab.run('plan', '-input=false', '-out=plan.bin');
    if (planned.code !== 0) throw new Error(planned.text);
    const { machines, lost } = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    const steps = machines.flatMap(machine => machine.snapshots.map(({ does, name }) => `${does} ${name}`));
    return [...machines.map(({ verdict }) => verdict), ...steps, `${lost.snapshots} lost`];
  };

  test('are taken in the same run that makes the machine', async () => {
    expect(await reviewed({ clean: { description: 'one' }, my_other: {} })).toEqual([
      ...['create', 'take clean', 'take my_other', '0 lost'],
    ]);
    await settle({ clean: { description: 'one' }, my_other: {} });
    expect(names()).toEqual(['clean', 'my_other']);
    expect(held()['clean']!.description).toMatch(/^one\n<!-- pvr:\{.*"m":"web".*"e":"[\da-f-]{36}".*\} -->$/);
  });

  test('another description is written to the snapshot; the machine is left alone', async () => {
    expect(await reviewed({ clean: { description: 'two' }, my_other: {} })).toEqual(['unchanged', '0 lost']);
    lab.writes();
    await settle({ clean: { description: 'two' }, my_other: {} });
    expect(held()['clean']!.description).toMatch(/^two\n/);
    expect(lab.writes()).toEqual([expect.stringContaining('/snapshot/clean/config')]);
  });

  test('a change of the machine leaves them alone', async () => {
    const before = JSON.stringify(held());
    await apply({ clean: { description: 'two' }, my_other: {} }, { description: 'changed' });
    expect(JSON.stringify(held())).toBe(before);
  });

  test('one that somebody deleted is taken anew', async () => {
    const { node, vmid } = lab.guest('web')!;
    await lab.byHand('DELETE', `/nodes/${node}/qemu/${vmid}/snapshot/clean`);
    expect(names()).toEqual(['my_other']);
    const wanted = { clean: { description: 'two' }, my_other: {} };
    const said = ['change', 'take clean', '0 lost'];
    expect(await reviewed(wanted, { description: 'changed' })).toEqual(said);
    await settle({ clean: { description: 'two' }, my_other: {} }, { description: 'changed' });
    expect(names()).toEqual(['clean', 'my_other']);
  });

  test('one that leaves is deleted, or stays where onDestroy says so', async () => {
    const web = { description: 'changed' };
    await apply({ clean: {}, my_other: { onDestroy: 'keep' } }, web);
    expect(await reviewed({}, web)).toEqual(['change', 'delete clean', '1 lost']);
    await settle({}, web);
    expect(names()).toEqual(['my_other']);
  });

  test('one that somebody else took of the same name is refused at plan, and left as it is', async () => {
    const { node, vmid } = lab.guest('web')!;
    await lab.byHand('POST', `/nodes/${node}/qemu/${vmid}/snapshot`, { snapname: 'theirs' });
    await lab.synth(stackWith({ theirs: {} }, { description: 'changed' }));
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    expect(text).toMatch(/somebody\s+else took\s+it/);
    await apply({}, { description: 'changed' });
    expect(names()).toEqual(['my_other', 'theirs']);
  });

  test('one that another Terraform state took is refused, and its removal there leaves it', async () => {
    await apply({ mine: {} }, { description: 'changed' });
    const guest = lab.guest('web')!;
    const snapshot = guest.snapshots['mine']!;
    snapshot.description = snapshot.description!.replace(/"e":"[\da-f-]{36}"/, '"e":"another"');
    await lab.synth(stackWith({ mine: { description: 'x' } }, { description: 'changed' }));
    const { code, text } = await lab.apply();
    expect(code).toBe(1);
    expect(text).toMatch(/belongs to\s+another\s+Terraform\s+state/);
    await apply({}, { description: 'changed' });
    expect(names()).toContain('mine');
    delete guest.snapshots['mine'];
  });

  test('the machine is renamed: its snapshot keeps its entry, and is not taken anew', async () => {
    await apply({ clean: {} }, { description: 'changed' });
    const taken = held()['clean']!.snaptime;
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      const machine = new Machine(stack, 'shop', {
        ...SMALL,
        name: 'web',
        description: 'changed',
        formerIds: ['web'],
      });
      new Snapshot(stack, 'clean', { machine });
    });
    const { code, text } = await lab.apply();
    if (code !== 0) throw new Error(text);
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(held()['clean']).toMatchObject({
      snaptime: taken,
      description: expect.stringContaining('"m":"shop"') as string,
    });
  });

  test('everything is destroyed: the snapshot goes before its machine', async () => {
    lab.writes();
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    const deletes = lab.writes().filter(line => line.startsWith('DELETE'));
    expect(deletes).toHaveLength(2);
    expect(deletes[0]).toContain('/snapshot/clean');
  });
});
