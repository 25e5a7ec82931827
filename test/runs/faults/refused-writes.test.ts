import type { Lab } from '../../support/cluster/lab';
import { preparing } from '../../support/runs/scenarios';
import { blankMachine as web } from '../../support/runs/blank-machine';

const changed = { ...web, memory: '2Gi' };

let open: Awaited<ReturnType<typeof preparing>>;
let cluster: Lab;
beforeAll(async () => {
  open = await preparing({ have: web, want: undefined });
});
beforeEach(async () => {
  cluster = await open();
});
afterEach(() => cluster.close());

const WORDS: [text: string, writes: number][] = [
  // behaviour.md §14.13: a cloud-init volume that an earlier guest of this id left
  ["disk image '/mnt/pve/shared/images/10000/vm-10000-cloudinit.qcow2' already exists", 1],
  ["storage 'gone' does not exist", 5],
];

test.each(WORDS)(
  'a write that is always refused with "%s" is sent %i times, and fails',
  async (text, writes) => {
    const effect = { kind: 'answer', status: 500, text } as const;
    cluster.simulator.faults.add({ path: '/nodes/*/qemu/10000/config', methods: ['PUT', 'POST'], effect });
    const errors = await cluster.bring(changed);
    expect(errors).toEqual([expect.stringContaining(text)]);
    expect(errors.join()).not.toContain('allows');
    expect(cluster.simulator.faults.list()[0]!.hits).toBe(writes);
  },
);

test('a write that is always refused as outdated rests between its tries', async () => {
  const text = 'detected modified configuration - file changed by other user? Try again.';
  const effect = { kind: 'answer', status: 500, text } as const;
  cluster.simulator.faults.add({ path: '/nodes/*/qemu/10000/config', methods: ['PUT', 'POST'], effect });
  const errors = await cluster.bring({ ...changed, timeouts: { apply: '4s' } });
  expect(errors.join()).toContain('timeouts.apply allows 4s');
  // the rests grow; without them it is more than 40
  expect(cluster.simulator.faults.list()[0]!.hits).toBeLessThan(25);
});
