import { TerraformStack, TerraformVariable } from 'cdktf';
import { Image, Machine, ProxmoxCluster, Snapshot, type SnapshotProps } from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

const image = Image.blank();
type Said = (stack: TerraformStack) => Partial<Omit<SnapshotProps, 'machine'>>;

const taken = (...all: Said[]) =>
  synthesized(stack => {
    const machine = new Machine(stack, 'web', { image, formerIds: ['old'] });
    all.forEach((said, i) => new Snapshot(stack, `clean${i}`, { machine, ...said(stack) }));
  });

test('it is taken after its machine and deleted before it', () => {
  const stack = taken(() => ({ name: 'my_clean' }));
  const resources = stack.resources('null_resource');
  expect(JSON.parse(stack.text)).toMatchObject({
    locals: { ids_snapshots_lab: { 'web.my_clean': 'web.my_clean' } },
  });
  expect(resources['snapshots_lab']).toMatchObject({
    for_each: '${local.ids_snapshots_lab}',
    depends_on: ['null_resource.machines_lab'],
    lifecycle: { ignore_changes: ['triggers'] },
    provisioner: [{ 'local-exec': { when: 'destroy', command: 'destroy' } }],
  });
  expect(resources['snapshot_lab_web_my_clean']).toMatchObject({
    depends_on: ['null_resource.machine_lab_web'],
    provisioner: [{ 'local-exec': { command: 'apply', environment: { PROXMOX_FORMER: '["old"]' } } }],
  });
});

test('it stands in the desired state for people', () => {
  expect(taken(() => ({ description: 'one' })).desiredState()).toMatchObject({
    snapshots: [{ machine: 'web', name: 'clean0', description: 'one' }],
  });
});

const REFUSED: Record<string, { said: Said[]; says: string[] }> = {
  'a name that Proxmox does not take': {
    said: [() => ({ name: 'x' })],
    says: ['web/clean0', 'name', '2 to 40'],
  },
  'one name twice': {
    said: [() => ({ name: 'same' }), () => ({ name: 'same' })],
    says: ['web/clean1', "web/clean0 is the snapshot 'same' of 'web' already", 'Give another name'],
  },
  'words that only Terraform knows': {
    said: [stack => ({ description: new TerraformVariable(stack, 'given', {}).stringValue })],
    says: ['web/clean0', 'description: only Terraform knows this value'],
  },
};

test.each(Object.entries(REFUSED))('fails: %s', (_, { said, says }) => {
  const failure = () => taken(...said);
  for (const text of says) expect(failure).toThrow(text);
});

test('fails: a machine of another stack, and what is no machine', () => {
  const elsewhere = () =>
    synthesized(stack => {
      const machine = new Machine(stack, 'web', { image });
      const other = new TerraformStack(stack.node.root, 'other');
      new ProxmoxCluster(other, 'lab');
      new Snapshot(other, 'clean', { machine });
    });
  expect(elsewhere).toThrow("is of the stack 'web'");
  const noMachine = { machine: 'web' } as unknown as SnapshotProps;
  expect(() => synthesized(stack => void new Snapshot(stack, 'clean', noMachine))).toThrow(
    '"web" is no Machine',
  );
});

test('fails: a template, of which Proxmox takes none', () => {
  const template = () =>
    synthesized(stack => {
      const machine = new Machine(stack, 'web', { image, asTemplate: true });
      new Snapshot(stack, 'clean', { machine });
    });
  expect(template).toThrow('Proxmox takes no snapshots of "web"');
});
