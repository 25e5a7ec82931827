import { readAs } from '../../../reconciler/observe/existing';
import type { ListedGuest } from '../../../reconciler/observed';
import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const db = { id: 'db', image: { blank: true }, power: 'stopped', vmid: 777, node: 'pve3' };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(errorsOf(await cluster.run(desired([db])))).toEqual([]);
});
afterEach(() => cluster.close());

/** The machine went from `machines` to `existing`: it is to be read only, and our mark is still on it. */
const run = (existing: Json, ...line: string[]) =>
  runLine(
    [...line, '--spec', '-'],
    programAccess(cluster.simulator),
    JSON.stringify({ ...desiredJson([]), existing: [existing] }),
  );

const STAYS =
  /existing "legacy" of the desired state reads it\. .*Else take our mark off .*: pve-reconciler release --owner team\/lab db(?=\s|$)/m;

describe.each<[string, Json]>([
  ['its number', { id: 'legacy', vmid: 777 }],
  ['its name', { id: 'legacy', name: 'db' }],
])('a machine that left, and that the desired state reads by %s,', (_, existing) => {
  test('is not removed by gc, which says why', async () => {
    const { out, code } = await run(existing, 'gc', '--yes', '--count', '0');
    expect([code, out]).toEqual([0, expect.stringMatching(STAYS)]);
    expect(cluster.world.guests[777]).toBeDefined();
  });

  test('is not removed by its name', async () => {
    const { said, code } = await run(existing, 'destroy', 'db', '--yes');
    expect([code, said]).toEqual([2, expect.stringMatching(STAYS)]);
    expect(cluster.world.guests[777]).toBeDefined();
  });

  test('is reported with the way out, and not with a destroy', async () => {
    const { said } = await run(existing, 'plan');
    expect(said).toMatch(STAYS);
    expect(said).not.toContain('pve-reconciler destroy');
  });
});

test('a list of all with a tag keeps none of them', async () => {
  cluster.world.guests[777]!.config['tags'] += ';web';
  await run({ id: 'all', allWithTag: 'web' }, 'gc', '--yes', '--count', '1');
  expect(cluster.world.guests[777]).toBeUndefined();
});

test('a name that Proxmox does not tell at this time may be the one: it stays', () => {
  const guest: ListedGuest = {
    ...{
      vmid: 777,
      type: 'qemu',
      node: 'pve3',
      name: undefined,
      tags: [],
      template: false,
      power: 'stopped',
    },
    ...{ lock: undefined, pool: undefined, haManaged: false, memory: 0 },
  };
  const reads = (existing: { id: string; name?: string; vmid?: number }) =>
    readAs(guest, [{ existing: [existing] }]);
  expect([reads({ id: 'legacy', name: 'db' }), reads({ id: 'other', vmid: 778 })]).toEqual([
    'legacy',
    undefined,
  ]);
});
