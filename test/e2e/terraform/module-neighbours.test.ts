import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const small = { image: { template: 'ubuntu-22.04' }, memory: '1Gi' };
const db = { ...small, waitFor: 'address' };
// what reads all outputs of db, its revision, and a machine of another call that reads them
const CONFIGURATION = `
variable "machines" { type = any }
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = var.machines
}
resource "terraform_data" "db" { input = [module.lab.machines["db"], module.lab.revisions["db"]] }
resource "null_resource" "db" { triggers = { node = module.lab.machines["db"].node } }
module "behind" {
  source   = "./proxmox"
  owner    = "behind"
  cluster  = { name = "lab" }
  machines = { proxy = {
    image       = { template = "ubuntu-22.04" }
    description = "before \${module.lab.machines["db"].uuid} at \${module.lab.machines["db"].primaryIpAddress}"
  } }
}
`;

describeEachEngine('the machines of a call beside one that changes', engine => {
  let lab: PlainHcl;
  beforeAll(async () => {
    lab = await plainHcl(engine);
    lab.write(CONFIGURATION);
    lab.ask({ web: small, db });
    for (const { code, text } of [await lab.run('init', '-input=false'), await lab.apply()])
      if (code !== 0) throw new Error(text.slice(-6000));
  });
  afterAll(() => lab.close());

  test.each([
    ['changed', { web: { ...small, memory: '2Gi' }, db }, { '["web"]': 'delete+create' }, ['web']],
    ['new', { web: small, db, app: small }, { '["app"]': 'create' }, ['app']],
    ['removed', { db }, { '["web"]': 'delete' }, []],
  ])('stay known when it is %s: what reads them is not changed', async (_, machines, revisions, read) => {
    lab.ask(machines);
    const { actions, deferred } = await lab.planned();
    const all = Object.entries(actions).filter(([address]) => !address.includes('terraform_data.machines'));
    expect(Object.fromEntries(all)).toEqual(
      Object.fromEntries(
        Object.entries(revisions).map(([key, action]) => [`module.lab.null_resource.machine${key}`, action]),
      ),
    );
    expect(deferred).toEqual(read.map(id => `module.lab.data.external.facts["${id}"]`));
  });

  test('and the plan has no warning of a check that is not decided yet', async () => {
    lab.ask({ web: { ...small, memory: '2Gi' }, db });
    expect((await lab.plan()).text).not.toContain('Check block assertion known after apply');
  });

  test('their outputs are what the guests tell, once it is applied', async () => {
    lab.ask({ web: { ...small, memory: '2Gi' }, db });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});
