import { applyEvent } from '../../../simulator/events/apply';
import { Live } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { HeldRequests } from '../../support/cluster/held-requests';

const disks = [{ name: 'root', size: '1G', storage: 'local-lvm' }];
const machine = (id: string, formerIds: string[] = []) => ({ id, formerIds, image: { blank: true }, disks });
const guestOf = ({ simulator }: Live, name: string) =>
  Object.values(simulator.world.guests).find(({ config }) => config['name'] === name)!;
const leaves = { PROXMOX_MACHINE: 'old', PROXMOX_SNAPSHOT: 'keep' };

/** A machine `old` with the snapshot `keep` of Terraform, that is `new` since. */
async function rename(live: Live, onDestroy?: string): Promise<void> {
  expect(await live.people('reconcile', [machine('old')])).toMatchObject({ code: 0 });
  const PROXMOX_SNAPSHOT = JSON.stringify({ machine: 'old', name: 'keep', ...(onDestroy && { onDestroy }) });
  expect(await live.do('apply', { PROXMOX_MACHINE: 'old', PROXMOX_SNAPSHOT })).toMatchObject({ code: 0 });
  expect(await live.people('reconcile', [machine('new', ['old'])])).toMatchObject({ code: 0 });
  expect(guestOf(live, 'new').snapshots).toHaveProperty('keep');
  live.writes();
}

it('deletes the snapshot of an entry that leaves, under the id that its machine has now', () =>
  Live.with(async live => {
    await rename(live);
    const { code, said } = await live.do('destroy', leaves);
    expect(code).toBe(0);
    expect(said).toContain('snapshot keep of new, as the machine is called now, is gone');
    expect(guestOf(live, 'new').snapshots).not.toHaveProperty('keep');
  }));

it('deletes it where the machine gets its new id meanwhile, as in one apply of Terraform', async () => {
  const held = new HeldRequests();
  await Live.with(
    async live => {
      expect(await live.people('reconcile', [machine('old')])).toMatchObject({ code: 0 });
      const PROXMOX_SNAPSHOT = JSON.stringify({ machine: 'old', name: 'keep' });
      expect(await live.do('apply', { PROXMOX_MACHINE: 'old', PROXMOX_SNAPSHOT })).toMatchObject({
        code: 0,
      });
      const { node, vmid } = guestOf(live, 'old');
      const request = held.next(`GET /nodes/${node}/qemu/${vmid}/snapshot`);
      const ended = live.do('destroy', leaves);
      await request.met;
      expect(await live.people('reconcile', [machine('new', ['old'])])).toMatchObject({ code: 0 });
      request.release();
      expect(await ended).toMatchObject({ code: 0, said: expect.stringContaining('snapshot keep') });
      expect((await ended).said).not.toContain('REFUSED');
      expect(guestOf(live, 'new').snapshots).not.toHaveProperty('keep');
    },
    { before: held.before },
  );
});

it('leaves one that is to stay, and says how to remove it', () =>
  Live.with(async live => {
    await rename(live, 'keep');
    const { code, said } = await live.do('destroy', leaves);
    expect(code).toBe(0);
    expect(said).toContain('keep of new, as the machine is called now, stays, as its onDestroy is keep');
    expect(said).toContain('pve-reconciler snapshot delete new keep --spec FILE');
    expect(live.writes()).toEqual([]);
    expect(guestOf(live, 'new').snapshots).toHaveProperty('keep');
  }));

it.each([
  ['of another entry', { ...leaves, PROXMOX_ENTRY: 'e2' }],
  ['that somebody took of the same name', leaves],
])('leaves a snapshot %s', (what, variables) =>
  Live.with(async live => {
    await rename(live);
    const { vmid, node } = guestOf(live, 'new');
    const at = `/nodes/${node}/qemu/${vmid}/snapshot`;
    const admin = administratorOf(live);
    if (what.startsWith('that somebody')) {
      expect(await admin('DELETE', `${at}/keep`)).toBe(true);
      expect(await admin('POST', at, { snapname: 'keep' })).toBe(true);
    }
    live.writes();
    const { code, said } = await live.do('destroy', variables);
    expect(code).toBe(0);
    expect(said).not.toContain('with its machine');
    expect(said).toContain('there is no machine old of team');
    expect(live.writes()).toEqual([]);
    expect(guestOf(live, 'new').snapshots).toHaveProperty('keep');
  }),
);

it('calls no snapshot gone without a quorum: a node that is cut off knows the cluster as it was before', () =>
  Live.with(async live => {
    expect(await live.people('reconcile', [machine('old')])).toMatchObject({ code: 0 });
    const { guests } = live.simulator.world;
    delete guests[guestOf(live, 'old').vmid];
    applyEvent(live.simulator.sim, { kind: 'quorum', quorate: false });
    const { code, said } = await live.do('destroy', leaves);
    expect(code).toBe(1);
    expect(said).toMatch(/no quorum/);
    expect(said).not.toContain('is gone');
  }));
