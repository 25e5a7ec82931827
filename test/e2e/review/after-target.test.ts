import { Machine, ProxmoxCluster, Snapshot } from '../../../constructs';
import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { FRONT_ENDS } from '../../support/review/front-ends';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { SMALL } from '../../support/terraform/lab-stack';
import { EVERY } from '../../support/turns';

const off = {
  ...{ image: { blank: true }, memory: '512Mi', node: 'pve1', power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'shared' }],
};
const machines = { one: off, two: off, three: off };
const tagged = { ...machines, one: { ...off, tags: ['a'] }, two: { ...off, tags: ['a'] }, four: off };

/** How each of them calls a machine's revision. */
const REVISIONS: Record<string, (id: string) => string> = {
  cdktf: id => `null_resource.machine_lab_${id}`,
  HCL: id => `module.lab.null_resource.machine["${id}"]`,
};

describeEachEngine('a plan of all after an apply with -target', engine => {
  describe.each(Object.entries(REVISIONS))('through %s', (name, revision) => {
    let lab: Deployment;
    beforeEach(async () => {
      lab = await deployment(engine);
    });
    afterEach(() => lab.close());

    const reviewed = async (...args: string[]) => {
      const planned = await lab.run('plan', '-input=false', '-out=plan.bin', ...args);
      if (planned.code !== 0) throw new Error(planned.text);
      const { machines: all, warnings } = reviewPlan(
        (await lab.run('show', '-json', 'plan.bin')).text,
        'the plan',
      );
      return { verdicts: Object.fromEntries(all.map(({ id, verdict }) => [id, verdict])), warnings };
    };

    const cases: [string, string[]][] = [
      ['a machine that changes', ['all first']],
      ['a new machine', []],
    ];
    test.each(cases.filter((_, place) => EVERY || place === 0))(
      'is a whole one, and is called so: %s',
      async (_, first) => {
        const front = FRONT_ENDS[name]!(lab);
        await front.say({ machines });
        if (first.length > 0) expect(await lab.apply()).toMatchObject({ code: 0 });
        await front.say({ machines: tagged });
        const target = `-target=${revision('one')}`;
        const part = await reviewed(target);
        expect(part.warnings.join()).toMatch(/The plan is partial, as with -target/);
        expect(await lab.apply(target)).toMatchObject({ code: 0 });
        const whole = await reviewed();
        expect(whole.warnings).toEqual([]);
        expect(whole.verdicts).toEqual({
          one: 'unchanged',
          two: first.length > 0 ? 'change' : 'create',
          three: first.length > 0 ? 'unchanged' : 'create',
          four: 'create',
        });
        expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
        expect(await reviewed()).toMatchObject({
          warnings: [],
          verdicts: { two: 'unchanged', four: 'unchanged' },
        });
      },
    );
  });
});

// Terraform knows a dependency only of the whole registry: snapshots of all machines go before one entry of it
describeEachEngine('a destroy with -target of one machine', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());

  test('names the snapshot of another machine as lost, though the state knows an older look', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      new Machine(stack, 'one', SMALL);
      new Snapshot(stack, 'golden', { machine: new Machine(stack, 'two', SMALL) });
    });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const target = '-target=null_resource.machines_lab["one"]';
    const planned = await lab.run('plan', '-input=false', '-destroy', '-out=plan.bin', target);
    expect(planned).toMatchObject({ code: 0 });
    const review = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    expect(failures(review, failOnWords('destroy,lost-volume,lost-snapshot'))).toEqual([
      ...['destroy (1)', 'lost-volume (1)', 'lost-snapshot (1)'],
    ]);
    expect(review.machines.find(({ id }) => id === 'two')).toMatchObject({
      verdict: 'change',
      does: ['deleting snapshot golden'],
    });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guest('one')).toBeUndefined();
    expect(Object.keys(lab.guest('two')?.snapshots ?? {})).toEqual([]);
  });

  test('counts disks that nobody saw, also where the plan does not tell that it is partial', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      new Machine(stack, 'one', SMALL);
    });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const lost = async (...args: string[]): Promise<string[]> => {
      await lab.run('plan', '-input=false', '-out=plan.bin', ...args);
      const plan = JSON.parse((await lab.run('show', '-json', 'plan.bin')).text) as object;
      // OpenTofu does not write it
      const review = reviewPlan(JSON.stringify({ ...plan, complete: undefined }), 'the plan');
      return failures(review, failOnWords('lost-volume'));
    };
    const target = '-target=null_resource.machines_lab["one"]';
    expect(await lost('-destroy', '-refresh=false')).toEqual(['lost-volume (1)']);
    expect(await lost('-destroy', target)).toEqual(['lost-volume (1)']);
    expect(await lost(`-replace=null_resource.machines_lab["one"]`, target)).toEqual(['lost-volume (1)']);
    delete lab.simulator.world.guests[lab.guest('one')!.vmid];
    expect(await lost('-destroy')).toEqual([]);
  });
});
