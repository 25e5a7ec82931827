import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const call = (name: string, more: string): string => `
module "${name}" {
  source  = "./proxmox"
  owner   = "${name}"
  cluster = { name = "lab" }
  ${more}
}
`;
const CONFIGURATION = [
  'variable "machines" { type = any }',
  call('lab', 'machines = { web = { image = { template = "ubuntu-22.04" }, waitFor = "address" } }'),
  call(
    'behind',
    `machines = {
    db    = { image = { template = "ubuntu-22.04" }, waitFor = "address" }
    proxy = { image = { template = "ubuntu-22.04" }, description = module.lab.machines["web"].uuid }
  }
  own_observer = ["proxy"]`,
  ),
].join('\n');

describeEachEngine('the checks of a plan with new machines', engine => {
  let lab: PlainHcl;
  beforeAll(async () => {
    lab = await plainHcl(engine);
    lab.write(CONFIGURATION);
    lab.ask({});
    const { code, text } = await lab.run('init', '-input=false');
    if (code !== 0) throw new Error(text.slice(-6000));
  });
  afterAll(() => lab.close());

  test('are decided, but for what a machine that is not read yet may differ in', async () => {
    const { code, text } = await lab.plan();
    expect(code).toBe(2);
    expect(text.match(/in check "\w+"/g)).toEqual(['in check "observed"']);
  });
});
