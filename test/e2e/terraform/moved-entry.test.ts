import { reviewPlan } from '../../../reconciler/review/review-plan';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, labStack, revision, SMALL } from '../../support/terraform/lab-stack';

describeEachEngine('a machine of a stack whose entry is moved to another id', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(() => lab.close());

  test('without formerIds the plan fails, and no second guest is made; with them the guest stays', async () => {
    await lab.synth(labStack({ web: SMALL, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const vmid = lab.guest('web')?.vmid;
    lab.writes();
    for (const address of [entry, revision])
      expect(await lab.run('state', 'mv', address('web'), address('www'))).toMatchObject({ code: 0 });
    await lab.synth(labStack({ www: SMALL, db: SMALL }));
    const { code, text } = await lab.run('plan', '-input=false', '-out=plan.bin');
    expect({ code, said: text.replace(/[\s│]+/g, ' ') }).toEqual({
      code: 1,
      said: expect.stringMatching(
        new RegExp(
          `machine www: its registry entry .* VM ${vmid} on \\w+, machine web\\. .*formerIds of www`,
        ),
      ),
    });
    const { machines } = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    expect(machines.find(({ id }) => id === 'www')).toMatchObject({ verdict: 'refused' });
    expect(lab.writes()).toEqual([]);

    await lab.synth(labStack({ www: { ...SMALL, formerIds: ['web'] }, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guest('www')?.vmid).toBe(vmid);
    expect(lab.guests()).toEqual(['db', 'www']);
    await lab.synth(labStack({ www: SMALL, db: SMALL, another: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['another', 'db', 'www']);
  });

  test('two entries are swapped: the plan fails for both, and nothing is done', async () => {
    await lab.synth(labStack({ www: SMALL, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const vmid = lab.guest('www')?.vmid;
    lab.writes();
    const swap = async () => {
      for (const address of [entry, revision])
        for (const [from, to] of [
          ['www', 'tmp'],
          ['db', 'www'],
          ['tmp', 'db'],
        ] as const)
          expect(await lab.run('state', 'mv', address(from), address(to))).toMatchObject({ code: 0 });
    };
    await swap();
    const { code, text } = await lab.run('plan', '-input=false', '-out=plan.bin');
    const said = text.replace(/[\s│]+/g, ' ');
    expect(code).toBe(1);
    expect(said).toMatch(/machine www: its registry entry .* machine db\. .*terraform state mv/);
    expect(said).toMatch(new RegExp(`machine db: its registry entry .* VM ${vmid} on \\w+, machine www`));
    const { machines } = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    expect(machines.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['db', 'refused'],
      ['www', 'refused'],
    ]);
    expect(lab.writes()).toEqual([]);
    await swap();
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});
