import { applyEvent } from '../../../simulator/events/apply';
import { marked } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { until } from '../../support/processes/shared-lab';
import { scenarios } from '../../support/runs/scenarios';

const GIVEN = 777;
const FOR_EVER = 3_600_000;
const at = (name: string): Json => ({ ...scenarios[name]!.want, power: 'stopped', vmid: GIVEN });

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 600 });
});
afterEach(() => cluster.close());

const lockOf = (): string | undefined => cluster.world.guests[GIVEN]?.config['lock'];

/** A run that gets no answer any more once it has asked for the guest: one that was killed sends no more either. */
async function cutShort(want: Json): Promise<void> {
  const effect = { kind: 'slow', ms: FOR_EVER, work: 'done' } as const;
  const { faults } = cluster.simulator;
  faults.add({ methods: ['POST'], path: '/nodes/*/qemu', effect });
  faults.add({ methods: ['POST'], path: '/nodes/*/qemu/*/clone', effect });
  void cluster.bring(want);
  await until(() => lockOf() !== undefined);
}

describe('an earlier run was cut short while Proxmox made the machine at the id that the spec gives', () => {
  test.each(['create blank', 'create by clone'])('%s: the next run waits, and finishes it', async name => {
    await cutShort(at(name));
    cluster.simulator.faults.clear();
    expect(await cluster.bring(at(name))).toEqual([]);
    expect(marked(cluster.world, 'web')).toMatchObject([{ vmid: GIVEN }]);
    expect(lockOf()).toBeUndefined();
  });
});

test('what somebody else makes at that id is waited for, then refused with its name', async () => {
  const theirs = { ...at('create blank'), id: 'theirs' };
  await cutShort(theirs);
  cluster.simulator.faults.clear();
  expect(await cluster.bring(at('create blank'))).toEqual([
    expect.stringMatching(
      /VM 777 already exists: guest 777 \(theirs\) on pve1 of owner team\/lab, machine theirs/,
    ),
  ]);
});

test('a lock there that nobody holds is named, with the way to remove it', async () => {
  cluster.world.guests[GIVEN] = { ...structuredClone(cluster.world.guests[9_000]!), vmid: GIVEN, config: {} };
  applyEvent(cluster.simulator.sim, { kind: 'lock', vmid: GIVEN, lock: 'clone' });
  void cluster.bring(at('create blank'));
  const told = (): string =>
    cluster.events.map(event => (event.kind === 'progress' ? event.text : '')).join('\n');
  await until(() => told() !== '');
  expect(told()).toMatch(/guest 777 on pve1, which is locked \(clone\) by no task .* `qm unlock 777`/);
});
