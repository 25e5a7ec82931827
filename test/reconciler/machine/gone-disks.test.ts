import { WHY_LOOK } from '../../../reconciler/machine/facts';
import type { ObservedGuest } from '../../../reconciler/observed';
import { cluster, mark, planContext, planMachine, present } from '../../support/reconciler/observed';
import { machine } from '../../support/spec/machine';

const GONE = 'lvm:vm-101-disk-0';

function refusals(power: ObservedGuest['power'], toldGone: string[] = []) {
  const migration = {
    allowedNodes: ['pve2'],
    lacks: {},
    localDisks: [],
    localResources: [],
    mappedResources: [],
    barredByHa: {},
    companions: [],
  };
  const context = planContext({ facts: { migration, [`goneVolumes ${WHY_LOOK.inDoubt}`]: [GONE] } });
  const done = { ...context.done, toldGone: new Set(toldGone) };
  const have = present({ scsi0: `${GONE},size=8G` }, { mark: mark({ disks: { root: 'scsi0' } }), power });
  const spec = machine({ node: 'pve2', pin: true, disks: [{ name: 'root', size: '8Gi', storage: 'lvm' }] });
  return planMachine({ ...spec, power: 'unmanaged' }, have, cluster(), { ...context, done }).refusals;
}

it.each([
  ['stopped', [], 'A destroy or a clone that lost the quorum half-way leaves a guest so.'],
  ['running', [GONE], 'It still runs, with a volume that somebody deleted'],
  ['unknown', [], 'Whether it still runs cannot be seen now'],
] as const)('a disk without its volume, of a guest whose power is %s', (power, toldGone, says) => {
  expect(refusals(power, [...toldGone])).toEqual([
    expect.objectContaining({ why: 'disk-gone', detail: expect.stringContaining(says) as string }),
  ]);
});
