import { differenceText } from '../../reconciler/report/difference';
import { reviewHtml } from '../../reconciler/review/page/page';
import { reviewMarkdown } from '../../reconciler/review/markdown';
import { reviewPlan } from '../../reconciler/review/review-plan';
import { reviewText } from '../../reconciler/review/text';
import type { ObservedMachine } from '../../reconciler/observed';
import type { Difference } from '../../spec';
import { machine } from '../support/spec/machine';
import { cluster, mark, planContext, planMachine, present, UUID } from '../support/reconciler/observed';
import { planOf } from '../support/review/plan-document';

type Fields = Parameters<typeof machine>[0];
const absent: ObservedMachine = { kind: 'absent' };
const told = (
  fields: Fields,
  have: ObservedMachine = absent,
  context: Parameters<typeof planContext>[0] = {},
): Difference => {
  const spec = machine(fields);
  const plan = planMachine(spec, have, cluster(), planContext(context));
  expect(plan.refusals).toEqual([]);
  return JSON.parse(differenceText(plan, have)) as Difference;
};
const valuesOf = ({ changes }: Difference) => Object.fromEntries(changes.map(({ field, to }) => [field, to]));

const MAC = 'BC:24:11:AA:BB:CC';
const source = {
  ...{ node: 'pve1', vmid: 9000, name: 'debian', template: true },
  config: {
    memory: '1024',
    net0: `virtio=${MAC},bridge=vmbr0`,
    smbios1: 'uuid=22222222-0000-4000-8000-000000000000',
    scsi0: 'fast:base-9000-disk-0,size=3584M',
    scsi1: 'fast:base-9000-disk-1,size=1G',
  },
};
const clone: Fields = {
  image: { template: 'debian' },
  memory: '4Gi',
  disks: [{ name: 'root', size: '20Gi' }],
  networks: [{ name: 'lan' }],
};
const blank: Fields = {
  ...{ memory: '4Gi', balloon: '1Gi', tags: ['prod'], networks: [{ name: 'lan' }] },
  disks: [{ name: 'root', size: '20Gi', storage: 'fast', ssd: true }],
};

describe('what a create does is told before anything', () => {
  test('from nothing: created and started', () => {
    expect(told(blank).does).toEqual(['creating VM 101 on pve1', 'starting']);
    expect(told({ ...blank, power: 'stopped' }).does).toEqual(['creating VM 101 on pve1']);
  });

  test('a clone: written, grown, started', () => {
    expect(told(clone, absent, { source }).does).toEqual([
      'cloning VM 9000 to VM 101 on pve1',
      'writing memory',
      'growing disks[root] to 20Gi',
      'starting',
    ]);
  });

  test('a clone that leaves the node of its template', () => {
    const { does } = told(clone, absent, { source, destination: 'pve2' });
    expect(does.slice(0, 2)).toEqual(['cloning VM 9000 to VM 101 on pve1, in full', 'migrating to pve2']);
  });

  test('a full clone puts all disks on one storage; what is wanted elsewhere moves', () => {
    const uefi = { bios: 'ovmf', efidisk0: 'fast:base-9000-disk-2,size=4M', ...source.config };
    const disks = [{ name: 'root', size: '20Gi', storage: 'slow' }];
    const wanted = { ...clone, bios: 'uefi' as const, efiDisk: { storage: 'fast' }, disks };
    expect(told(wanted, absent, { source: { ...source, config: uefi } }).does).toEqual([
      'cloning VM 9000 to VM 101 on pve1, in full onto slow',
      'writing memory',
      'growing disks[root] to 20Gi',
      'moving efiDisk to fast',
      'starting',
    ]);
  });
});

test('sizes have units, also those of new disks', () => {
  expect(valuesOf(told(blank))).toMatchObject({
    ...{ memory: '4Gi', balloon: '1Gi' },
    'disks[root]': 'file=fast:20Gi, ssd=true',
  });
  expect(valuesOf(told(clone, absent, { source }))).toMatchObject({ 'disks[root].size': '20Gi' });
});

describe('no identity that was drawn, and no tag of ours, stands in a review', () => {
  const moved = mark({ uuid: UUID.replace('0f0e', '1f1e') });
  const have = present({ memory: '1024', tags: 'old' }, { mark: moved });
  test.each<[string, Difference]>([
    ['a create', told(blank)],
    ['a clone', told({ ...clone, tags: ['prod'] }, absent, { source })],
    ['a change', told({ memory: '4Gi', tags: ['new'] }, have)],
  ])('%s', (_, difference) => {
    const plan = planOf({ web: { status: 'different', effect: 'live', diff: JSON.stringify(difference) } });
    const review = reviewPlan(plan, 'plan.json');
    for (const text of [reviewText, reviewMarkdown, reviewHtml, JSON.stringify].map(form => form(review))) {
      expect(text).toContain('4Gi');
      expect(text).not.toMatch(/pvr-|[0-9a-f]{8}-[0-9a-f]{4}|(?:[0-9a-f]{2}:){5}/i);
    }
  });
});
