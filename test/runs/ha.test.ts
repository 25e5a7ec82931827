import type { Json } from '../support/cluster/lab';
import { administratorOf } from '../support/cluster/administrator';
import { HeldRequests } from '../support/cluster/held-requests';
import { lab } from '../support/cluster/lab';
import { narrowTokenLab, type NarrowTokenLab } from '../support/cluster/narrow-token-lab';
import { PRIVILEGES } from '../../simulator/schema/formats/privilege-list';
import { TOKEN } from '../support/cluster/start-cluster';
import { blankMachine } from '../support/runs/blank-machine';

const ROOT = { as: TOKEN };
const SID = 'vm:555';
const member: Json = { ...blankMachine, power: 'running', vmid: 555, ha: { maxRestart: 3 } };
const leaving: Json = { ...blankMachine, power: 'running', vmid: 555, clear: ['ha'] };

let cluster: NarrowTokenLab;
beforeEach(async () => (cluster = await narrowTokenLab()));
afterEach(() => cluster.close());

const told = () => cluster.world.ha.resources[SID];
const bring = async (machine: Json) => expect(await cluster.bring(machine, ROOT)).toBeUndefined();
const writesOf = async (machine: Json): Promise<string[]> => {
  cluster.writes();
  await bring(machine);
  return cluster.writes();
};

test('a machine joins high availability when it runs, and then nothing is left to do', async () => {
  await bring(member);
  expect(told()).toMatchObject({ state: 'started', settings: { max_restart: '3' } });
  expect(cluster.world.guests[555]?.running).not.toBeNull();
  expect(await writesOf(member)).toEqual([]);
});

test.each(['stopped', 'unmanaged'])('a machine whose power is %s and that is off stays off', async power => {
  await bring({ ...member, power });
  expect(told()).toMatchObject({ state: 'stopped' });
  expect(await writesOf({ ...member, power })).toEqual([]);
});

test('what HA is told is changed, a value that Proxmox has by itself is not written', async () => {
  await bring(member);
  const changed = { ...member, ha: { maxRestart: 2, maxRelocate: 1, failback: true } };
  expect(await writesOf(changed)).toEqual([expect.stringMatching(/PUT .*ha\/resources\/vm:555/)]);
  expect(told()?.settings).toEqual({ max_restart: '2' });
});

test('a resource that HA ignores is no member: HA is told the state again', async () => {
  await bring(member);
  told()!.state = 'ignored';
  expect(await writesOf(member)).toEqual([expect.stringMatching(/PUT .*ha\/resources\/vm:555/)]);
  expect(told()).toMatchObject({ state: 'started', settings: { max_restart: '3' } });
  expect(await writesOf(member)).toEqual([]);
});

test('what is not said of HA is left alone, clear takes the machine out, and it goes on running', async () => {
  await bring(member);
  const { ha: _, ...silent } = member;
  expect(await writesOf(silent)).toEqual([]);
  await bring(leaving);
  expect(told()).toBeUndefined();
  expect(cluster.world.guests[555]?.running).not.toBeNull();
  expect(await writesOf(leaving)).toEqual([]);
});

test('an administrator who takes it out meanwhile finds it back after the next run', async () => {
  await bring(member);
  delete cluster.world.ha.resources[SID];
  await bring(member);
  expect(told()).toMatchObject({ state: 'started' });
});

test.each(['Sys.Console', 'Sys.Audit'])(
  'without %s nothing is made, and the line that gives it is told',
  async lacking => {
    cluster.allow({ path: '/', privileges: PRIVILEGES.filter(each => each !== lacking) });
    const { refusals } = await cluster.plan(member);
    expect(refusals).toEqual([
      expect.objectContaining({ why: 'privileges', detail: expect.stringContaining(lacking) }),
    ]);
    expect(cluster.writes()).toEqual([]);
    cluster.pveum(refusals[0]!.remedy);
    expect(await cluster.bring(member)).toBeUndefined();
  },
);

test('a group is refused since Proxmox VE 9, with what there is instead', async () => {
  const said = await cluster.bring({ ...member, ha: { group: 'blue' } }, ROOT);
  expect(said).toMatch(
    /ha\.group: Proxmox VE 9\S* has no HA groups any more.*"ha: \{\}" alone.*rules add node-affinity RULE --resources vm:ID/s,
  );
  expect(cluster.world.guests[555]).toBeUndefined();
});

describe('an administrator comes just before', () => {
  const theirs = (set: Record<string, string>) => ({ sid: SID, state: 'started', settings: set });
  test.each([
    ['gives it to HA', {}, 'POST /cluster/ha/resources', member, theirs({ comment: 'theirs' })],
    ['takes it out of HA', { ha: {} }, `PUT /cluster/ha/resources/${SID}`, member, undefined],
    ['takes it out of HA', { ha: {} }, `DELETE /cluster/ha/resources/${SID}`, leaving, undefined],
  ])('and %s: %j, %s', async (_, first, line, want, there) => {
    const held = new HeldRequests();
    const busy = await lab({ before: held.before, taskMs: 5, timeScale: 50 });
    try {
      const { ha: __, ...silent } = member;
      expect(await busy.bring({ ...silent, ...first })).toEqual([]);
      const asked = held.next(line);
      const ended = busy.bring(want);
      await asked.met;
      delete busy.world.ha.resources[SID];
      if (there) busy.world.ha.resources[SID] = there;
      asked.release();
      expect(await ended).toEqual([]);
      const settings = { ...there?.settings, max_restart: '3' };
      expect(busy.world.ha.resources[SID]?.settings).toEqual(want === leaving ? undefined : settings);
    } finally {
      await busy.close();
    }
  });

  test('and starts a machine whose power is unmanaged: HA keeps it running', async () => {
    const held = new HeldRequests();
    const busy = await lab({ before: held.before, taskMs: 5, timeScale: 50 });
    try {
      const off = { ...blankMachine, vmid: 555, power: 'unmanaged' };
      expect(await busy.bring(off)).toEqual([]);
      const asked = held.next('POST /cluster/ha/resources');
      const ended = busy.bring({ ...off, ha: { maxRestart: 3 } });
      await asked.met;
      await administratorOf(busy)('POST', '/nodes/pve1/qemu/555/status/start');
      asked.release();
      expect(await ended).toEqual([]);
      expect(busy.world.ha.resources[SID]).toMatchObject({ state: 'started' });
    } finally {
      await busy.close();
    }
  });
});
