import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { parseMachine, staticAddresses } from '../../../spec';
import { arbitraryMachine } from '../../spec/arbitrary-machine';
import { valueOf } from '../../spec/sample';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';

const program = path.resolve(__dirname, '..', '..', '..', 'dist', 'reconciler.cjs');
type Json = Record<string, unknown>;

const mode = fc.constantFrom(null, null, 'reconcile', 'observe', 'paused');
/** In any of its spellings, such as 2001:DB8:0::0010/64. */
const ipv6 = fc
  .array(fc.constantFrom('0', '0000', '1', '0010', 'DB8', 'fe80'), { minLength: 3, maxLength: 5 })
  .map(groups => `2001:${groups.join(':')}::a/64`);

/** What is said of a machine's outputs: null where its facts alone tell them. */
function fixedBy(machine: Json): Json {
  const { id, name = id, vmid = null, mode: wanted, networks: [first] = [] } = valueOf(parseMachine(machine));
  if (wanted === 'observe' || wanted === 'paused') return { vmid: null, name: null, address: null };
  const [said] = first === undefined ? [] : staticAddresses(first);
  return { vmid, name, address: said?.address.replace(/\/.*/, '') ?? null };
}

describeEachEngine('the fields of the module', engine => {
  const folder = mkdtempSync(path.join(tmpdir(), 'module fields '));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(() => {
    execFileSync('node', [program, 'module', folder, '--quiet']);
    // only what turns the variables into specs
    const [locals = ''] = readFileSync(path.join(folder, 'main.tf'), 'utf8').split('# One entry a machine.');
    writeFileSync(path.join(folder, 'main.tf'), locals);
    const outputs = ['specs', 'said'].map(name => `output "${name}" { value = local.${name} }\n`);
    writeFileSync(path.join(folder, 'outputs.tf'), outputs.join(''));
  });
  const run = (...args: string[]): string =>
    execFileSync(engine.path, args, {
      cwd: folder,
      env: environmentFor(engine),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });

  test('arrive as they were said, null as absent, for 300 machines of many shapes', () => {
    const machines = fc
      .sample(fc.tuple(arbitraryMachine, mode, ipv6), { numRuns: 300, seed: 7 })
      .map(([machine, wanted, address], number): Json => {
        const more = number % 5 === 0 ? { networks: [{ name: 'lan', ipv6: { address } }] } : {};
        return { ...machine, id: `m${number}`, mode: wanted, ...more };
      });
    const said = Object.fromEntries(machines.map(machine => [machine['id'], machine]));
    const variables = { owner: 'team', cluster: { name: 'lab' }, machines: said };
    writeFileSync(path.join(folder, 'terraform.tfvars.json'), JSON.stringify(variables));
    run('init', '-input=false');
    run('apply', '-input=false', '-auto-approve');
    const specs = JSON.parse(run('output', '-json', 'specs')) as Record<string, string>;
    expect(Object.keys(specs)).toHaveLength(300);
    expect(Object.values(specs).filter(spec => spec.includes(':null'))).toEqual([]);
    for (const machine of machines) {
      const arrived: unknown = JSON.parse(specs[String(machine['id'])] ?? 'null');
      expect(valueOf(parseMachine(arrived))).toEqual(valueOf(parseMachine(machine)));
    }
    const outputs = JSON.parse(run('output', '-json', 'said')) as Record<string, Json>;
    for (const machine of machines) {
      expect(outputs[String(machine['id'])]).toEqual(fixedBy(machine));
    }
    const told = Object.values(outputs);
    for (const name of ['vmid', 'name', 'address']) {
      expect(new Set(told.map(output => output[name] === null))).toEqual(new Set([true, false]));
    }
  });

  test('are known one by one: what one of them does not know yet leaves the rest, and other machines, known', () => {
    const outer = path.join(folder, 'outer');
    mkdirSync(outer);
    const lan = (address: string): string => `networks = [{ name = "lan", ipv4 = { address = ${address} } }]`;
    writeFileSync(
      path.join(outer, 'main.tf'),
      `resource "terraform_data" "later" {}
module "lab" {
  source   = "../"
  owner    = "team"
  cluster  = { name = "lab" }
  machines = {
    a = { vmid = 101, ${lan('"192.0.2.1/24"')} }
    b = { vmid = 102, description = terraform_data.later.id, ${lan('"192.0.2.2/24"')} }
    c = { vmid = 103, ${lan('terraform_data.later.id')} }
    d = { vmid = 104, name = terraform_data.later.id, mode = terraform_data.later.id }
  }
}
output "said" { value = module.lab.said }
`,
    );
    const at = `-chdir=${outer}`;
    run(at, 'init', '-input=false');
    run(at, 'plan', '-input=false', '-out=saved.plan');
    const { output_changes: changed } = JSON.parse(run(at, 'show', '-json', 'saved.plan')) as {
      output_changes: { said: { after: Json; after_unknown: Json } };
    };
    expect(changed.said.after).toMatchObject({
      a: { vmid: 101, name: 'a', address: '192.0.2.1' },
      b: { vmid: 102, name: 'b', address: '192.0.2.2' },
      c: { vmid: 103, name: 'c' },
    });
    expect(changed.said.after_unknown).toEqual({
      a: {},
      b: {},
      c: { address: true },
      d: { vmid: true, name: true },
    });
  });
});
