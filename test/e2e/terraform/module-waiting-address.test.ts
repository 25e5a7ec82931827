import { defaultWorld } from '../../../simulator';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const CONFIGURATION = `
variable "machines" { type = any }
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = var.machines
}
output "lab" { value = module.lab.machines }
`;

const web = (address: string, more: object = {}) => ({
  web: {
    ...{ image: { template: 'ubuntu-22.04' }, agent: true, restart: 'never' },
    networks: [{ name: 'lan', ipv4: { address: `${address}/24`, gateway: '10.0.0.1' } }],
    ...more,
  },
});

describeEachEngine('an address of the module that waits for a restart', engine => {
  let there: PlainHcl;
  beforeAll(async () => {
    const world = defaultWorld(3);
    for (const { system } of Object.values(world.guests)) Object.assign(system, { bootMs: 0, agentMs: 0 });
    there = await plainHcl(engine, { world });
    there.write(CONFIGURATION);
  });
  afterAll(() => there.close());

  const said = (text: string): string => text.replace(/\s*│?\s+/g, ' ');

  test.each([
    ['that nobody waited for', {}],
    ['that the apply waited for', { waitFor: 'address' }],
  ])('%s is told beside what its guest has, by each plan until the restart', async (_, more) => {
    there.ask(web('10.0.0.10', { ...more, restart: 'whenNeeded' }));
    expect(await there.run('init', '-input=false')).toMatchObject({ code: 0 });
    expect(await there.apply()).toMatchObject({ code: 0 });
    expect(said((await there.plan()).text)).not.toContain('Check block assertion failed');

    there.ask(web('10.0.0.11', more));
    expect(await there.apply()).toMatchObject({ code: 0 });
    const { code, text } = await there.plan();
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('Check block assertion failed');
    expect(said(text)).toMatch(
      /machine web: 10\.0\.0\.10 is what it has now\. With the next restart of guest \d+ on pve\d comes: networks\[lan\] gw=10\.0\.0\.1,ip=10\.0\.0\.11\/24\. Restart it/,
    );

    there.ask(web('10.0.0.11', { ...more, restart: 'whenNeeded' }));
    expect(await there.apply()).toMatchObject({ code: 0 });
    expect(said((await there.plan()).text)).not.toContain('Check block assertion failed');
  });
});
