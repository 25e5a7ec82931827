import { administratorOf } from '../cluster/administrator';
import type { Live } from '../../reconciler/walk/live';

/**
 * Machines that somebody took back to a snapshot of the time when they had another id or another owner. PVE brings back tag
 * and name of then, and keeps the description (behaviour.md §14.5): the tag tells what the guest was, the mark what it is.
 */
const disks = [{ name: 'root', size: '1G', storage: 'local-lvm' }];

export const machine = (id: string, formerIds: string[] = []) => ({
  ...{ id, formerIds, image: { blank: true }, disks, power: 'stopped' },
});

export const ours = ({ simulator }: Live) =>
  Object.values(simulator.world.guests).filter(({ config }) => config['description']?.includes('"o":"team'));

export const bring = async (live: Live, ...machines: ReturnType<typeof machine>[]): Promise<void> =>
  expect(await live.people('reconcile', machines)).toMatchObject({ code: 0 });

/** A machine `old` that becomes what `changes` makes of it, and is brought back to its snapshot of before. */
export async function broughtBack(live: Live, changes: () => Promise<unknown>): Promise<void> {
  await bring(live, machine('old'));
  const { vmid, node } = ours(live)[0]!;
  const at = `/nodes/${node}/qemu/${vmid}/snapshot`;
  expect(await administratorOf(live)('POST', at, { snapname: 'before' })).toBe(true);
  await changes();
  expect(await administratorOf(live)('POST', `${at}/before/rollback`)).toBe(true);
  live.writes();
}

export const renamed = (live: Live) => async (): Promise<void> => {
  await bring(live, machine('new', ['old']));
  await bring(live, machine('new'));
};

/**
 * A machine `new` that was brought back to the time of `old`, and a second guest that an earlier release made of it then.
 * The VM ids of the one that was brought back, and of the second one.
 */
export async function twoOfOne(live: Live): Promise<{ back: number; second: number }> {
  await broughtBack(live, renamed(live));
  const { guests } = live.simulator.world;
  const hidden = ours(live)[0]!;
  const back = hidden.vmid + 50;
  delete guests[hidden.vmid];
  await bring(live, machine('new'));
  const second = ours(live)[0]!.vmid;
  guests[back] = { ...hidden, vmid: back };
  live.writes();
  return { back, second };
}
