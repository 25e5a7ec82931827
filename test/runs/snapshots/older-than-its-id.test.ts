import { Live, runLine } from '../../reconciler/walk/live';
import { bring, broughtBack, machine, ours, renamed } from '../../support/runs/brought-back';

describe('a machine with the tag and the name of the id that it had before', () => {
  test('is no orphan: gc leaves it, and the plan does not call it one', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      const { out, said } = await live.people('gc', [machine('new')], {}, ['--yes', '--count', '0']);
      expect(out + said).toContain('no orphan was found');
      expect((await live.people('plan', [machine('new')])).said).not.toContain('orphan');
      expect(live.writes()).toEqual([]);
      expect(ours(live)).toHaveLength(1);
    }));

  test('is found, and not made a second time', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      const { vmid } = ours(live)[0]!;
      await bring(live, machine('new'));
      expect(ours(live)).toMatchObject([{ vmid, config: { name: 'new' } }]);
      expect((await live.people('gc', [machine('new')])).out).toContain('no orphan was found');
    }));

  test('is found beside the machine that has that id now', () =>
    Live.with(async live => {
      await broughtBack(live, async () => {
        await renamed(live)();
        await bring(live, machine('new'), machine('old'));
      });
      await bring(live, machine('old'), machine('new'));
      expect(ours(live).map(({ config }) => config['name'])).toEqual(expect.arrayContaining(['old', 'new']));
      expect(ours(live)).toHaveLength(2);
    }));

  test('is found by the plan of a stack, and by its apply', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      const [spec, other] = [machine('new'), machine('other')].map(each => JSON.stringify(each));
      const planned = await live.ask('observe', { 'spec.new': spec, 'spec.other': other });
      const told = JSON.parse(planned.out) as Record<string, string>;
      expect(told['new.refusal'] ?? '').toBe('');
      const variables = { PROXMOX_MACHINE: 'new', PROXMOX_SPEC: spec!, PROXMOX_TOKEN: told['new.token']! };
      expect(await live.do('apply', variables)).toMatchObject({ code: 0 });
      expect(ours(live)).toMatchObject([{ config: { name: 'new' } }]);
    }));

  test('of another owner, on a node that is down, holds up no create', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      const { vmid, node } = ours(live)[0]!;
      const effect = { kind: 'gateway', status: 595, text: 'no route to host', work: 'not-done' } as const;
      live.simulator.faults.add({ path: `/nodes/${node}/qemu/${vmid}/pending`, effect });
      const made = await live.people('reconcile', [machine('theirs')], { owner: 'team-b' });
      expect(made).toMatchObject({ code: 0 });
    }));

  test('is an orphan where nothing asks for the id that its mark says', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      const { out } = await live.people('gc', [], {});
      expect(out).toMatch(/^new: VM \d+ on pve\d, of team: nothing asks for it\./m);
    }));
});

test('a machine with the tag of the owner that it had before is no orphan of the new one', () =>
  Live.with(async live => {
    const move = ['owner', 'move', 'team', 'team-b', '--yes', '--cluster', 'lab'];
    await broughtBack(live, async () => expect(await runLine(move, live.access)).toMatchObject({ code: 0 }));
    const theirs = { owner: 'team-b' };
    const { out, said } = await live.people('gc', [machine('old')], theirs, ['--yes', '--count', '0']);
    expect(out + said).toContain('no orphan was found');
    expect(live.writes()).toEqual([]);
    expect(await live.people('reconcile', [machine('old')], theirs)).toMatchObject({ code: 0 });
    expect(ours(live)).toHaveLength(1);
  }));
