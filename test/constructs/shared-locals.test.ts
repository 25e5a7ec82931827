import { Image, Machine, Snapshot } from '../../constructs';
import { mainTf } from '../../reconciler/module/main-tf';
import { synthesized } from '../support/constructs/synthesized';

// Terraform works an expression out for each machine that has it: what names all machines there takes the square of their
// number. 250 machines took twice the processor's time of a plan (bench/RESULTS.md).
test('what all machines read stands in locals: no revision reads all entries, or the answer for all, by itself', () => {
  const stack = synthesized(stack => {
    const machines = ['a', 'b'].map(id => new Machine(stack, id, { image: Image.blank() }));
    machines.forEach((machine, n) => new Snapshot(stack, `clean${n}`, { machine }));
  });
  const { machines_lab, snapshots_lab, ...revisions } = stack.resources('null_resource');
  expect(Object.keys(revisions)).toHaveLength(4);
  Object.values(revisions).forEach(({ triggers, lifecycle }) =>
    expect(JSON.stringify([triggers, lifecycle])).not.toMatch(/data\.external|null_resource/),
  );
  expect([machines_lab?.['for_each'], snapshots_lab?.['for_each']]).toEqual([
    '${local.ids_machines_lab}',
    '${local.ids_snapshots_lab}',
  ]);
  expect(JSON.parse(stack.text)).toMatchObject({
    locals: {
      ids_machines_lab: { a: 'a', b: 'b' },
      entries_machines_lab: '${null_resource.machines_lab}',
      observed_lab: '${data.external.observe_lab.result}',
    },
  });
});

test('the same of the module', () => {
  const blocks = mainTf().split(/^(?=resource|data|locals)/m);
  const revisions = blocks.filter(block => /^resource "null_resource" "(?:machine|template)"/.test(block));
  expect(revisions).toHaveLength(2);
  revisions.forEach(block => expect(block).not.toMatch(/data\.external|terraform_data\./));
  expect(mainTf().match(/for_each = (?!local\.)[^\n]*/g)).toEqual([
    'for_each = { for id, x in var.existing : id => jsonencode(merge(x, { id = id })) }',
  ]);
});
