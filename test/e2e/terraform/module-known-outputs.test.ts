import { run } from '../../support/processes/cli';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

type Told = Record<string, unknown>;
type Machines = Record<string, Told>;

const TEMPLATE = { image: { template: 'ubuntu-22.04' } };
const said = {
  vmid: 12345,
  name: 'front',
  networks: [{ name: 'lan', bridge: 'vmbr0', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  waitFor: 'address',
};
const dual = {
  networks: [{ name: 'lan', bridge: 'vmbr0', ipv4: 'dhcp', ipv6: { address: '2001:DB8:0:0::0010/64' } }],
  waitFor: 'address',
};
const dhcp = { networks: [{ name: 'lan', bridge: 'vmbr0', ipv4: 'dhcp' }], waitFor: 'address' };
const lab = (memory: string, more: Told = {}): Machines => ({
  web: { ...TEMPLATE, ...said, memory, ...more },
  six: { ...TEMPLATE, ...dual, memory },
  db: { ...TEMPLATE, ...dhcp, memory },
});

const CONFIGURATION = `
variable "machines" { type = any }
module "lab" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = var.machines
}
output "lab" { value = module.lab.machines }
resource "null_resource" "reader" {
  for_each = module.lab.machines
  triggers = { vmid = each.value.vmid, name = each.value.name, address = each.value.primaryIpAddress }
}
module "behind" {
  source   = "./proxmox"
  owner    = "behind"
  cluster  = { name = "lab" }
  machines = { proxy = {
    image       = { template = "ubuntu-22.04" }
    description = join(" ", [for key in ["vmid", "name", "primaryIpAddress"] : module.lab.machines["web"][key]])
  } }
}
`;

interface ShownPlan {
  output_changes: { lab: { after: Machines; after_unknown: Machines } };
  resource_changes: { address: string; change: { actions: string[]; after_unknown: Told } }[];
}
interface ShownState {
  values: {
    root_module: {
      child_modules: {
        resources: { address: string; index: string; values: { result: Record<string, string> } }[];
      }[];
    };
  };
}

describeEachEngine('what a machine of the module says itself', engine => {
  let there: PlainHcl;
  beforeAll(async () => {
    there = await plainHcl(engine);
    there.write(CONFIGURATION);
    there.ask(lab('1Gi'));
    await done('init', '-input=false');
    await done('apply', '-input=false', '-auto-approve');
  });
  afterAll(() => there.close());

  async function done(...args: string[]): Promise<string> {
    const { code, text } = await there.run(...args);
    if (code !== 0) throw new Error(text.slice(-6000));
    return text;
  }
  const shown = async (): Promise<ShownPlan> => {
    await done('plan', '-input=false', '-out=saved.plan');
    return JSON.parse(await done('show', '-json', 'saved.plan')) as ShownPlan;
  };
  const actions = ({ resource_changes: all }: ShownPlan): Record<string, string> =>
    Object.fromEntries(
      all
        .filter(({ change, address }) => change.actions.join() !== 'no-op' && !address.includes('data.'))
        .map(({ address, change }) => [address, change.actions.join('+')]),
    );
  /** The facts of each machine in the state, as they were told. */
  const facts = async (): Promise<Machines> => {
    const { values } = JSON.parse(await done('show', '-json')) as ShownState;
    const all = values.root_module.child_modules.flatMap(({ resources }) => resources);
    return Object.fromEntries(
      all
        .filter(({ address }) => address.startsWith('module.lab.data.external.facts'))
        .map(({ index, values: { result } }) => [
          index,
          Object.fromEntries(Object.entries(result).map(([key, text]) => [key, JSON.parse(text) as unknown])),
        ]),
    );
  };
  /** Every output beside the fact of its name; `primaryIpAddress` beside the address that the guest has. */
  const expectFacts = async (): Promise<Machines> => {
    const { lab: told } = (await there.outputs()) as { lab: Machines };
    const known = await facts();
    expect(Object.keys(known).sort()).toEqual(Object.keys(told).sort());
    for (const [id, { primaryIpAddress, ...outputs }] of Object.entries(told)) {
      const fact = known[id] ?? {};
      expect(outputs).toEqual(Object.fromEntries(Object.keys(outputs).map(key => [key, fact[key] ?? null])));
      expect(fact['ipAddresses']).toContain(primaryIpAddress);
    }
    return told;
  };

  test('is what the facts tell, and comes to rest', async () => {
    expect(await expectFacts()).toMatchObject({
      web: { vmid: 12345, name: 'front', primaryIpAddress: '192.0.2.10' },
      six: { name: 'six', primaryIpAddress: '2001:db8::10' },
      db: { name: 'db', primaryIpAddress: expect.stringMatching(/^10\./) },
    });
    expect((await there.plan()).code).toBe(0);
  });

  test('an address that was last known stays while the agent is silent, and the plan warns of it', async () => {
    const guest = there.guest('db')!;
    guest.system = { ...guest.system, agent: false };
    const { code, text } = await there.plan();
    guest.system = { ...guest.system, agent: true };
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text.replace(/\s*│?\s+/g, ' ')).toMatch(
      /agents of these machines are silent: 10[.\d]+ is what was last known/,
    );
  });

  test('stays known while the machine changes: who reads it is not changed, and its review is not unknown', async () => {
    there.ask(lab('2Gi'));
    const plan = await shown();
    const { after, after_unknown: unknown } = plan.output_changes.lab;
    expect(after).toMatchObject({
      web: { vmid: 12345, name: 'front', primaryIpAddress: '192.0.2.10' },
      six: { name: 'six', primaryIpAddress: '2001:db8::10' },
      db: { name: 'db' },
    });
    // nobody said these: only the facts tell them
    expect(unknown).toMatchObject({
      web: { node: true, uuid: true },
      six: { vmid: true },
      db: { vmid: true, primaryIpAddress: true },
    });
    expect(actions(plan)).toEqual({
      'module.lab.null_resource.machine["web"]': 'delete+create',
      'module.lab.null_resource.machine["six"]': 'delete+create',
      'module.lab.null_resource.machine["db"]': 'delete+create',
      'null_resource.reader["six"]': 'delete+create',
      'null_resource.reader["db"]': 'delete+create',
    });
    const json = await done('show', '-json', 'saved.plan');
    expect(await run(['review', '--json', '--fail-on', 'unknown'], {}, json)).toMatchObject({ code: 0 });
    await done('apply', '-input=false', 'saved.plan');
    await expectFacts();
    expect((await there.plan()).code).toBe(0);
  });

  test('a new name and a new address are known before they are applied', async () => {
    const networks = [{ ...said.networks[0], ipv4: { address: '192.0.2.11/24', gateway: '192.0.2.1' } }];
    there.ask(lab('2Gi', { name: 'gate', networks }));
    const plan = await shown();
    expect(plan.output_changes.lab.after['web']).toMatchObject({
      vmid: 12345,
      name: 'gate',
      primaryIpAddress: '192.0.2.11',
    });
    const reader = plan.resource_changes.find(({ address }) => address === 'null_resource.reader["web"]');
    expect(reader?.change).toMatchObject({
      actions: ['delete', 'create'],
      after_unknown: { triggers: {} },
      after: { triggers: { vmid: '12345', name: 'gate', address: '192.0.2.11' } },
    });
    await done('apply', '-input=false', 'saved.plan');
    expect(there.guest('gate')?.config['ipconfig0']).toContain('ip=192.0.2.11/24');
    expect(await there.outputs()).toMatchObject({ lab: { web: { name: 'gate' } } });
  });

  test('is what the guest has, where the machine is only observed', async () => {
    there.ask(lab('2Gi', { name: 'other', mode: 'observe' }));
    await done('apply', '-input=false', '-auto-approve');
    const { lab: told } = (await there.outputs()) as { lab: Machines };
    const known = await facts();
    expect([told['web']?.['name'], known['web']?.['name'], known['web']?.['vmid']]).toEqual([
      'gate',
      'gate',
      told['web']?.['vmid'],
    ]);
  });
});
