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

describeEachEngine('entries of the module move among the ids of one call', engine => {
  let lab: PlainHcl;
  let vmids: Record<string, number | undefined>;
  beforeEach(async () => {
    lab = await plainHcl(engine);
    lab.write(CALL);
    lab.ask({ web: machine, db: machine });
    for (const { code, text } of [await lab.run('init', '-input=false'), await lab.apply()])
      if (code !== 0) throw new Error(text.slice(-6000));
    vmids = { web: lab.guest('web')?.vmid, db: lab.guest('db')?.vmid };
    lab.writes();
  });
  afterEach(() => lab.close());

  const move = async (...steps: [string, string][]) => {
    for (const part of PARTS)
      for (const [from, to] of steps)
        await lab.run('state', 'mv', `module.lab.${part}["${from}"]`, `module.lab.${part}["${to}"]`);
  };
  const planned = async () => {
    const { code, text } = await lab.run('plan', '-input=false', '-out=plan.bin');
    const review = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    const of = (id: string) => review.machines.find(one => one.id === id);
    return { code, said: text.replace(/[\s│]+/g, ' '), of, review };
  };
  const nothingHappened = () => {
    expect(lab.writes()).toEqual([]);
    expect({ web: lab.guest('web')?.vmid, db: lab.guest('db')?.vmid }).toEqual(vmids);
  };

  test('two are swapped, then one leaves: the plan fails, and names how to take them back', async () => {
    await move(['web', 'tmp'], ['db', 'web'], ['tmp', 'db']);
    lab.ask({ db: machine });
    const { code, said, of } = await planned();
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(`machine db: its registry entry .* VM ${vmids['web']} on pve1, machine web`),
    );
    expect(said).toContain('terraform state mv');
    expect(of('db')).toMatchObject({ verdict: 'refused' });
    expect(of('db')?.notes.join()).toContain(`VM ${vmids['web']}`);
    expect(of('web')).toMatchObject({ verdict: 'refused' });
    expect(of('web')?.notes.join()).toMatch(new RegExp(`VM ${vmids['db']} .*'db'`));
    nothingHappened();

    await move(['web', 'tmp'], ['db', 'web'], ['tmp', 'db']);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db']);
    expect(lab.guest('db')?.vmid).toBe(vmids['db']);
  });

  test('two are shifted to an id that the code has not: the plan fails, and so does their destroy', async () => {
    await move(['web', 'old'], ['db', 'web']);
    const { code, said, of } = await planned();
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(`machine web: its registry entry .* VM ${vmids['db']} on pve1, machine db`),
    );
    expect(of('web')).toMatchObject({ verdict: 'refused' });
    expect(of('web')?.notes.join()).not.toContain("Name 'db' in formerIds");
    expect(of('old')).toMatchObject({ verdict: 'refused' });
    const destroyed = await lab.destroy();
    expect(destroyed).toMatchObject({ code: 1 });
    expect(destroyed.text.replace(/[\s│]+/g, ' ')).toContain(`is machine web`);
    nothingHappened();
  });

  test('the first of a list left the state: the plan fails', async () => {
    await move(['web', 'first'], ['db', 'web']);
    lab.ask({ first: machine, web: machine });
    const { code, said, of } = await planned();
    expect(code).toBe(1);
    expect(said).toContain('machine first: its registry entry');
    expect(of('first')).toMatchObject({ verdict: 'refused' });
    expect(of('web')).toMatchObject({ verdict: 'refused' });
    nothingHappened();
  });

  test('one is moved to an id that the code has not: its destroy is refused, as the guest is another machine', async () => {
    await move(['web', 'old']);
    const { of, review } = await planned();
    expect(of('old')).toMatchObject({ verdict: 'refused' });
    expect(of('old')?.notes.join()).toMatch(new RegExp(`VM ${vmids['web']} .*'web'.*state mv`));
    expect(review.lost).toMatchObject({ volumes: 0, unknown: 0 });
    expect(await lab.apply()).toMatchObject({ code: 1 });
    expect({ web: lab.guest('web')?.vmid, db: lab.guest('db')?.vmid }).toEqual(vmids);
  });
});
