import { judgedWhole, lab, resource, type Json } from '../../support/kubernetes/judged';

const ORPHAN = 'virtrigaud.io/orphan-on-delete';

test.each<[what: string, spec: Json, annotations: Json, retains: boolean]>([
  ['nothing', {}, {}, false],
  ['deletionPolicy: Retain', { deletionPolicy: 'Retain' }, {}, true],
  ['orphan-on-delete: "true"', {}, { [ORPHAN]: 'true' }, true],
  ['the same beside Delete', { deletionPolicy: 'Delete' }, { [ORPHAN]: 'true' }, true],
  ['orphan-on-delete: "false"', {}, { [ORPHAN]: 'false' }, false],
])('a VirtualMachine that is deleted with %s', async (_, spec, annotations, retains) => {
  const { plan } = await judgedWhole(
    lab(),
    resource(
      'VirtualMachine',
      'web',
      { providerRef: { name: 'lab' }, ...spec },
      {
        deletionTimestamp: '2026-01-01T00:00:00Z',
        finalizers: ['pve-reconciler/guest'],
        annotations: { ...annotations, 'pve-reconciler/cluster': 'lab' },
      },
    ),
  );
  expect(plan.deleted).toMatchObject([{ retains }]);
});
