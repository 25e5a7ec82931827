import { reviewPlan } from '../../../reconciler/review/review-plan';
import { FRONT_ENDS } from '../../support/review/front-ends';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
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
