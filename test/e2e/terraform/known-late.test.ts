import { ref, TerraformElement, Token, type TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type DiskProps, type MachineProps } from '../../../constructs';
import { deployment, type Deployment, type EngineRun } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { SMALL } from '../../support/terraform/lab-stack';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

/** A resource that a new key replaces: what reads its id is known in the apply only. */
class Seed extends TerraformElement {
  constructor(
    scope: TerraformStack,
    private readonly key: string,
  ) {
    super(scope, 'seed-element');
  }
  override toTerraform(): object {
    return { resource: { null_resource: { seed: { triggers: { key: this.key } } } } };
  }
}

const stackOf =
  (web: MachineProps, key: string) =>
  (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    new Seed(stack, key);
    const description = `seed ${Token.asString(ref('null_resource.seed.id', stack))}`;
    new Machine(stack, 'web', { ...SMALL, description, ...web });
  };

const REFUSED = /its spec was not known until this apply, so that no plan could show that/;
const plain = (text: string): string => text.replace(/\s+/g, ' ');

describeEachEngine('a spec that is known in the apply only', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());
  const ok = async (ran: Promise<EngineRun>): Promise<void> => {
    const { code, text } = await ran;
    if (code !== 0) throw new Error(text);
  };
  const config = (): Record<string, string> => lab.guest('web')!.config;
  /** Applies what a saved plan shows. */
  const saved = async (): Promise<EngineRun> => {
    await ok(lab.run('plan', '-input=false', '-out=plan.bin'));
    return lab.run('apply', '-input=false', 'plan.bin');
  };

  test('makes and changes the machine, and never makes it anew unshown', async () => {
    const web: MachineProps = { rebuildOn: ['image'] };
    await lab.synth(stackOf(web, 'a'));
    await ok(lab.apply());
    const { vmgenid } = config();
    await lab.synth(stackOf({ ...web, tags: ['late'] }, 'b'));
    await ok(saved());
    expect(config()).toMatchObject({ vmgenid, tags: expect.stringContaining('late') as string });

    await lab.synth(stackOf({ ...web, image: Image.fromTemplate('debian-12') }, 'c'));
    const { code, text } = await saved();
    expect(code).toBe(1);
    expect(plain(text)).toMatch(REFUSED);
    expect(plain(text)).toContain('the machine is destroyed and made anew, which takes ');
    expect(config()).toMatchObject({ vmgenid });
    // the remedy: the value is known now, the plan shows it
    await ok(saved());
    expect(config()['vmgenid']).not.toBe(vmgenid);
  });

  test('takes no disk of it unshown', async () => {
    const root = { name: 'root' } as DiskProps;
    const data = { name: 'data', size: '1Gi', storage: 'local-lvm', onRemove: 'delete' } as DiskProps;
    await lab.synth(stackOf({ disks: [root, data], power: 'stopped' }, 'a'));
    await ok(lab.apply());
    const volumes = (): string[] => Object.values(config()).filter(text => /^local-lvm:.*1G/.test(text));
    const before = volumes();
    expect(before).toHaveLength(1);

    await lab.synth(stackOf({ disks: [root], power: 'stopped' }, 'b'));
    // one process plans and applies: nobody is asked between
    const { code, text } = await lab.apply();
    expect(code).toBe(1);
    expect(plain(text)).toMatch(REFUSED);
    expect(volumes()).toEqual(before);
    await ok(lab.apply());
    expect(volumes()).toEqual([]);
  });
});

const inModule = (key: string, image: string): string => `
resource "null_resource" "seed" {
  triggers = { key = "${key}" }
}
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = {
    web = { image = { template = "${image}" }, rebuildOn = ["image"], description = null_resource.seed.id }
    db  = { image = { template = "${image}" }, rebuildOn = ["image"], description = null_resource.seed.id }
  }
  own_observer = ["db"]
}
`;

describeEachEngine('the same in the module', engine => {
  let lab: PlainHcl;
  beforeAll(async () => {
    lab = await plainHcl(engine);
  });
  afterAll(() => lab.close());
  const ids = (): unknown[] => ['web', 'db'].map(name => lab.guest(name)?.config['vmgenid']);
  const ok = async (ran: Promise<EngineRun>): Promise<void> => {
    const { code, text } = await ran;
    if (code !== 0) throw new Error(text.slice(-6000));
  };

  test('holds for the machines that share an observer, and for one of its own', async () => {
    lab.write(inModule('a', 'ubuntu-22.04'));
    await ok(lab.run('init', '-input=false'));
    await ok(lab.apply());
    await ok(lab.plan());
    const before = ids();
    lab.write(inModule('b', 'debian-12'));
    const { code, text } = await lab.apply();
    expect(code).toBe(1);
    const refused = [...plain(text).matchAll(/(\w+): REFUSED: its spec was not known until this apply/g)];
    expect(new Set(refused.map(([, machine]) => machine))).toEqual(new Set(['web', 'db']));
    expect(ids()).toEqual(before);
    // the plan knows both now
    await ok(lab.apply());
    const after = ids();
    expect(after.filter(id => before.includes(id) || id === undefined)).toEqual([]);
  });
});
