import { Testing, TerraformStack } from 'cdktf';
import { Resource } from '@cdktf/provider-null/lib/resource';
import { Image, Machine, ProxmoxCluster, Snapshot } from '../../../constructs';
import { stackInHcl } from '../../../reconciler/module/from/stack-in-hcl';

const image = Image.fromTemplate('ubuntu-22.04');

/** The files that a stack becomes; or why it cannot be. */
function written(build: (stack: TerraformStack, web: Machine) => void): ReturnType<typeof stackInHcl> {
  const stack = new TerraformStack(Testing.app(), 'web');
  new ProxmoxCluster(stack, 'lab');
  build(stack, new Machine(stack, 'web', { image, description: 'after null_resource.machine_lab_web.id' }));
  return stackInHcl(JSON.parse(Testing.synth(stack)));
}
function filesOf(build: (stack: TerraformStack, web: Machine) => void): Record<string, string> {
  const made = written(build);
  if ('reasons' in made) throw new Error(made.reasons.join());
  return Object.fromEntries(made.files);
}
/** The machines of each call. */
const machinesOf = (main: string): string[][] =>
  [...main.matchAll(/entries_of_stack = (\[.*\])/g)].map(([, ids = '']) => JSON.parse(ids) as string[]);

function reasonsOf(build: (stack: TerraformStack, web: Machine) => void): string {
  const made = written(build);
  return 'reasons' in made ? made.reasons.join('\n') : '';
}

test('what a person wrote in a text stays as it is', () => {
  const { 'main.tf': main, 'kept.tf.json': kept } = filesOf(stack => {
    stack.addOverride('resource.x_y.z', {
      note: 'of null_resource.machine_lab_web.id and $${null_resource.machine_lab_web.id}',
      said: '${format("null_resource.machine_lab_web.id is %s", null_resource.machine_lab_web.id)}',
      program: '$${path.module}/proxmox/reconciler.abc.cjs',
      inner: { depends_on: ['null_resource.machine_lab_web'] },
      constructor: 'mine',
    });
    stack.addOverride('variable.v', { default: '${null_resource.machine_lab_web.id}' });
  });
  expect(main).toContain('description = "after null_resource.machine_lab_web.id"');
  expect(JSON.parse(kept ?? '')).toMatchObject({
    resource: {
      x_y: {
        z: {
          note: 'of null_resource.machine_lab_web.id and $${null_resource.machine_lab_web.id}',
          said: '${format("null_resource.machine_lab_web.id is %s", module.lab.revisions["web"])}',
          program: '$${path.module}/proxmox/reconciler.abc.cjs',
          inner: { depends_on: ['null_resource.machine_lab_web'] },
          constructor: 'mine',
        },
      },
    },
    variable: { v: { default: '${null_resource.machine_lab_web.id}' } },
  });
});

test('what waits for a machine waits for its call', () => {
  const { 'kept.tf.json': kept } = filesOf((stack, web) => {
    new Resource(stack, 'after', { dependsOn: [web] });
    stack.addOverride('check.c', {
      data: { http: { h: { depends_on: ['null_resource.machine_lab_web'], url: '' } } },
    });
  });
  expect(JSON.parse(kept ?? '')).toMatchObject({
    resource: { null_resource: { after: { depends_on: ['module.lab'] } } },
    check: { c: { data: { http: { h: { depends_on: ['module.lab'] } } } } },
  });
});

test('a template that reads a machine reads it of its call, and what is made of it stands beside it', () => {
  const { 'main.tf': main = '' } = filesOf((stack, web) => {
    new Machine(stack, 'gold', { image, asTemplate: true, description: `of ${web.vmid}` });
    new Machine(stack, 'copy', { image: Image.fromMachine('gold') });
  });
  expect(main).not.toContain('data.external');
  expect(main).toContain('module.lab.machines["web"].vmid');
  const [, second = ''] = main.split('module "lab_2"');
  expect(second).toContain('gold = jsonencode(');
  expect(second).toContain('image = { machine = "gold" }');
});

test('a machine that waits for others is in a later call, which waits for theirs and for what is no machine', () => {
  const { 'main.tf': main = '' } = filesOf((stack, web) => {
    const setup = new Resource(stack, 'setup', { dependsOn: [web] });
    const app = new Machine(stack, 'app', { image, dependsOn: [setup] });
    new Machine(stack, 'end', {
      image,
      dependsOn: [app, setup, new Snapshot(stack, 'clean', { machine: web })],
    });
  });
  expect(machinesOf(main)).toEqual([['web', 'web.clean'], ['app'], ['end']]);
  expect(main.match(/^ +after +=.*/gm)?.map(line => line.trim())).toEqual([
    'after  = [null_resource.setup]',
    'after  = [module.lab_2, null_resource.setup, module.lab]',
  ]);
});

test('a clone of an ordinary machine stands in its call, or in a later one where it waits for more', () => {
  const { 'main.tf': main = '' } = filesOf((stack, web) => {
    new Machine(stack, 'late', { image, dependsOn: [web] });
    new Machine(stack, 'copy', { image: Image.fromMachine('web') });
    new Machine(stack, 'copy-of-late', { image: Image.fromMachine('late') });
    new Machine(stack, 'waiting', { image: Image.fromMachine('web'), dependsOn: [web] });
  });
  expect(machinesOf(main)).toEqual([
    ['copy', 'waiting', 'web'],
    ['copy-of-late', 'late'],
  ]);
});

test('what would lose its order is refused with what to do', () => {
  const reasons = reasonsOf((stack, web) => {
    const setup = new Resource(stack, 'setup', { dependsOn: [web] });
    new Snapshot(stack, 'clean', { machine: web, dependsOn: [setup] });
    const other = new ProxmoxCluster(stack, 'other');
    const entries = { fqn: 'null_resource.machines_lab' };
    new Machine(stack, 'solo', { cluster: other, image, dependsOn: [entries] });
  });
  expect(reasons).toContain('snapshot web.clean is taken after null_resource.setup');
  expect(reasons).toContain('remove its dependsOn from the program, apply, and synthesize again');
  expect(reasons).toContain('machine solo is made after null_resource.machines_lab');
});

test.each([
  ['a trigger', { lifecycle: { replace_triggered_by: ['null_resource.machine_lab_web'] } }],
  ['an expression', { note: '${null_resource.machine_lab_web.triggers.spec}' }],
  ['a directive', { note: '%{ if null_resource.machine_lab_web.triggers.spec == "" }a%{ endif }' }],
  ['a key', { '${null_resource.machine_lab_web.triggers.spec}': 1 }],
])('%s that names what the module does not tell is refused', (_, z) => {
  const reasons = reasonsOf(stack => stack.addOverride('resource.x_y.z', { ...z, nested: z }));
  expect(reasons).toContain('x_y.z reads null_resource.machine_lab_web, which the module does not tell');
});

test('a machine that names what the module does not tell is refused', () => {
  const reasons = reasonsOf(stack => {
    new Machine(stack, 'app', { image, description: '${null_resource.machine_lab_web.triggers.spec}' });
    stack.addOverride(
      'resource.null_resource.machine_lab_app.triggers.spec',
      '{"description":${jsonencode(null_resource.machine_lab_web.triggers.spec)},"id":"app"}',
    );
  });
  expect(reasons).toContain('machine app reads null_resource.machine_lab_web');
});
