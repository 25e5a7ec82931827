import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { parseMachine } from '../../spec';
import { arbitraryMachine } from '../spec/arbitrary-machine';
import { valueOf } from '../spec/sample';
import { describeEachEngine, environmentFor } from '../support/engines';

const program = path.resolve(__dirname, '..', '..', 'dist', 'reconciler.cjs');
type Json = Record<string, unknown>;

describeEachEngine('the fields of the module', engine => {
  const folder = mkdtempSync(path.join(tmpdir(), 'module fields '));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]): string =>
    execFileSync(engine.path, args, {
      cwd: folder,
      env: environmentFor(engine),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });

  test('arrive as they were said, null as absent, for 300 machines of many shapes', () => {
    const machines = fc
      .sample(arbitraryMachine, { numRuns: 300, seed: 7 })
      .map((machine, number): Json => ({ ...machine, id: `m${number}` }));
    execFileSync('node', [program, 'module', folder, '--quiet']);
    // only what turns the variables into specs
    const [locals = ''] = readFileSync(path.join(folder, 'main.tf'), 'utf8').split('# One entry a machine.');
    writeFileSync(path.join(folder, 'main.tf'), locals);
    writeFileSync(path.join(folder, 'outputs.tf'), 'output "specs" { value = local.specs }\n');
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
  });
});
