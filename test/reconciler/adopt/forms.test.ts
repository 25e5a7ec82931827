import { FORMS } from '../../../reconciler/adopt/text/forms';
import { settled, type Program } from '../../../reconciler/adopt/program';
import { documentsOf } from '../../support/manifests/documents-of';

const machine = (id: string, fields: object) => ({ json: { id, adopt: true, ...fields }, unmanaged: [] });
const size = { cpu: { cores: 2, type: 'host' }, memory: '4Gi', onBoot: true };
const program: Program = {
  owner: 'team/lab',
  cluster: { name: 'lab' },
  machines: [
    machine('web', { vmid: 100, ...size, networks: [{ name: 'lan', bridge: 'vmbr0', firewall: true }] }),
    {
      ...machine('db', { vmid: 101, ...size, description: 'a ${b} %{c} "d" \'e\'\n`f`' }),
      unmanaged: ['boot', 'x\ny'],
    },
    machine('old', { vmid: 102, memory: '1Gi', onBoot: true }),
  ],
};
const written = (form: string): string => FORMS[form]!(program);

test('TypeScript says a size that two have once, and what all have in defaults', () => {
  expect(written('typescript')).toBe(`import { App, TerraformStack } from 'cdktf';
import { Machine, MachineClass, ProxmoxCluster } from 'cdktf-proxmox';

const app = new App();
const stack = new TerraformStack(app, 'lab');

new ProxmoxCluster(stack, 'lab', { owner: 'team/lab', defaults: { onBoot: true } });

const cpu2Memory4gi = new MachineClass({ name: 'cpu2-memory4gi', cpus: 2, memory: '4Gi' });

new Machine(stack, 'web', {
  class: cpu2Memory4gi,
  vmid: 100,
  adopt: true,
  cpu: { type: 'host' },
  networks: [{ name: 'lan', bridge: 'vmbr0', firewall: true }],
});

// Not managed, and left as it is: boot, x y.
new Machine(stack, 'db', {
  class: cpu2Memory4gi,
  vmid: 101,
  adopt: true,
  description: 'a \${b} %{c} "d" \\'e\\'\\n\`f\`',
  cpu: { type: 'host' },
});

new Machine(stack, 'old', { vmid: 102, adopt: true, memory: '1Gi' });

app.synth();
`);
});

test('HCL says what all machines have once, and no text of others is an expression', () => {
  const text = written('hcl');
  expect(text).toContain('  defaults = { onBoot = true }\n');
  expect(text).toContain('description = "a \\u0024{b} \\u0025{c} \\"d\\" \'e\'\\n`f`"');
  expect(text).toContain(
    'machines = { for id, machine in local.machines : id => merge(local.defaults, machine) }',
  );
  expect(text).toContain('    # Not managed, and left as it is: boot, x y.\n    db = {\n');
});

test('YAML and JSON say the same document', async () => {
  const [document, ...more] = await documentsOf(written('yaml'), 'x.yaml');
  expect(more).toEqual([]);
  expect(document!.json).toEqual(JSON.parse(written('json')));
  expect(written('yaml')).toMatch(/^# db: Not managed, and left as it is: boot, x y\.\n/);
});

test('what only one machine may have is said of the first alone', () => {
  const networks = [{ name: 'lan', macAddress: 'BC:24:11:00:00:01', ipv4: { address: '192.0.2.1/24' } }];
  const twins = ['a', 'b'].map((id, index) => machine(id, { vmid: 100 + index, networks }));
  const { machines } = settled({ ...program, machines: twins }).program;
  expect(machines).toEqual([
    twins[0],
    {
      json: { ...twins[1]!.json, networks: [{ name: 'lan' }] },
      unmanaged: expect.any(Array) as string[],
      unsaid: expect.any(Array) as unknown[],
    },
  ]);
  expect(machines[1]!.unmanaged).toHaveLength(2);
});
