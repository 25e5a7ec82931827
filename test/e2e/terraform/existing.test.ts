import { TerraformOutput, type TerraformStack } from 'cdktf';
import { ExistingMachine, ExistingMachines, Machine, ProxmoxCluster } from '../../../constructs';
import { worldOfOthers } from '../../support/runs/existing-lab';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { SMALL } from '../../support/terraform/lab-stack';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

/** A machine that is told the address of a guest that is only read. */
function reading(stack: TerraformStack): void {
  new ProxmoxCluster(stack, 'lab');
  const db = new ExistingMachine(stack, 'db', { name: 'legacy-db' });
  const all = new ExistingMachines(stack, 'all', { tag: 'web', atLeast: 2 });
  new Machine(stack, 'app', { ...SMALL, description: `asks ${db.primaryIpAddress} on ${db.nodeName}` });
  for (const [name, value] of Object.entries({ node: db.nodeName, vmids: all.vmids, pool: db.pool }))
    new TerraformOutput(stack, name, { value, staticId: true });
}

const plain = (text: string): string => text.replace(/[\s│╷╵]+/g, ' ');

describeEachEngine('guests that are only read', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine, { world: worldOfOthers() });
    await lab.synth(reading);
    expect(await lab.apply()).toMatchObject({ code: 0 });
  });
  afterEach(() => lab.close());

  const theirs = (): string => JSON.stringify([lab.world.guests[100], lab.world.guests[205]]);
  const told = (): string => lab.guest('app')?.config['description']?.split('\n')[0] ?? '';

  test('their address reaches a machine; the next plan is empty; a destroy leaves them as they are', async () => {
    expect(told()).toMatch(/^asks 10(\.\d+){3} on pve3$/);
    expect(await lab.outputs()).toMatchObject({ node: 'pve3', vmids: [100, 205] });
    const before = theirs();
    const again = await lab.plan();
    expect({ code: again.code, text: again.text }).toMatchObject({ code: 0 });
    lab.writes();
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(theirs()).toBe(before);
    expect(lab.writes().filter(line => /\/(100|205)(\/|$)/.test(line))).toEqual([]);
  });

  test('one that moves is followed by the next plan', async () => {
    await lab.planned();
    lab.world.guests[100]!.node = 'pve1';
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(told()).toMatch(/ on pve1$/);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('one whose address is lost fails the plan of who needs it, and it is said why', async () => {
    lab.world.guests[100]!.running = null;
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    expect(plain(text)).toContain('existing db: no address: guest 100 on pve3 is stopped.');
    expect(await lab.destroy('-refresh=false')).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
  });

  test('one that is renamed or gone between plan and apply harms nothing, fails the next plan, and no destroy', async () => {
    await lab.synth(stack => {
      reading(stack);
      new Machine(stack, 'second', SMALL);
    });
    await lab.planned();
    lab.world.guests[100]!.config['name'] = 'renamed';
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    expect(plain(text)).toContain('existing db: no virtual machine has name "legacy-db".');
    delete lab.world.guests[100];
    expect(plain((await lab.plan()).text)).toContain('existing all: only 1 of at least 2 virtual machines');
    const destroyed = await lab.destroy();
    expect({ code: destroyed.code, text: destroyed.text }).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(lab.world.guests[205]).toBeDefined();
  });
});

describeEachEngine('guests that a call of the module only reads', engine => {
  let lab: PlainHcl;
  beforeEach(async () => {
    lab = await plainHcl(engine, { world: worldOfOthers() });
  });
  afterEach(() => lab.close());

  test('their outputs stand beside those of the machines', async () => {
    lab.write(`
variable "existing" {
  type    = any
  default = { db = { name = "legacy-db" }, web = { allWithTag = "web" } }
}
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  existing = var.existing
  machines = { app = {
    image       = { template = "ubuntu-22.04" }
    memory      = "1Gi"
    description = "asks \${try(module.lab.existing["db"].primaryIpAddress, "")}"
  } }
}
output "vmids" { value = module.lab.existing["web"][*].vmid }
`);
    expect(await lab.run('init', '-input=false')).toMatchObject({ code: 0 });
    const applied = await lab.apply();
    expect({ code: applied.code, text: applied.text }).toMatchObject({ code: 0 });
    expect(lab.guest('app')?.config['description']).toMatch(/^asks 10(\.\d+){3}\n/);
    expect(await lab.outputs()).toEqual({ vmids: [100, 205] });
    const again = await lab.plan();
    expect({ code: again.code, text: again.text }).toMatchObject({ code: 0 });
    expect(plain(again.text)).toContain('guest 205 on pve1 is stopped');
    const { code, text } = await lab.plan('-var', 'existing={ x = { name = "nobody" } }');
    expect(code).toBe(1);
    expect(plain(text)).toContain('existing x: no virtual machine has name "nobody".');
    const mistyped = await lab.plan('-var', 'existing={ x = { vmdi = 100 } }');
    expect(plain(mistyped.text)).toContain('Did you mean "vmid"?');
    const before = JSON.stringify(lab.world.guests[100]);
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(JSON.stringify(lab.world.guests[100])).toBe(before);
  });
});
