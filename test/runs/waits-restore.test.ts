import { setTimeout as sleep } from 'node:timers/promises';
import { applyEvent } from '../../simulator/events/apply';
import { writes } from '../support/cluster/end-state';
import { foreignTask } from '../support/cluster/foreign-task';
import type { Json, Lab } from '../support/cluster/lab';
import { desired, errorsOf } from '../support/cluster/lab';
import { preparing } from '../support/runs/scenarios';
import { blankMachine as web } from '../support/runs/blank-machine';

const OURS = 10_000;
const GIVEN = 777;

let open: Awaited<ReturnType<typeof preparing>>;
let cluster: Lab;
beforeAll(async () => {
  open = await preparing({ have: web, want: undefined });
});
beforeEach(async () => {
  cluster = await open();
});
afterEach(() => cluster.close());

const lines = (): string[] =>
  cluster.events.flatMap(event => (event.kind === 'progress' ? [event.text] : []));
const locked = (lock: string): void => applyEvent(cluster.simulator.sim, { kind: 'lock', vmid: OURS, lock });
const restoring = (vmid: number) =>
  foreignTask(cluster.simulator, { type: 'qmrestore', id: String(vmid), user: 'eve@pve' });

/** What a run has said and sent when it told of the restore that it waits for, and its errors once that has ended. */
async function besides(work: Promise<string[]>, end: () => void) {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  while (!isDone && lines().length === 0) await sleep(10);
  const during = { writes: writes(cluster.simulator), lines: lines() };
  end();
  return { during, errors: await work };
}

test('a change waits for a restore over its guest, and is then made of what was restored', async () => {
  const restore = restoring(OURS);
  locked('create');
  const { during, errors } = await besides(cluster.bring({ ...web, memory: '2Gi' }), () => {
    cluster.world.guests[OURS]!.config['memory'] = '4096';
    restore.stop();
    locked('');
  });
  expect(during).toEqual({
    writes: [],
    lines: [
      expect.stringMatching(
        /^waits for guest 10000 on pve1, which is locked \(create\) by qmrestore of 10000 by eve@pve on pve1 since .*: \d+s so far, at most 15m\.$/,
      ),
    ],
  });
  expect(errors).toEqual([]);
  expect(cluster.world.guests[OURS]!.config['memory']).toBe('2048');
});

test('a restore over a guest that was cut short names no destroy of it: its disks may all be there', async () => {
  locked('create');
  const errors = await cluster.bring({ ...web, memory: '2Gi', timeouts: { apply: '1s' } });
  expect(errors).toEqual([
    expect.stringMatching(
      /locked \(create\).*look at its disks first.*`qm unlock 10000` on pve1 lifts the lock/,
    ),
  ]);
  expect(errors.join()).not.toContain('qm destroy');
});

test('nor does one over a guest without a name, or whose making was not finished, where disks are there', async () => {
  const { config } = cluster.world.guests[OURS]!;
  delete config['name'];
  config['description'] = config['description']!.replace('"u":', '"b":1,"u":');
  locked('create');
  const errors = await cluster.bring({ ...web, memory: '2Gi', timeouts: { apply: '1s', create: '1s' } });
  expect(errors).toEqual([expect.stringContaining('look at its disks first')]);
  expect(errors.join()).not.toContain('qm destroy');
});

test('nor one over a guest that shows anything else', async () => {
  const guest = cluster.world.guests[OURS]!;
  const { description = '', tags = '', smbios1 = '' } = guest.config;
  guest.config = { description, tags, smbios1, lock: 'create' };
  const errors = await cluster.bring({ ...web, memory: '2Gi', timeouts: { apply: '1s', create: '1s' } });
  expect(errors).toEqual([expect.stringContaining('look at its disks first')]);
  expect(errors.join()).not.toContain('qm destroy');
});

describe('a new machine that gives its vmid', () => {
  const made = (): Promise<string[]> => {
    const other: Json = { ...web, id: 'other', vmid: GIVEN };
    return cluster.run(desired([web, other])).then(errorsOf);
  };
  const told = /^waits for qmrestore of 777 by eve@pve on pve1 since .*: \d+s so far, at most 15m\.$/;

  test('waits for a restore at that id, and is made when that has failed', async () => {
    const { during, errors } = await besides(made(), restoring(GIVEN).stop);
    expect(during).toEqual({ writes: [], lines: [expect.stringMatching(told)] });
    expect(errors).toEqual([]);
    expect(cluster.world.guests[GIVEN]?.config['name']).toBe('other');
  });

  test('is refused when what was restored there is not its guest', async () => {
    const restore = restoring(GIVEN);
    const { during, errors } = await besides(made(), () => {
      const { description: _, tags: __, ...config } = cluster.world.guests[OURS]!.config;
      cluster.world.guests[GIVEN] = {
        ...structuredClone(cluster.world.guests[OURS]!),
        vmid: GIVEN,
        config: { ...config, name: 'restored', smbios1: 'uuid=11111111-2222-4333-8444-555555555555' },
      };
      restore.stop();
    });
    expect(during).toEqual({ writes: [], lines: [expect.stringMatching(told)] });
    expect(errors).toEqual([expect.stringMatching(/777.*restored/)]);
    expect(writes(cluster.simulator)).toEqual([]);
  });
});
