import { reviewPlan } from '../../../reconciler/review/review-plan';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const machine = {
  ...{ image: { blank: true }, memory: '512Mi', node: 'pve1', power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'shared' }],
};
const CALL = `
variable "machines" { type = any }
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = var.machines
  facts    = []
}
`;
const PARTS = ['terraform_data.machines', 'null_resource.machine'];
const moved = (from: string, to: string): string =>
  PARTS.map(
    part => `moved {\n  from = module.lab.${part}["${from}"]\n  to   = module.lab.${part}["${to}"]\n}\n`,
  ).join('');

describeEachEngine('a machine of the module gets another id', engine => {
  let lab: PlainHcl;
  let vmid: number | undefined;
  beforeEach(async () => {
    lab = await plainHcl(engine);
    lab.write(CALL);
    lab.ask({ web: machine, db: machine });
    for (const { code, text } of [await lab.run('init', '-input=false'), await lab.apply()])
      if (code !== 0) throw new Error(text.slice(-6000));
    vmid = lab.guest('web')?.vmid;
    lab.writes();
  });
  afterEach(() => lab.close());

  const reviewed = async () => reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');

  test.each([
    ['blocks moved', () => Promise.resolve(lab.write(CALL + moved('web', 'www')))],
    [
      'terraform state mv',
      async () => {
        for (const part of PARTS)
          await lab.run('state', 'mv', `module.lab.${part}["web"]`, `module.lab.${part}["www"]`);
      },
    ],
  ])('%s without formerIds: the plan fails, and no second guest is made', async (_, move) => {
    await move();
    lab.ask({ www: machine, db: machine });
    const { code, text } = await lab.run('plan', '-input=false', '-out=plan.bin');
    expect({ code, said: text.replace(/[\s│]+/g, ' ') }).toEqual({
      code: 1,
      said: expect.stringMatching(
        new RegExp(`machine www: its registry entry .* VM ${vmid} on pve1, machine web.*formerIds of www`),
      ),
    });
    const [www] = (await reviewed()).machines.filter(({ id }) => id === 'www');
    expect(www).toMatchObject({ verdict: 'refused' });
    expect(www?.notes.join()).toContain(`VM ${vmid}`);
    expect(lab.writes()).toEqual([]);

    lab.ask({ www: { ...machine, formerIds: ['web'] }, db: machine });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(lab.guest('www')?.vmid).toBe(vmid);
    expect(lab.guests()).toEqual(['db', 'www']);
  });

  test('formerIds without blocks moved: the review says that one goes, and another is made', async () => {
    lab.ask({ www: { ...machine, formerIds: ['web'] }, db: machine });
    expect(await lab.run('plan', '-input=false', '-out=plan.bin')).toMatchObject({ code: 0 });
    const { machines, warnings } = await reviewed();
    const verdicts = Object.fromEntries(machines.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toEqual({ web: 'destroy', www: 'create', db: 'unchanged' });
    expect(machines.find(({ id }) => id === 'www')?.notes.join()).toContain('blocks moved');
    expect(warnings).toEqual([]);
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db', 'www']);
  });

  test('to another call of the module without blocks moved: the review says that it goes, and how it stays', async () => {
    const other = CALL.replace('variable "machines" { type = any }', '').replace('"lab" {', '"other" {');
    lab.write(CALL.replace('var.machines', '{}') + other);
    for (const args of [['init'], ['plan', '-out=plan.bin']])
      expect(await lab.run(...args, '-input=false')).toMatchObject({ code: 0 });
    const { machines, lost } = await reviewed();
    const goes = machines.filter(({ id }) => id === 'web');
    expect(goes.map(({ verdict }) => verdict).sort()).toEqual(['create', 'destroy']);
    expect(lost).toMatchObject({ volumes: 2, unknown: 0 });
    const notes = goes.find(({ verdict }) => verdict === 'create')?.notes.join(' ');
    expect(notes).toContain('This plan destroys its guest');
    expect(notes).toContain('blocks moved');
    // an owner of its own, or a release, would not keep it
    expect(notes).not.toMatch(/formerIds|owner of its own|release/);
  });

  test('a new machine beside, and one that leaves, are no reason', async () => {
    lab.ask({ www: machine, db: machine });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db', 'www']);
  });
});
