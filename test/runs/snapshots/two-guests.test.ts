import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { Live } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { daemonLab, until } from '../../support/daemon/daemon-lab';
import { bring, broughtBack, machine, ours, renamed, twoOfOne } from '../../support/runs/brought-back';

const says = 'two guests are machine new of team: VM ';
const about = ({ second, back }: { second: number; back: number }): RegExp =>
  new RegExp(
    `${says}${second} on pve\\d has its tag, and runs work on that one\\. The mark of VM ${back} on pve\\d names it too: ` +
      `that guest is left as it is\\. Look at both \\(qm config ${second} on pve\\d, qm config ${back} on pve\\d\\)`,
  );
const at = (live: Live, vmid: number) => live.simulator.world.guests[vmid]!;
/** What somebody writes to a guest by hand, in Proxmox. */
const byHand = async (live: Live, vmid: number, change: Record<string, string>): Promise<void> => {
  const { node } = at(live, vmid);
  expect(await administratorOf(live)('PUT', `/nodes/${node}/qemu/${vmid}/config`, change)).toBe(true);
  live.writes();
};
const reads = ({ simulator }: Live, vmid: number): string[] =>
  simulator.ledger.entries().flatMap(({ path }) => (path.includes(`/qemu/${vmid}/`) ? [path] : []));

describe('two guests of one machine', () => {
  test('gc tells of both, and destroys neither', () =>
    Live.with(async live => {
      const both = await twoOfOne(live);
      const { code, out } = await live.people('gc', [machine('new')], {}, ['--yes', '--count', '0']);
      expect(code).toBe(0);
      expect(out).toMatch(about(both));
      expect(out).not.toContain('nothing asks for it');
      const json = JSON.parse((await live.people('gc', [machine('new')], {}, ['--json'])).out) as object;
      const other = { vmid: both.second };
      expect(json).toMatchObject({ orphans: [], doubles: [{ machine: 'new', vmid: both.back, other }] });
      expect(live.writes()).toEqual([]);
    }));

  test.each(['plan', 'status', 'reconcile'])('%s warns of both, and changes neither', verb =>
    Live.with(async live => {
      const both = await twoOfOne(live);
      const { code, said } = await live.people(verb, [machine('new')]);
      expect(code).toBe(0);
      expect(said).toMatch(about(both));
      const json = JSON.parse((await live.people(verb, [machine('new')], {}, ['--json'])).out) as object;
      expect(json).toMatchObject({ doubles: [{ machine: 'new', vmid: both.back }] });
      expect(live.writes()).toEqual([]);
    }),
  );

  test('the daemon tells of both once, and changes neither', () =>
    Live.with(async live => {
      const { back, second } = await twoOfOne(live);
      const lab = await daemonLab([], { world: structuredClone(live.simulator.world) });
      try {
        const state = { version: 1, owner: 'team', cluster: { name: 'lab' }, machines: [machine('new')] };
        lab.write(JSON.stringify(state));
        const daemon = lab.start({ prune: true });
        const [line] = await until(
          () => daemon.said('Two guests of one machine'),
          lines => lines.length > 0,
        );
        const nodes = { node: at(live, second).node, other_node: at(live, back).node };
        expect(line).toMatchObject({ machine: 'new', vmid: second, other_vmid: back, ...nodes });
        expect(line!['remedy']).toContain('Look at both');
        const readsOfMachine = (): number =>
          lab.simulator.ledger.entries().filter(({ path }) => path.includes(`/qemu/${second}/`)).length;
        const first = readsOfMachine();
        await until(readsOfMachine, now => now > first + 5);
        expect(daemon.said('Two guests of one machine')).toHaveLength(1);
        expect(lab.writes()).toEqual([]);
      } finally {
        await lab.close();
      }
    }));

  test('a run reads the guest that was brought back once', () =>
    Live.with(async live => {
      const { back } = await twoOfOne(live);
      live.simulator.ledger.reset();
      await live.people('plan', [machine('new')]);
      expect(reads(live, back).filter(path => path.endsWith('/pending'))).toHaveLength(1);
    }));
});

describe('what its remedy says', () => {
  const tags = { new: ownerTag('team', 'new'), old: ownerTag('team', 'old') };

  test('leaves the machine at work, where the second guest is the wrong one', () =>
    Live.with(async live => {
      const { back, second } = await twoOfOne(live);
      const before = structuredClone(at(live, second).config);
      await byHand(live, back, { delete: 'tags,description' });
      const { said, out } = await live.people('reconcile', [machine('new')]);
      expect(said + out).not.toContain('two guests');
      expect((await live.people('gc', [machine('new')])).out).toContain('no orphan was found');
      expect(live.writes()).toEqual([]);
      expect(at(live, second).config).toEqual(before);
    }));

  test.each([
    ['tags', 'description'],
    ['description', 'tags'],
  ])('gives the machine to the other guest, with runs after each step: first %s', (...steps) =>
    Live.with(async live => {
      const { back, second } = await twoOfOne(live);
      expect((await live.people('plan', [machine('new')])).said).toContain(
        `If it is VM ${back}, first give it the tag ${tags.new} in place of ${tags.old}: from then on runs refuse both`,
      );
      await byHand(live, back, { tags: tags.new });
      const refused = await live.people('reconcile', [machine('new')]);
      expect(refused).toMatchObject({
        code: 3,
        said: expect.stringContaining('both prove to be this machine'),
      });
      for (const step of steps) {
        await byHand(live, second, { delete: step });
        await live.people('reconcile', [machine('new')]);
        expect(live.writes().filter(line => line.includes(`/qemu/${second}`))).toEqual([]);
      }
      expect(await live.people('reconcile', [machine('new')])).toMatchObject({ code: 0 });
      expect(ours(live)).toMatchObject([{ vmid: back }]);
    }),
  );
});

describe('no two guests of one machine', () => {
  const quiet = async (live: Live, ...machines: ReturnType<typeof machine>[]): Promise<void> => {
    for (const verb of ['gc', 'plan', 'status']) {
      const { out, said } = await live.people(verb, machines);
      expect(out + said).not.toContain('two guests');
    }
  };

  test('a machine that its mark alone finds', () =>
    Live.with(async live => {
      await broughtBack(live, renamed(live));
      await quiet(live, machine('new'));
    }));

  test('where the tag of the machine is on a copy by hand: the other one is the machine', () =>
    Live.with(async live => {
      const { second } = await twoOfOne(live);
      at(live, second).config['smbios1'] = 'uuid=11111111-2222-4333-8444-555555555555';
      await quiet(live, machine('new'));
    }));

  test('a guest whose mark names a machine of another owner', () =>
    Live.with(async live => {
      const { back } = await twoOfOne(live);
      const { config } = at(live, back);
      config['description'] = config['description']!.replace('"o":"team"', '"o":"team-b"');
      await quiet(live, machine('new'));
    }));

  test('and no request more, where every tag of ours is of a machine that is wanted', () =>
    Live.with(async live => {
      await bring(live, machine('new'));
      const { vmid } = ours(live)[0]!;
      live.simulator.ledger.reset();
      await live.people('gc', [machine('new')]);
      expect(reads(live, vmid)).toEqual([]);
    }));
});
